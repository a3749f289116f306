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

    /// - Throws: `Refusal` 400 without an authOTT.
    init(_ body: JSONObject) throws(Refusal) {
        guard let text = body.object("mpinResponse")?.string("authOTT") else { throw .invalidData }
        authOTT = OneTimeToken(text)
        wantsCode = body.flag("authzRequest") == true
    }
}

/// What a device hears at the end.
enum DeviceLoginReply: Sendable {
    /// The relying party's words.
    case classic(LogoutOffer)
    /// The first platform's. The code is empty unless it was wanted.
    case platform(code: String, times: CodeTimes?)

    var json: JSONObject {
        switch self {
        case .classic(let logout):
            JSONObject(["logoutURL": .string(logout.url ?? ""), "logoutData": logout.data ?? .object([:])])
        case .platform(let code, let times):
            JSONObject(
                ["status": 200, "message": "OK", "code": .string(code)].merging(times?.members ?? [:]) { $1 })
        }
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

/// What this web site gives a device to log its browser out with, and what comes back in `POST /logout`. Milagro
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

/// `POST /authenticate` of the private listener: the relying party asks who logged in.
struct VerdictRequest: Sendable {
    /// Nil as above.
    let authOTT: OneTimeToken?
    var logout = LogoutOffer()

    init(authOTT: OneTimeToken?, logout: LogoutOffer) { (self.authOTT, self.logout) = (authOTT, logout) }

    /// - Throws: `Refusal` 400 without an authOTT.
    init(_ body: JSONObject) throws(Refusal) {
        guard let text = body.string("authOTT") else { throw .invalidData }
        authOTT = OneTimeToken(text)
        logout = LogoutOffer(data: body.members["logoutData"], url: body.string("logoutURL"))
    }
}

/// A login whose PIN was right.
struct VerdictReply: Sendable {
    let userID: String
    let mpinID: MPinID
    let oneTimePassword: String?
    /// Whether a device waits for the relying party's decision. An RPS that does not say so is told in any case, as the
    /// classic one wants to be.
    let deviceWaits: Bool

    var json: JSONObject {
        var reply: [String: JSONValue] = [
            "status": 200, "message": "Authentication successful", "userId": .string(userID),
            "mpinId": .string(Hexadecimal.text(mpinID.bytes)), "deviceWaits": .boolean(deviceWaits),
        ]
        if let oneTimePassword { reply["OTP"] = .string(oneTimePassword) }
        return JSONObject(reply)
    }

    /// What the relying party hears in its place.
    static func json(of refusal: Refusal) -> JSONObject {
        JSONObject([
            "status": .integer(Int64(refusal.code)), "message": .string(refusal.message), "userId": "", "mpinId": "",
        ])
    }
}

/// `POST /loginResult` of the private listener: the relying party's decision, which releases the device.
struct LoginDecision: Sendable {
    /// Nil as above.
    let authOTT: OneTimeToken?
    let status: Int
    var message = ""
    var logout = LogoutOffer()

    init(authOTT: OneTimeToken?, status: Int, message: String, logout: LogoutOffer) {
        (self.authOTT, self.status, self.message, self.logout) = (authOTT, status, message, logout)
    }

    /// - Throws: `Refusal` 400 for a field that is missing, and for a status that is neither 200 nor an error.
    init(_ body: JSONObject) throws(Refusal) {
        guard let text = body.string("authOTT"), let status = body.integer("status"),
            status == 200 || (400...599).contains(status)
        else { throw .invalidData }
        authOTT = OneTimeToken(text)
        self.status = Int(status)
        message = body.string("message") ?? ""
        logout = LogoutOffer(data: body.members["logoutData"], url: body.string("logoutURL"))
    }
}
