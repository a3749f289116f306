// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// Registration as far as the e-mail. Milagro protocol, sections 6.1 and 11.1.
extension RPS {
    /// `PUT /user` and `PUT /user/{mpin_id_hex}`.
    /// - Parameter restarting: the mpin_id of a registration that the client wants to go on with.
    /// - Throws: `Refusal` 400 for malformed data or a wrong regOTT, 406 without the browser session that the dialect wants,
    ///   429 and 503 when the address or all have begun too many, the relying party's own 4xx, 502 when it fails.
    func register(_ body: JSONObject, restarting mpinID: MPinID?) async throws -> JSONObject {
        let userID: String
        do { userID = try UserID(body.string("userId") ?? "").text } catch {
            throw Refusal(400, "BAD REQUEST. INVALID USERID: \(error)")
        }
        let mobile: Int64 = body.flag("mobile") == true ? 1 : 0
        let now = clock.now
        let expires = now + Registration.lifetime
        var registration: Registration
        let regOTT: OneTimeToken
        let isResend: Bool
        if let mpinID, let known = try database.lookUp({ try Registration.find(mpinID, in: $0, now: now) }) {
            guard let claimed = body.string("regOTT").flatMap({ OneTimeToken($0) }),
                Digest.equal(claimed.digest, known.regOTTDigest)
            else { throw Refusal(400, "BAD REQUEST. INVALID REGOTT") }
            // The mpin_id names its user for good: the mail must not go to somebody else.
            guard known.userID == userID else { throw Refusal(400, "BAD REQUEST. INVALID USERID") }
            registration = known
            registration.expires = expires.milliseconds
            regOTT = claimed
            isResend = true
        } else {
            // Unknown or expired: a new registration under a new mpin_id, which the client adopts.
            try requireSession(of: body, now: now)
            regOTT = try .random()
            let made = try newMPinID(userID: userID, mobile: mobile, issued: now)
            try begunRegistrations.insert(true, for: made, of: .currentNewcomer, expires: expires, now: now)
            registration = Registration(
                mpinID: made, userID: userID, mobile: mobile, regOTT: regOTT,
                activateKey: activateKey(for: made, regOTT: regOTT), expires: expires)
            isResend = false
        }
        if !registration.active {
            registration.active = try await askRelyingParty(
                about: registration, regOTT: regOTT, isResend: isResend, deviceName: body.string("deviceName") ?? "",
                userData: body.string("userData") ?? "", expires: expires)
        }
        let asked = registration
        let stored = try await database.write { database in
            var stored = asked
            if isResend {
                // The person may have confirmed the first mail meanwhile, or the device may have finished.
                guard let current = try Registration.find(MPinID(asked.mpinID), in: database, now: now) else {
                    throw Refusal(400, "M-Pin ID not found.")
                }
                stored.active = asked.active || current.active
            } else if try Registration.count(in: database, now: now) >= Registration.capacity {
                // The oldest belongs to a person who has a mail to answer.
                throw Refusal.waiting(503, "Too many registrations", until: nil, now)
            }
            try stored.store(in: database, now: now)
            return stored
        }
        let reply: [String: JSONValue] = [
            "mpinId": .string(Hexadecimal.text(stored.mpinID)), "regOTT": .string(regOTT.hex),
            "active": .boolean(stored.active),
        ]
        return JSONObject(reply.merging(registrationReply(expires: expires, now: now)) { $1 })
    }

    /// `POST /user/{mpin_id_hex}` of the private listener: the person followed the link in the mail.
    /// - Throws: `Refusal` 400 without a key, 401 for a registration that is unknown, expired or used, or another key.
    func activate(_ mpinID: MPinID, _ body: JSONObject) async throws {
        guard let activateKey = body.string("activateKey") else { throw Refusal.invalidData }
        let now = clock.now
        let digest = Digest.sha256(Array(activateKey.utf8))
        let isActivated = try await database.write { database in
            guard let known = try Registration.find(mpinID, in: database, now: now),
                Digest.equal(known.activateKeyDigest, digest)
            else { return false }
            try Registration.activate(mpinID, in: database)
            return true
        }
        guard isActivated else { throw Refusal(401, "Invalid or expired activation") }
    }

    /// Asks whether the user may register and lets the mail be sent; true when no mail is needed.
    private func askRelyingParty(
        about registration: Registration, regOTT: OneTimeToken, isResend: Bool, deviceName: String, userData: String,
        expires: WallTime
    ) async throws -> Bool {
        let mpinID = MPinID(registration.mpinID)
        let reply = try await relyingParty.post(
            "/mpinVerify",
            JSONObject([
                "userId": .string(registration.userID), "mpinId": .string(Hexadecimal.text(mpinID.bytes)),
                "mobile": .integer(registration.mobile),
                "activateKey": .string(activateKey(for: mpinID, regOTT: regOTT)),
                "expireTime": .string(expires.zonedText), "resend": .boolean(isResend),
                "deviceName": .string(deviceName), "userData": .string(userData),
            ]))
        switch reply.status {
        case 200: return reply.object?.flag("forceActivate") ?? false
        case 400..<500: throw Refusal(reply.status, "Registration refused")
        default: throw Refusal(502, "The relying party failed")
        }
    }

    private func activateKey(for mpinID: MPinID, regOTT: OneTimeToken) -> String {
        credentials.signature(of: Hexadecimal.text(mpinID.bytes) + regOTT.hex)
    }
}
