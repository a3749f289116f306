// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

// The final step of a login in the classic dialects, by device and by relying party. Milagro protocol, sections 7.3,
// 11.1, 11.2.

/// `POST /authenticate` of the public API by a device, `POST /mpinAuthenticate` of the web site by a page or a device.
struct DeviceLoginRequest: Sendable {
    /// Nil for a text that is none, which is as good as one that is not known.
    let authOTT: OneTimeToken?
    /// Whether the application's own server will ask who logged in.
    let wantsCode: Bool
    /// The personal card that a kiosk was shown; nil for none.
    let card: StoredCard?

    /// - Throws: `Refusal` 400 without an authOTT.
    init(_ body: JSONObject) throws(Refusal) {
        guard let text = body.object("mpinResponse")?.string("authOTT") else { throw .invalidData }
        authOTT = OneTimeToken(text)
        wantsCode = body.flag("authzRequest") == true
        card = StoredCard(ofLogin: body)
    }
}

/// The reply that a device hears at the end.
struct DeviceLoginReply: Sendable {
    enum Words: Sendable {
        /// The relying party's.
        case classic(LogoutOffer)
        /// The first platform's. The code is empty unless it was wanted.
        case platform(code: String, times: CodeTimes?)
    }

    let words: Words
    /// Nil when there were none since the login before.
    let wrongPINs: WrongPINs?

    var json: JSONObject {
        let members: [String: JSONValue] =
            switch words {
            case .classic(let logout):
                ["logoutURL": .string(logout.url ?? ""), "logoutData": logout.data ?? .object([:])]
            case .platform(let code, let times):
                ["status": 200, "message": "OK", "code": .string(code)].merging(times?.members ?? [:]) { $1 }
            }
        return JSONObject(members.merging(wrongPINs?.members ?? [:]) { $1 })
    }
}

/// How long a code counts that a person has to type somewhere, in milliseconds and seconds. Milagro protocol, section
/// 7.1.
struct CodeTimes: Sendable {
    let begins: WallTime
    let lifetime: Duration

    var members: [String: JSONValue] {
        [
            "nowTime": .integer(begins.milliseconds), "expireTime": .integer((begins + lifetime).milliseconds),
            "ttlSeconds": .integer(lifetime.components.seconds),
        ]
    }
}

/// The data that this web site gives a device to log its browser out with. It comes back in `POST /logout`. Milagro
/// protocol, section 11.3.
struct LogoutData: Sendable {
    /// Nil when the device names no user.
    var userID: String?
    /// Nil for a text that is none, which is as good as one of a session that is over.
    let sessionToken: OneTimeToken?

    init(userID: String? = nil, sessionToken: OneTimeToken) {
        (self.userID, self.sessionToken) = (userID, sessionToken)
    }

    /// - Throws: `Refusal` 400 without a token.
    init(_ body: JSONObject) throws(Refusal) {
        guard let text = body.string("sessionToken") else { throw .invalidData }
        (userID, sessionToken) = (body.string("userId"), OneTimeToken(text))
    }

    var json: JSONObject {
        var data: [String: JSONValue] = ["sessionToken": .string(sessionToken?.hex ?? "")]
        if let userID { data["userId"] = .string(userID) }
        return JSONObject(data)
    }
}

/// The relying party asks who logged in.
struct VerdictRequest: Sendable {
    /// Nil as above.
    let authOTT: OneTimeToken?
    var logout = LogoutOffer()

    init(authOTT: OneTimeToken?, logout: LogoutOffer) { (self.authOTT, self.logout) = (authOTT, logout) }
}

/// A login whose PIN was right.
struct VerdictReply: Sendable {
    let userID: String
    let mpinID: MPinID
    let oneTimePassword: String?
    /// Whether a device waits for the relying party's decision.
    let deviceWaits: Bool
}

/// The relying party's decision, which releases the device.
struct LoginDecision: Sendable {
    /// Nil as above.
    let authOTT: OneTimeToken?
    let status: Int
    var message = ""
    var logout = LogoutOffer()

    init(authOTT: OneTimeToken?, status: Int, message: String, logout: LogoutOffer) {
        (self.authOTT, self.status, self.message, self.logout) = (authOTT, status, message, logout)
    }
}
