// SPDX-License-Identifier: Apache-2.0

extension HTTPResponse {
    /// Whether the server knows no such login any more. It was begun a moment ago, so that something on the way sent its
    /// last request twice, and the reply to the first one is the verdict.
    var isAboutUnknownLogin: Bool {
        headers.contains { $0.name.lowercased() == "login-outcome" && $0.value == "unknown" }
    }
}

extension RequestKind {
    /// Whether the request asks for the verdict of a login.
    var isFinalCall: Bool { self == .authenticate || self == .authenticateForCode }
}
