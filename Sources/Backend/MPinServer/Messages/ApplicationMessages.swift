// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding

// Requests of an application on a device to its own server. docs/protocol/miracl.md, section 15.

/// The reply of `/authzurl`.
package struct AuthorizationURLReply: Sendable {
    let url: String

    package init(url: String) {
        self.url = url
    }

    package var json: JSONObject { JSONObject(["authorizeURL": .string(url)]) }
}

/// `POST /authtoken`.
package struct DeviceAdmissionRequest: Sendable {
    /// An authorization code, or a web token.
    package let code: String
    package let userID: String

    /// - Throws: `Refusal` 400 for a field that is missing.
    package init(_ body: JSONObject) throws(Refusal) {
        guard let code = body.string("code"), let named = body.string("userID") else { throw .invalidData }
        (self.code, userID) = (code, UserID.normalized(named))
    }
}

package enum DeviceAdmissionReply: Sendable {
    /// The reply to a device that came with a code.
    case accessToken(String)
    /// The reply to a device that came with a web token.
    case user(String)

    package var json: JSONObject {
        switch self {
        case .accessToken(let token): JSONObject(["accessToken": .string(token)])
        case .user(let userID): JSONObject(["userID": .string(userID)])
        }
    }
}
