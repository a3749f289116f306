// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding
package import MPinCrypto

// New identities of the platform, and new keys for existing ones. docs/protocol/miracl.md, sections 8 and 13.

/// `POST /registration`, since 2025.
package struct PlatformRegistrationRequest: Sendable {
    package let userID: String
    let activationToken: String
    let publicKey: DVSPublicKey

    /// - Throws: `PlatformRefusal` that names the first missing or malformed field.
    package init(_ body: JSONObject) throws(PlatformRefusal) {
        userID = try body.userID()
        guard let token = body.string("activationToken") else { throw .invalid("activationToken") }
        activationToken = token
        publicKey = try DVSPublicKey(field: body.string("publicKey"))
    }
}

package struct PlatformRegistrationReply: Sendable {
    let mpinID: MPinID
    /// The project's terms, the same for each of its identities.
    let terms: RegistrationTerms
    /// The addresses of the two halves of the secret.
    let secretURLs: [String]
    let dtas: String

    package var json: JSONObject {
        let reply: [String: JSONValue] = [
            "mpinId": .string(Hexadecimal.text(mpinID.bytes)), "dtas": .string(dtas),
            "curve": .string(Platform.curve), "secretUrls": .array(secretURLs.map { .string($0) }),
        ]
        return JSONObject(reply.merging(terms.members) { $1 })
    }
}

/// The terms that a device must know before its person chooses a PIN.
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
package struct RegistrationStartRequest: Sendable {
    let code: UserCode

    /// - Throws: `PlatformRefusal` that names the first missing or malformed field.
    package init(_ body: JSONObject) throws(PlatformRefusal) {
        let userID = try body.userID()
        guard let token = body.string("activateCode") else { throw .invalid("activateCode") }
        code = UserCode(userID: userID, code: token)
    }
}

/// A registration that another request continues.
package struct OpenRegistrationReply: Sendable {
    let mpinID: MPinID
    let regOTT: OneTimeToken
    let isActive: Bool
    let terms: RegistrationTerms
    let expires: WallTime

    /// - Parameter appID: a field for clients before 2023.
    package func json(appID: String? = nil) -> JSONObject {
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
package struct MailedRegistrationRequest: Sendable {
    package let userID: String
    /// The mpin_id of a registration that the client continues, and its regOTT.
    let restarting: MPinID?
    let regOTT: OneTimeToken?
    /// The browser session of the registration.
    let accessID: String?
    /// Nil when a mail has to confirm.
    let code: UserCode?

    /// - Throws: `PlatformRefusal` for an invalid user id.
    package init(_ body: JSONObject, restarting mpinID: MPinID? = nil) throws(PlatformRefusal) {
        userID = try body.userID()
        restarting = mpinID
        regOTT = body.string("regOTT").flatMap { OneTimeToken($0) }
        accessID = body.string("wid")
        let code = body.string("activateCode") ?? ""
        self.code = code.isEmpty ? nil : UserCode(userID: userID, code: code)
    }
}

/// `POST /rps/v2/dvsregister`, before 2025.
package struct NewKeyRequest: Sendable {
    /// Nil for a malformed token, which is treated as unknown.
    package let token: OneTimeToken?
    let publicKey: DVSPublicKey

    /// - Throws: `PlatformRefusal` that names the first missing or malformed field.
    package init(_ body: JSONObject) throws(PlatformRefusal) {
        guard let text = body.string("dvsRegisterToken") else { throw .invalid("dvsRegisterToken") }
        token = OneTimeToken(text)
        publicKey = try DVSPublicKey(field: body.string("publicKey"))
    }
}

package struct NewKeyReply: Sendable {
    let mpinID: MPinID
    package let projectID: String
    let pinLength: Int
    let share: FirstShare

    package var json: JSONObject {
        JSONObject(
            share.json.members.merging([
                "mpinId": .string(Hexadecimal.text(mpinID.bytes)), "projectId": .string(projectID),
                "pinLength": .integer(Int64(pinLength)),
            ]) { $1 })
    }
}

/// The first half of a secret, and the address of the other half.
package struct FirstShare: Sendable {
    let share: ClientSecretShare
    let secondURL: String
    let dtas: String

    /// The reply for a device's own key.
    package var json: JSONObject { JSONObject(members(named: "dvsClientSecretShare")) }

    /// The reply for an identity that logs in, before 2023.
    package var loginJSON: JSONObject { JSONObject(members(named: "clientSecretShare")) }

    private func members(named name: String) -> [String: JSONValue] {
        [
            name: .string(share.withBytes { Hexadecimal.text(copy(of: $0)) }), "cs2url": .string(secondURL),
            "curve": .string(Platform.curve), "dtas": .string(dtas),
        ]
    }
}

/// The reply of a platform's D-TA: one half of a secret.
package struct AuthorityShareReply: Sendable {
    let share: ClientSecretShare
    /// The time of creation; nil since 2023, where the reply is the share alone.
    let created: WallTime?

    package init(share: ClientSecretShare, created: WallTime?) {
        self.share = share
        self.created = created
    }

    package var json: JSONObject {
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
