// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// Whose mail address it is. MIRACL protocol, section 7.
extension Platform {
    /// `POST /verification/email`: sends a mail with a link, or with a code to the device that already holds this user.
    /// - Throws: `PlatformRefusal` for malformed data or a user who may not register, and as long as another mail has
    ///   to wait; `Refusal` 429 and 503 when the address or all have asked for too many.
    func sendVerificationMail(_ body: JSONObject, at mount: PlatformMount) async throws -> JSONObject {
        // Devices of before 2023 name it in a header instead.
        if mount.generation != .mfaV2 { try requireProject(of: body) }
        let userID = try userID(in: body)
        guard registrationPolicy.admits(userID) else { throw PlatformRefusal.invalid("userId") }
        let now = clock.now
        let previous = mails.value(for: userID, now: now)
        if let previous, previous.next > now {
            throw PlatformRefusal(.requestBackoff, context: ["backoff": String(previous.next.seconds)])
        }
        let backoff = MailBackoff(after: previous, now: now)
        try mails.insert(
            backoff, for: userID, of: .currentNewcomer, expires: now + MailBackoff.lifetime, now: now)
        let isCode = try isHeld(body, by: userID)
        let code = UserCode(userID: userID, code: isCode ? shortCode() : try OneTimeToken.random().hex)
        try verifications.insert(
            Verification(type: .email, accessID: body.string("accessId")), for: code, of: .currentNewcomer,
            expires: now + Verification.lifetime, now: now)
        let content: ActivationMail.Content =
            isCode ? .code(code.code) : .link(code.link(below: try await mount.url))
        await outbox.send(ActivationMail(recipient: userID, siteName: site.name, content: content, sent: now))
        return JSONObject(["backoff": .integer(backoff.next.seconds), "method": isCode ? "code" : "link"])
    }

    /// A device that chooses a new PIN types a code; a new device opens the link.
    private func isHeld(_ body: JSONObject, by userID: String) throws -> Bool {
        guard let mpinID = body.string("mpinId").flatMap({ Hexadecimal.bytes($0) }) else { return false }
        return try database.lookUp { try RegisteredIdentity.find(MPinID(mpinID), in: $0) }?.userID == userID
    }

    /// `POST /verification`, by a relying party that knows its user: a link that needs no mail.
    /// - Throws: `PlatformRefusal` for malformed data.
    func makeVerificationLink(_ body: JSONObject, at mount: PlatformMount) async throws -> JSONObject {
        try requireProject(of: body)
        let userID = try userID(in: body)
        let now = clock.now
        let expires = body.integer("expiration").map { WallTime(seconds: $0) } ?? now + Verification.lifetime
        guard expires > now, expires <= now + Verification.lifetime else { throw PlatformRefusal.invalid("expiration") }
        let code = UserCode(userID: userID, code: try OneTimeToken.random().hex)
        try verifications.insert(
            Verification(type: .custom, accessID: body.string("accessId")), for: code, of: .person(userID),
            expires: expires, now: now)
        return JSONObject(["verificationURL": .string(code.link(below: try await mount.url))])
    }

    /// `POST /verification/confirmation`: the code for an activation token, once.
    /// - Throws: `PlatformRefusal` for malformed data, a code that is unknown, used, expired or another user's, and for
    ///   a short one after too many wrong tries at it.
    func confirmVerification(_ body: JSONObject) throws -> JSONObject {
        let userID = try userID(in: body)
        guard let code = body.string("code") else { throw PlatformRefusal.invalid("code") }
        let now = clock.now
        guard let verification = verifications.take(UserCode(userID: userID, code: code), now: now) else {
            throw PlatformRefusal(.unsuccessfulVerification, context: ["projectId": projectID])
        }
        let token = try OneTimeToken.random()
        let expires = now + Verification.lifetime
        try activations.insert(
            verification, for: UserCode(userID: userID, code: token.hex), of: .person(userID), expires: expires,
            now: now)
        var reply: [String: JSONValue] = [
            "actToken": .string(token.hex), "projectId": .string(projectID), "expireTime": .integer(expires.seconds),
        ]
        if let accessID = verification.accessID { reply["accessId"] = .string(accessID) }
        return JSONObject(reply)
    }

    /// What an activation token or a code from another device stands for, once.
    /// - Throws: `PlatformRefusal` when it is unknown, used, expired or another user's, or the identity that issued it
    ///   was blocked or revoked since then.
    func takeActivation(_ code: UserCode, now: WallTime) throws -> Verification {
        guard let found = activations.take(code, now: now) else { throw PlatformRefusal(.invalidActivationToken) }
        guard try found.issuer.map(isGood) ?? true else { throw PlatformRefusal(.invalidActivationToken) }
        return found
    }

    func shortCode() -> String {
        String(String(1_000_000 + Int.random(in: 0..<1_000_000, using: &generator)).dropFirst())
    }
}
