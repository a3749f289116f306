// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The dialect `mfa-v1`, as far as it is not the classic protocol. MIRACL protocol, sections 5, 8.1 and 9.4.
extension RPS {
    /// What the settings say otherwise than those of the classic protocol with time permits.
    func settings(below base: String) -> [String: JSONValue] {
        switch dialect {
        // Where the origin speaks a later dialect nobody asks the RPS.
        case .milagro, .mfaV2, .trust2023, .trust2025: [:]
        case .milagroWithoutPermits: ["usePermits": false, "timePermitsURL": ""]
        case .mfaV1:
            [
                "usePermits": false, "timePermitsURL": "",
                // Whatever a login is for: it ends at the platform, not at a web site.
                "authenticateURL": .string(base + "/authenticate"),
                // Codes are scanned, never typed.
                "accessNumberDigits": 0, "accessNumberUseCheckSum": false, "cSum": 0, "accessNumberFormat": "qr",
            ]
        }
    }

    /// The mpin_id of a new registration.
    func newMPinID(userID: String, mobile: Int64, issued: WallTime) throws -> MPinID {
        let salt = try RandomBytes.make(16)
        return dialect == .mfaV1
            ? MPinIDText.make(userID: userID, companyID: companyID, mobile: mobile, issued: issued, salt: salt)
            : MPinIDText.make(userID: userID, mobile: mobile, issued: issued, salt: salt)
    }

    /// A new registration on the platform belongs to a browser session.
    /// - Throws: `Refusal` 406 without a code, or with one of no open session.
    func requireSession(of body: JSONObject, now: WallTime) throws {
        guard dialect == .mfaV1 else { return }
        guard let accessCode = body.string("wid"), isOpen(session: accessCode, now: now) else {
            throw Refusal(406, "Client not accepted")
        }
    }

    /// What the reply to a registration says about times and, on the platform, about the customer.
    func registrationReply(expires: WallTime, now: WallTime) -> [String: JSONValue] {
        guard dialect == .mfaV1 else {
            return ["expireTime": .string(expires.zonelessText), "nowTime": .string(now.zonelessText)]
        }
        return [
            "expireTime": .integer(expires.seconds), "nowTime": .integer(now.seconds),
            "customerId": .string(companyID), "appId": .string(credentials.appID),
        ]
    }

    /// The final step of a login that no browser waits for.
    /// - Parameter wantsCode: whether the application's own server will ask who logged in.
    /// - Throws: `Refusal` 401, 410 and 429 as judged, the relying party's status for an identity that may not log in.
    func finishWithoutBrowser(_ token: LoginToken, wantsCode: Bool) async throws -> JSONObject {
        let identity = try await judge.judge(token.mpinID, isAccepted: token.isAccepted)
        try await requirePermission(of: identity.mpinID)
        let now = clock.now
        var code = ""
        if wantsCode {
            let made = try OneTimeToken.random()
            authorizationCodes.insert(identity, for: made, expires: now + LoginToken.lifetime, now: now)
            code = made.hex
        }
        var reply = Self.accepted(code: code)
        if token.otp != nil { reply.merge(LoginToken.oneTimePasswordTimes(now: now)) { $1 } }
        return JSONObject(reply)
    }

    /// The platform's word for a login that went well.
    static func accepted(code: String) -> [String: JSONValue] {
        ["status": 200, "message": "OK", "code": .string(code)]
    }

    /// `POST /authorizationCode` of the private listener: the relying party asks whose login a code stands for, once.
    /// - Throws: `Refusal` 400 without a code, 401 for one that is unknown, used or expired.
    func takeAuthorizationCode(_ body: JSONObject) throws -> JSONObject {
        guard let text = body.string("code") else { throw Refusal.invalidData }
        guard let code = OneTimeToken(text), let identity = authorizationCodes.remove(code, now: clock.now) else {
            throw Refusal(401, "Invalid or expired authorization code")
        }
        return JSONObject([
            "userId": .string(identity.userID), "mpinId": .string(Hexadecimal.text(identity.mpinID.bytes)),
        ])
    }
}
