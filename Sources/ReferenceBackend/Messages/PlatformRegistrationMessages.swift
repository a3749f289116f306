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

extension DVSPublicKey {
    /// - Throws: `PlatformRefusal` unless `text` is a point of the right group, in hexadecimal.
    init(field text: String?) throws(PlatformRefusal) {
        guard let bytes = text.flatMap({ Hexadecimal.bytes($0) }), let publicKey = try? DVSPublicKey(bytes: bytes)
        else { throw .invalid("publicKey") }
        self = publicKey
    }
}
