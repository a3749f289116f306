// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding
import MPinCrypto

// Verification of mail addresses. docs/protocol/miracl.md, section 7.

/// `POST /verification/email`.
package struct VerificationMailRequest: Sendable {
    package let userID: String
    /// The browser session in which it began.
    let accessID: String?
    /// An identity that the device holds.
    let mpinID: MPinID?

    /// - Parameter projectID: the project that the request must name; nil for devices before 2023, which name it in a
    ///   header.
    /// - Throws: `PlatformRefusal` for another project, and for an invalid user id.
    package init(_ body: JSONObject, to projectID: String?) throws(PlatformRefusal) {
        if let projectID { try body.requireProject(projectID) }
        userID = try body.userID()
        accessID = body.string("accessId")
        mpinID = body.string("mpinId").flatMap { Hexadecimal.bytes($0) }.map { MPinID($0) }
    }
}

package struct VerificationMailReply: Sendable {
    /// The time when the user may ask for another mail.
    let next: WallTime
    /// Whether the mail has a link beside its code.
    let hasLink: Bool

    /// `link` is this backend's own. Clients that do not know it ask for the code.
    package var json: JSONObject {
        JSONObject(["backoff": .integer(next.seconds), "method": "code", "link": .boolean(hasLink)])
    }
}

/// `POST /verification`, by a relying party.
package struct VerificationLinkRequest: Sendable {
    package let userID: String
    let accessID: String?
    /// The expiry; nil for the longest time.
    let expires: WallTime?

    /// - Throws: `PlatformRefusal` for another project, and for an invalid user id.
    package init(_ body: JSONObject, to projectID: String) throws(PlatformRefusal) {
        try body.requireProject(projectID)
        userID = try body.userID()
        accessID = body.string("accessId")
        expires = body.integer("expiration").map { WallTime(seconds: $0) }
    }
}

/// `POST /verification/confirmation`.
package struct ConfirmationRequest: Sendable {
    let code: UserCode

    /// - Throws: `PlatformRefusal` that names the missing or malformed field.
    package init(_ body: JSONObject) throws(PlatformRefusal) {
        let userID = try body.userID()
        guard let code = body.string("code") else { throw .invalid("code") }
        self.code = UserCode(userID: userID, code: code)
    }
}

package struct ConfirmationReply: Sendable {
    let activationToken: OneTimeToken
    package let projectID: String
    let expires: WallTime
    let accessID: String?

    package var json: JSONObject {
        var reply: [String: JSONValue] = [
            "actToken": .string(activationToken.hex), "projectId": .string(projectID),
            "expireTime": .integer(expires.seconds),
        ]
        if let accessID { reply["accessId"] = .string(accessID) }
        return JSONObject(reply)
    }
}

/// `POST /verification/quickcode`.
package struct RegistrationCodeRequest: Sendable {
    /// The web token of an authentication for a code.
    package let token: String

    /// - Throws: `PlatformRefusal` for another project.
    package init(_ body: JSONObject, to projectID: String) throws(PlatformRefusal) {
        try body.requireProject(projectID)
        token = body.string("jwt") ?? ""
    }
}

package struct RegistrationCodeReply: Sendable {
    static let lifetime = Duration.seconds(300)

    let code: String
    let expires: WallTime

    package var json: JSONObject {
        JSONObject([
            "code": .string(code), "expireTime": .integer(expires.seconds),
            "ttlSeconds": .integer(Self.lifetime.components.seconds),
        ])
    }
}

extension JSONObject {
    /// - Throws: `PlatformRefusal` for another project.
    func requireProject(_ projectID: String) throws(PlatformRefusal) {
        guard string("projectId") == projectID else { throw .invalid("projectId") }
    }

    /// - Throws: `PlatformRefusal` for a missing or invalid user id.
    func userID() throws(PlatformRefusal) -> String {
        guard let typed = string("userId"), let userID = try? UserID(registering: typed) else {
            throw .invalid("userId")
        }
        return userID.text
    }
}
