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
}
