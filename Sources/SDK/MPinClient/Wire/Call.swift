// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// One request of a flow.
struct Call: Sendable {
    let kind: RequestKind
    let request: HTTPRequest
}

extension Call {
    /// Text for errors and the log: the request and its host. Path and query stay out, because they may carry a token.
    var place: String { "\(kind.rawValue) at \(request.url.origin)" }

    /// Whether a refusal may cost the identity. Over plain http the sender of a reply is unknown, and an attacker on
    /// the way must not be able to destroy more than a login. There only the verdict may, because it follows a proof.
    var mayEndIdentity: Bool { kind.isFinalCall || request.url.origin.scheme == .https }
}

/// Outcome of a ``Call``.
enum CallOutcome: Sendable {
    case answered(HTTPResponse)
    /// There was no reply.
    case failed(MPinError, mayHaveBeenSent: Bool)
}
