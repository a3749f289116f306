// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// A request that is answered with a status other than 200. Clients decide by the status; the text in the body is for
/// people and never repeats what the request contained.
struct Refusal: Error, HTTPResponseError {
    let code: Int
    let message: String
    var headers: HTTPFields = [:]

    /// - Parameters:
    ///   - code: the HTTP status, a number as the protocol's tables have it.
    ///   - message: what is wrong.
    init(_ code: Int, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The status line gets the standard phrase of the code.
    var status: HTTPResponse.Status { HTTPResponse.Status(code: code) }

    func response(from request: Request, context: some RequestContext) -> Response {
        Response.json(
            ["version": .string(ProtocolVersion.current), "message": .string(message)], status: status, headers: headers
        )
    }
}

extension Refusal {
    static let invalidSignature = Refusal(401, "Invalid signature")
    static let invalidJSON = Refusal(400, "BAD REQUEST. INVALID JSON")
    static let invalidData = Refusal(400, "BAD REQUEST. INVALID DATA")
    static let notFound = Refusal(404, "URI NOT FOUND")

    /// What pass 1 and pass 2 answer to anything malformed.
    static func invalidPass(_ what: String) -> Refusal { Refusal(403, "Invalid data received. \(what)") }

    /// Another login of the same identity is being judged.
    static var tooManyLogins: Refusal {
        var refusal = Refusal(429, "Too many logins at once")
        refusal.headers[.retryAfter] = "5"
        return refusal
    }

    /// Too many logins of this identity were begun and have no verdict.
    static func tooManyBeginnings(wait: Duration) -> Refusal {
        var refusal = Refusal(429, "Too many logins begun without an end")
        refusal.headers[.retryAfter] = String((wait.wholeMilliseconds + 999) / 1000)
        return refusal
    }

    /// The database cannot be written: a wrong PIN would not count, so there is no verdict on any.
    static var uncounted: Refusal {
        var refusal = Refusal(503, "The login cannot be counted, so it was not judged. Try again later.")
        refusal.headers[.retryAfter] = "60"
        return refusal
    }
}

/// The version that replies of the classic protocol carry.
enum ProtocolVersion {
    static let current = "0.3"
}
