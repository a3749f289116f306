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

    /// The status line gets the standard phrase of the code.
    package var status: HTTPResponse.Status { HTTPResponse.Status(code: code) }
}

extension Refusal {
    package static let invalidJSON = Refusal(400, "BAD REQUEST. INVALID JSON")
    package static let invalidData = Refusal(400, "BAD REQUEST. INVALID DATA")
    package static let notFound = Refusal(404, "URI NOT FOUND")
}
