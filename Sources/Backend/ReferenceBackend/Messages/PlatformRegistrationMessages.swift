// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

// New identities of the platform, and new keys for old ones. MIRACL protocol, sections 8 and 13.

/// `POST /registration`, from 2025 on.
struct PlatformRegistrationRequest: Sendable {
    let userID: String
    let activationToken: String
    let publicKey: DVSPublicKey

    /// - Throws: `PlatformRefusal` that names the first field that is missing or malformed.
    init(_ body: JSONObject) throws(PlatformRefusal) {
        userID = try body.userID()
        guard let token = body.string("activationToken") else { throw .invalid("activationToken") }
        activationToken = token
        publicKey = try DVSPublicKey(field: body.string("publicKey"))
    }
}

struct PlatformRegistrationReply: Sendable {
    let mpinID: MPinID
    /// Of the project: what every identity of it has in common.
    let terms: RegistrationTerms
    /// Where each half of the secret is.
    let secretURLs: [String]
    let dtas: String

    var json: JSONObject {
        let reply: [String: JSONValue] = [
            "mpinId": .string(Hexadecimal.text(mpinID.bytes)), "dtas": .string(dtas),
            "curve": .string(Platform.curve), "secretUrls": .array(secretURLs.map { .string($0) }),
        ]
        return JSONObject(reply.merging(terms.members) { $1 })
    }
}

/// The terms that a device has to know before its person chooses a PIN.
struct RegistrationTerms: Sendable {
    let projectID: String
    let pinLength: Int
    let verification: VerificationType
    let now: WallTime

    var members: [String: JSONValue] {
        [
            "projectId": .string(projectID), "pinLength": .integer(Int64(pinLength)),
            "verificationType": .string(verification.rawValue), "nowTime": .integer(now.seconds),
        ]
    }
}

/// `PUT /rps/v2/user`, before 2025.
struct RegistrationStartRequest: Sendable {
    let code: UserCode

    /// - Throws: `PlatformRefusal` that names the first field that is missing or malformed.
    init(_ body: JSONObject) throws(PlatformRefusal) {
        let userID = try body.userID()
        guard let token = body.string("activateCode") else { throw .invalid("activateCode") }
        code = UserCode(userID: userID, code: token)
    }
}

/// A registration that goes on with another request.
struct OpenRegistrationReply: Sendable {
    let mpinID: MPinID
    let regOTT: OneTimeToken
    let isActive: Bool
    let terms: RegistrationTerms
    let expires: WallTime

    /// - Parameter appID: what clients of before 2023 want besides.
    func json(appID: String? = nil) -> JSONObject {
        var reply: [String: JSONValue] = [
            "mpinId": .string(Hexadecimal.text(mpinID.bytes)), "regOTT": .string(regOTT.hex),
            "active": .boolean(isActive), "expireTime": .integer(expires.seconds),
        ]
        if let appID {
            reply["appId"] = .string(appID)
            reply["customerId"] = .string(terms.projectID)
        }
        return JSONObject(reply.merging(terms.members) { $1 })
    }
}

/// `PUT /rps/v2/user` and `PUT /rps/v2/user/{mpin_id_hex}`, before 2023.
struct MailedRegistrationRequest: Sendable {
    let userID: String
    /// The mpin_id of a registration that the client wants to go on with, and its regOTT.
    let restarting: MPinID?
    let regOTT: OneTimeToken?
    /// Of the browser session that it belongs to.
    let accessID: String?
    /// Nil where a mail has to ask.
    let code: UserCode?

    /// - Throws: `PlatformRefusal` for a user id that is none.
    init(_ body: JSONObject, restarting mpinID: MPinID? = nil) throws(PlatformRefusal) {
        userID = try body.userID()
        restarting = mpinID
        regOTT = body.string("regOTT").flatMap { OneTimeToken($0) }
        accessID = body.string("wid")
        let code = body.string("activateCode") ?? ""
        self.code = code.isEmpty ? nil : UserCode(userID: userID, code: code)
    }
}

/// `POST /rps/v2/dvsregister`, before 2025.
struct NewKeyRequest: Sendable {
    /// Nil for a text that is none, which is as good as one that is not known.
    let token: OneTimeToken?
    let publicKey: DVSPublicKey

    /// - Throws: `PlatformRefusal` that names the first field that is missing or malformed.
    init(_ body: JSONObject) throws(PlatformRefusal) {
        guard let text = body.string("dvsRegisterToken") else { throw .invalid("dvsRegisterToken") }
        token = OneTimeToken(text)
        publicKey = try DVSPublicKey(field: body.string("publicKey"))
    }
}

struct NewKeyReply: Sendable {
    let mpinID: MPinID
    let projectID: String
    let pinLength: Int
    let share: FirstShare

    var json: JSONObject {
        JSONObject(
            share.json.members.merging([
                "mpinId": .string(Hexadecimal.text(mpinID.bytes)), "projectId": .string(projectID),
                "pinLength": .integer(Int64(pinLength)),
            ]) { $1 })
    }
}

/// The first half of a secret, and where the other one is.
struct FirstShare: Sendable {
    let share: ClientSecretShare
    let secondURL: String
    let dtas: String

    /// For a key of the device's own.
    var json: JSONObject { JSONObject(members(named: "dvsClientSecretShare")) }

    /// For an identity that logs in, before 2023.
    var loginJSON: JSONObject { JSONObject(members(named: "clientSecretShare")) }

    private func members(named name: String) -> [String: JSONValue] {
        [
            name: .string(share.withBytes { Hexadecimal.text(copy(of: $0)) }), "cs2url": .string(secondURL),
            "curve": .string(Platform.curve), "dtas": .string(dtas),
        ]
    }
}

/// The answer of a platform's D-TA: one half of a secret.
struct AuthorityShareReply: Sendable {
    let share: ClientSecretShare
    /// When it was made; nil from 2023 on, where the reply is the share alone.
    let created: WallTime?

    var json: JSONObject {
        let text = JSONValue.string(share.withBytes { Hexadecimal.text(copy(of: $0)) })
        guard let created else { return JSONObject(["dvsClientSecret": text]) }
        return JSONObject([
            "clientSecret": text, "dvsClientSecret": text, "createdAt": .integer(created.seconds), "message": "OK",
            "version": .string(ProtocolVersion.current),
        ])
    }
}

extension DVSPublicKey {
    /// - Throws: `PlatformRefusal` unless `text` is a point of the right group, in hexadecimal.
    init(field text: String?) throws(PlatformRefusal) {
        guard let bytes = text.flatMap({ Hexadecimal.bytes($0) }), let publicKey = try? DVSPublicKey(bytes: bytes)
        else { throw .invalid("publicKey") }
        self = publicKey
    }
}
