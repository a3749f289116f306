// SPDX-License-Identifier: Apache-2.0

package import BackendValues

extension Refusal {
    static let invalidSignature = Refusal(401, "Invalid signature")

    /// The answer to malformed pass 1 and pass 2.
    package static func invalidPass(_ what: String) -> Refusal { Refusal(403, "Invalid data received. \(what)") }

    /// Another login of the same identity is being checked.
    static let tooManyLogins = Refusal(429, "Too many logins at once", retryAfter: 5)

    /// Too many logins of this identity were begun and have no verdict.
    static func tooManyBeginnings(until end: WallTime, _ now: WallTime) -> Refusal {
        waiting(429, "Too many logins begun without an end", until: end, now)
    }

    /// The storage did not answer or failed, so nothing is known about the request's subject.
    package static let storageUnavailable = Refusal(
        503, "The service cannot reach its data. Try again in a moment.", retryAfter: 5)

    /// The database cannot be written. A wrong PIN would not count, so no PIN is checked.
    static let uncounted = Refusal(
        503, "The login cannot be counted, so the PIN was not checked. Try again later.", retryAfter: 60)
}
