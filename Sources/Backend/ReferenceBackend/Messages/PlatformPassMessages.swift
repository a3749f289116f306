// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

// The three requests of a login on the platform. MIRACL protocol, section 9.

struct PlatformPassOneRequest: Sendable {
    let mpinID: MPinID
    let commitment: [UInt8]
    let scope: LoginScope
    /// The key that the device says it has; nil is the identity's own.
    let publicKey: [UInt8]?

    /// - Throws: `PlatformRefusal` that names the first field that is missing or malformed.
    init(_ body: JSONObject) throws(PlatformRefusal) {
        mpinID = try body.mpinID("mpin_id")
        commitment = try body.point("U")
        guard case .array(let scopes)? = body.members["scope"], case .string(let name)? = scopes.first,
            scopes.count == 1, let scope = LoginScope(rawValue: name)
        else { throw .invalid("scope") }
        self.scope = scope
        // Clients before 2023 send an empty one for an identity that has none.
        let text = body.string("publicKey") ?? ""
        publicKey = text.isEmpty ? nil : Hexadecimal.bytes(text) ?? []
    }
}

struct PlatformPassOneReply: Sendable {
    let challenge: Challenge

    var json: JSONObject { JSONObject(["y": .string(Hexadecimal.text(challenge.bytes))]) }
}

struct PlatformPassTwoRequest: Sendable {
    let mpinID: MPinID
    let response: [UInt8]
    /// Of the browser's session; nil for a login without one.
    let accessCode: String?

    /// - Throws: `PlatformRefusal` that names the first field that is missing or malformed.
    init(_ body: JSONObject) throws(PlatformRefusal) {
        mpinID = try body.mpinID("mpin_id")
        response = try body.point("V")
        accessCode = body.string("WID").flatMap { $0.isEmpty || $0 == "0" ? nil : $0 }
    }
}

struct PlatformPassTwoReply: Sendable {
    let authOTT: OneTimeToken

    /// Devices learn here that the last request may say with which card a person came.
    var json: JSONObject { JSONObject(["authOTT": .string(authOTT.hex), "cardTimes": true]) }
}

/// `POST /rps/v2/authenticate`.
struct PlatformLoginRequest: Sendable {
    /// Nil for a text that is none, which is as good as one that is not known.
    let authOTT: OneTimeToken?
    /// Whether the application's own server will ask who logged in.
    let wantsCode: Bool
    /// The personal card that a kiosk was shown; nil for none.
    let card: StoredCard?

    /// - Throws: `PlatformRefusal` without an authOTT.
    init(_ body: JSONObject) throws(PlatformRefusal) {
        guard let text = body.string("authOTT") else { throw .invalid("authOTT") }
        authOTT = OneTimeToken(text)
        wantsCode = body.flag("authzRequest") == true
        card = StoredCard(ofLogin: body)
    }
}

extension JSONObject {
    /// An mpin_id in hexadecimal.
    fileprivate func mpinID(_ name: String) throws(PlatformRefusal) -> MPinID {
        guard let bytes = string(name).flatMap({ Hexadecimal.bytes($0) }), (1...4096).contains(bytes.count) else {
            throw .invalid(name)
        }
        return MPinID(bytes)
    }

    /// A point of the curve in hexadecimal.
    fileprivate func point(_ name: String) throws(PlatformRefusal) -> [UInt8] {
        guard let bytes = string(name).flatMap({ Hexadecimal.bytes($0) }), ServerSecret.isPoint(bytes) else {
            throw .invalid(name)
        }
        return bytes
    }
}
