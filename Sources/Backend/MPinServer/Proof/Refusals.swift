// SPDX-License-Identifier: Apache-2.0

package import BackendValues

extension Refusal {
    static let invalidSignature = Refusal(401, "Invalid signature")

    /// The answer to malformed pass 1 and pass 2.
    package static func invalidPass(_ what: String) -> Refusal { Refusal(403, "Invalid data received. \(what)") }

    /// Another login of the same identity is being judged.
    static var tooManyLogins: Refusal {
        var refusal = Refusal(429, "Too many logins at once")
        refusal.retryAfter = 5
        return refusal
    }

    /// Too many logins of this identity were begun and have no verdict.
    static func tooManyBeginnings(wait: Duration) -> Refusal {
        var refusal = Refusal(429, "Too many logins begun without an end")
        refusal.retryAfter = Int((wait.wholeMilliseconds + 999) / 1000)
        return refusal
    }

    /// The storage did not answer or failed, so nothing is known about the request's subject.
    package static var storageUnavailable: Refusal {
        var refusal = Refusal(503, "The service cannot reach its data. Try again in a moment.")
        refusal.retryAfter = 5
        return refusal
    }

    /// The database cannot be written. A wrong PIN would not count, so no PIN is judged.
    static var uncounted: Refusal {
        var refusal = Refusal(503, "The login cannot be counted, so it was not judged. Try again later.")
        refusal.retryAfter = 60
        return refusal
    }
}
