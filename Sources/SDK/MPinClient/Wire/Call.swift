// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// One request that a flow wants to be made.
struct Call: Sendable {
    let kind: RequestKind
    let request: HTTPRequest
}

extension Call {
    /// For errors and the log: what was asked and of whom. Path and query stay out: they may carry a token.
    var place: String { "\(kind.rawValue) at \(request.url.origin)" }

    /// Whether a refusal may cost the identity. Over plain http the sender of a reply is not known, and one on the way
    /// must not cost more than a login: there it is the verdict alone, which follows a proof.
    var mayEndIdentity: Bool {
        kind == .authenticate || kind == .authenticateForCode || request.url.origin.scheme == .https
    }
}

/// Outcome of a ``Call``.
enum CallOutcome: Sendable {
    case answered(HTTPResponse)
    /// There was no reply.
    case failed(MPinError, mayHaveBeenSent: Bool)
}
