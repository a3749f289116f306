// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding
import MPinCrypto

// The three requests of a login on the platform. docs/protocol/miracl.md, section 9.

package struct PlatformPassOneRequest: Sendable {
    let mpinID: MPinID
    let commitment: [UInt8]
    let scope: LoginScope
    /// The key that the device claims to have; nil for the identity's own.
    let publicKey: [UInt8]?

    /// - Throws: `PlatformRefusal` that names the first missing or malformed field.
    package init(_ body: JSONObject) throws(PlatformRefusal) {
        mpinID = try body.mpinID("mpin_id")
        commitment = try body.point("U")
        guard case .array(let scopes)? = body.members["scope"], case .string(let name)? = scopes.first,
            scopes.count == 1, let scope = LoginScope(rawValue: name)
        else { throw .invalid("scope") }
        self.scope = scope
        // Clients before 2023 send an empty field for an identity without a key.
        let text = body.string("publicKey") ?? ""
        publicKey = text.isEmpty ? nil : Hexadecimal.bytes(text) ?? []
    }
}

package struct PlatformPassOneReply: Sendable {
    let challenge: Challenge

    package var json: JSONObject { JSONObject(["y": .string(Hexadecimal.text(challenge.bytes))]) }
}

package struct PlatformPassTwoRequest: Sendable {
    let mpinID: MPinID
    let response: [UInt8]
    /// The browser session's access code; nil for a login without a session.
    let accessCode: String?

    /// - Throws: `PlatformRefusal` that names the first missing or malformed field.
    package init(_ body: JSONObject) throws(PlatformRefusal) {
        mpinID = try body.mpinID("mpin_id")
        response = try body.point("V")
        accessCode = body.string("WID").flatMap { $0.isEmpty || $0 == "0" ? nil : $0 }
    }
}

package struct PlatformPassTwoReply: Sendable {
    let authOTT: OneTimeToken

    /// The reply. `cardTimes` allows devices to name a person's card in the last request.
    package var json: JSONObject { JSONObject(["authOTT": .string(authOTT.hex), "cardTimes": true]) }
}

/// `POST /rps/v2/authenticate`.
package struct PlatformLoginRequest: Sendable {
    /// Nil for a malformed token, which is treated as unknown.
    let authOTT: OneTimeToken?
    /// Whether the application's server will ask who logged in.
    let wantsCode: Bool
    /// The personal card shown to a kiosk; nil for none.
    let card: StoredCard?

    /// - Throws: `PlatformRefusal` without an authOTT.
    package init(_ body: JSONObject) throws(PlatformRefusal) {
        guard let text = body.string("authOTT") else { throw .invalid("authOTT") }
        authOTT = OneTimeToken(text)
        wantsCode = body.flag("authzRequest") == true
        card = StoredCard(ofLogin: body)
    }
}

extension JSONObject {
    /// An mpin_id in hexadecimal.
    fileprivate func mpinID(_ name: String) throws(PlatformRefusal) -> MPinID {
        guard let mpinID = MPinID(hexadecimal: string(name)) else { throw .invalid(name) }
        return mpinID
    }

    /// A point of the curve in hexadecimal.
    fileprivate func point(_ name: String) throws(PlatformRefusal) -> [UInt8] {
        guard let bytes = string(name).flatMap({ Hexadecimal.bytes($0) }), ServerSecret.isPoint(bytes) else {
            throw .invalid(name)
        }
        return bytes
    }
}
