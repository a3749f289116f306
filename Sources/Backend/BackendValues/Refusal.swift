// SPDX-License-Identifier: Apache-2.0

/// A request that is answered with a status other than 200. Clients decide by the status. The text in the body is for
/// people and never repeats the request's content.
package struct Refusal: Error {
    package let code: Int
    package let message: String
    /// Further fields of the reply's header, by name.
    package let headers: [String: String]

    /// - Parameters:
    ///   - code: the HTTP status, as in the protocol's tables.
    ///   - message: the text for people.
    ///   - retryAfter: the time after which the client may ask again, in seconds; nil for no advice.
    package init(_ code: Int, _ message: String, retryAfter: Int? = nil, headers: [String: String] = [:]) {
        self.code = code
        self.message = message
        self.headers = headers.merging(retryAfter.map { ["Retry-After": String($0)] } ?? [:]) { $1 }
    }

    /// The refusal of a login that is unknown or over. A proxy may have sent the last request twice, and the first
    /// copy was checked. Clients that know this header do not say "expired" when the browser is logged in.
    package static func unknownLogin(_ code: Int, _ message: String) -> Refusal {
        Refusal(code, message, headers: [loginOutcomeHeader: "unknown"])
    }

    package static let loginOutcomeHeader = "Login-Outcome"
}

extension Refusal {
    package static let invalidJSON = Refusal(400, "BAD REQUEST. INVALID JSON")
    package static let invalidData = Refusal(400, "BAD REQUEST. INVALID DATA")
    package static let notFound = Refusal(404, "URI NOT FOUND")

    /// - Parameter end: the time when there is room again.
    package static func tooMany(until end: WallTime?, _ now: WallTime) -> Refusal {
        waiting(429, "Too much from this address", until: end, now)
    }

    package static func full(until end: WallTime?, _ now: WallTime) -> Refusal {
        waiting(503, "Too busy", until: end, now)
    }

    package static func waiting(_ code: Int, _ message: String, until end: WallTime?, _ now: WallTime) -> Refusal {
        let seconds = end.map { Int((($0 - now).wholeMilliseconds + 999) / 1000) } ?? 1
        return Refusal(code, message, retryAfter: max(1, seconds))
    }
}

/// The version in replies of the classic protocol.
package enum ProtocolVersion {
    package static let current = "0.3"
}
