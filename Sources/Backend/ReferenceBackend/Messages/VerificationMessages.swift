// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

// Whose mail address it is. MIRACL protocol, section 7.

/// `POST /verification/email`.
struct VerificationMailRequest: Sendable {
    let userID: String
    /// The browser session that it began in.
    let accessID: String?
    /// An identity that the device holds.
    let mpinID: MPinID?

    /// - Parameter projectID: what the request has to name; nil for devices of before 2023, which name it in a header.
    /// - Throws: `PlatformRefusal` for another project, and for a user id that is none.
    init(_ body: JSONObject, to projectID: String?) throws(PlatformRefusal) {
        if let projectID { try body.requireProject(projectID) }
        userID = try body.userID()
        accessID = body.string("accessId")
        mpinID = body.string("mpinId").flatMap { Hexadecimal.bytes($0) }.map { MPinID($0) }
    }
}

struct VerificationMailReply: Sendable {
    /// When the user may ask for another one.
    let next: WallTime
    let isCode: Bool

    var json: JSONObject {
        JSONObject(["backoff": .integer(next.seconds), "method": isCode ? "code" : "link"])
    }
}

/// `POST /verification`, by a relying party.
struct VerificationLinkRequest: Sendable {
    let userID: String
    let accessID: String?
    /// Nil for the longest time.
    let expires: WallTime?

    /// - Throws: `PlatformRefusal` for another project, and for a user id that is none.
    init(_ body: JSONObject, to projectID: String) throws(PlatformRefusal) {
        try body.requireProject(projectID)
        userID = try body.userID()
        accessID = body.string("accessId")
        expires = body.integer("expiration").map { WallTime(seconds: $0) }
    }
}

/// `POST /verification/confirmation`.
struct ConfirmationRequest: Sendable {
    let code: UserCode

    /// - Throws: `PlatformRefusal` that names the field that is missing or malformed.
    init(_ body: JSONObject) throws(PlatformRefusal) {
        let userID = try body.userID()
        guard let code = body.string("code") else { throw .invalid("code") }
        self.code = UserCode(userID: userID, code: code)
    }
}

struct ConfirmationReply: Sendable {
    let activationToken: OneTimeToken
    let projectID: String
    let expires: WallTime
    let accessID: String?

    var json: JSONObject {
        var reply: [String: JSONValue] = [
            "actToken": .string(activationToken.hex), "projectId": .string(projectID),
            "expireTime": .integer(expires.seconds),
        ]
        if let accessID { reply["accessId"] = .string(accessID) }
        return JSONObject(reply)
    }
}

/// `POST /verification/quickcode`.
struct QuickCodeRequest: Sendable {
    /// The web token that an authentication for a code gave.
    let token: String

    /// - Throws: `PlatformRefusal` for another project.
    init(_ body: JSONObject, to projectID: String) throws(PlatformRefusal) {
        try body.requireProject(projectID)
        token = body.string("jwt") ?? ""
    }
}

struct QuickCodeReply: Sendable {
    static let lifetime = Duration.seconds(300)

    let code: String
    let expires: WallTime

    var json: JSONObject {
        JSONObject([
            "code": .string(code), "expireTime": .integer(expires.seconds),
            "ttlSeconds": .integer(Self.lifetime.components.seconds),
        ])
    }
}

extension JSONObject {
    /// - Throws: `PlatformRefusal` for another project than this one.
    func requireProject(_ projectID: String) throws(PlatformRefusal) {
        guard string("projectId") == projectID else { throw .invalid("projectId") }
    }

    /// - Throws: `PlatformRefusal` for a user id that is missing or none.
    func userID() throws(PlatformRefusal) -> String {
        guard let typed = string("userId"), let userID = try? UserID(registering: typed) else {
            throw .invalid("userId")
        }
        return userID.text
    }
}
