// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Encoding

// The final step of a login in the classic dialects, by device and by relying party. docs/protocol/milagro.md, sections
// 7.3, 11.1, 11.2.

/// `POST /authenticate` of the RPS by a device, `POST /mpinAuthenticate` of the web site by a page or a device.
package struct DeviceLoginRequest: Sendable {
    /// Nil for a malformed token, which is treated as unknown.
    package let authOTT: OneTimeToken?
    /// Whether the application's server will ask who logged in.
    let wantsCode: Bool
    /// The personal card shown to a kiosk; nil for none.
    let card: StoredCard?

    /// - Throws: `Refusal` 400 without an authOTT.
    package init(_ body: JSONObject) throws(Refusal) {
        guard let text = body.object("mpinResponse")?.string("authOTT") else { throw .invalidData }
        authOTT = OneTimeToken(text)
        wantsCode = body.flag("authzRequest") == true
        card = StoredCard(ofLogin: body)
    }
}

/// The final reply to a device.
package struct DeviceLoginReply: Sendable {
    enum Form: Sendable {
        case classic(LogoutData, url: String)
        /// The reply in `mfa-v1`. The code is empty unless the device wanted one.
        case platform(code: String, times: CodeTimes?)
        /// The reply of the web site to a login without a page. A client that asked for a one-time password gets its
        /// lifetime, and nothing else.
        case site(String, times: CodeTimes?)
    }

    let form: Form
    /// Nil when there were none since the previous login.
    let wrongPINs: WrongPINs?

    package var json: JSONObject {
        let members: [String: JSONValue] =
            switch form {
            case .classic(let logout, let url):
                ["logoutURL": .string(url), "logoutData": .object(logout.json.members)]
            case .platform(let code, let times):
                ["status": 200, "message": "OK", "code": .string(code)].merging(times?.members ?? [:]) { $1 }
            case .site(let userID, let times): times?.members ?? ["userId": .string(userID)]
            }
        return JSONObject(members.merging(wrongPINs?.members ?? [:]) { $1 })
    }
}

/// The lifetime of a code that a person types elsewhere, in milliseconds and seconds. docs/protocol/milagro.md, section
/// 7.1.
package struct CodeTimes: Sendable {
    package let begins: WallTime
    let lifetime: Duration

    package var members: [String: JSONValue] {
        [
            "nowTime": .integer(begins.milliseconds), "expireTime": .integer((begins + lifetime).milliseconds),
            "ttlSeconds": .integer(lifetime.components.seconds),
        ]
    }
}

/// The data with which a device can log its browser out. This web site makes it, and gets it back in `POST /logout`.
/// docs/protocol/milagro.md, section 11.3.
package struct LogoutData: Sendable {
    /// Nil when the device names no user.
    package var userID: String?
    /// Nil for a malformed token, which is treated as that of a session that is over.
    package let sessionToken: OneTimeToken?

    package init(userID: String? = nil, sessionToken: OneTimeToken) {
        (self.userID, self.sessionToken) = (userID, sessionToken)
    }

    /// - Throws: `Refusal` 400 without a token.
    package init(_ body: JSONObject) throws(Refusal) {
        guard let text = body.string("sessionToken") else { throw .invalidData }
        (userID, sessionToken) = (body.string("userId"), OneTimeToken(text))
    }

    package var json: JSONObject {
        var data: [String: JSONValue] = ["sessionToken": .string(sessionToken?.hex ?? "")]
        if let userID { data["userId"] = .string(userID) }
        return JSONObject(data)
    }
}
