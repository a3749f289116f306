// SPDX-License-Identifier: Apache-2.0

extension HTTPResponse {
    /// Whether the server no longer knows this login. It began a moment ago, so a proxy sent its last request twice,
    /// and the reply to the first one is the verdict.
    var isAboutUnknownLogin: Bool {
        headers.contains { $0.name.lowercased() == "login-outcome" && $0.value == "unknown" }
    }
}

extension RequestKind {
    /// Whether the request asks for the verdict of a login.
    var isFinalCall: Bool { self == .authenticate || self == .authenticateForCode }
}
