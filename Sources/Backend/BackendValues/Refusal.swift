// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// A request that is answered with a status other than 200. Clients decide by the status; the text in the body is for
/// people and never repeats what the request contained.
package struct Refusal: Error {
    package let code: Int
    package let message: String
    package var headers: HTTPFields = [:]

    /// - Parameters:
    ///   - code: the HTTP status, a number as the protocol's tables have it.
    ///   - message: what is wrong.
    package init(_ code: Int, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The refusal of a login that is not known, or not any more: a proxy may have sent its last request twice, and then
    /// the first one has judged it. Clients that know the header do not say "expired" about a browser that is logged in.
    package static func unknownLogin(_ code: Int, _ message: String) -> Refusal {
        var refusal = Refusal(code, message)
        if let header = loginOutcomeHeader { refusal.headers[header] = "unknown" }
        return refusal
    }

    package static let loginOutcomeHeader = HTTPField.Name("Login-Outcome")

    /// The status line gets the standard phrase of the code.
    package var status: HTTPResponse.Status { HTTPResponse.Status(code: code) }
}

extension Refusal {
    package static let invalidJSON = Refusal(400, "BAD REQUEST. INVALID JSON")
    package static let invalidData = Refusal(400, "BAD REQUEST. INVALID DATA")
    package static let notFound = Refusal(404, "URI NOT FOUND")
}
