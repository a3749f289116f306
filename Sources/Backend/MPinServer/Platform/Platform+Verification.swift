// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto

/// Verifies mail addresses. docs/protocol/miracl.md, section 7.
extension Platform {
    /// `POST /verification/email`: mails a code to type and a link beside it. A device that already has an identity of
    /// this user gets the code alone: its person stands before it.
    /// - Throws: `PlatformRefusal` for a user who may not register, and while the user has to wait for another mail;
    ///   `Refusal` 429 and 503 when the address, or all together, have asked for too many.
    package func sendVerificationMail(
        _ request: VerificationMailRequest, at mount: PlatformMount
    ) async throws -> VerificationMailReply {
        let userID = request.userID
        guard parts.registrationPolicy.admits(userID) else { throw PlatformRefusal.invalid("userId") }
        let now = clock.now
        let previous = try await mails.value(for: userID, now: now)
        if let previous, previous.holds(at: now) {
            throw PlatformRefusal(.requestBackoff, context: ["backoff": String(previous.next.seconds)])
        }
        let backoff = MailBackoff(after: previous, now: now)
        try await mails.insert(
            backoff, for: userID, of: .currentNewcomer, expires: now + MailBackoff.lifetime, now: now)
        // More digits than others have: anybody may ask for a mail in anybody's name, and guess.
        let code = UserCode(userID: userID, code: .randomDigits(UserCode.shortDigits))
        let expires = now + Verification.lifetime
        // The short link's token is the long code, so that a person at a terminal can enter either link.
        let token = try await isHeld(request.mpinID, by: userID) ? nil : try MailLinks.newToken()
        try await verifications.insert(
            Verification(type: .email, accessID: request.accessID), for: code, link: token, of: .currentNewcomer,
            expires: expires, now: now)
        var confirmation = ActivationMail.Confirmation(.newPIN, code: code.code)
        if let token {
            let long = UserCode(userID: userID, code: token).link(below: try await mount.url)
            confirmation.link = try await outbox.links.short(long, at: mount, token: token, until: expires)
            confirmation.occasion = try await storage.durable.isRegistered(userID) ? .again : .registration
        }
        try await outbox.send(
            ActivationMail(recipient: userID, siteName: site.name, content: .confirmation(confirmation), sent: now))
        return VerificationMailReply(next: backoff.next, hasLink: token != nil)
    }

    /// The content of the page behind a verification's link: it changes nothing.
    /// - Returns: nil for a link that is unknown, used or expired.
    package func page(behind link: UserCode) async throws -> VerificationPage? {
        let now = clock.now
        if let code = try await verifications.shortCode(beside: link, now: now) {
            return VerificationPage(link: link, typedCode: code)
        }
        return try await verifications.hasLong(link, now: now) ? VerificationPage(link: link, typedCode: nil) : nil
    }

    /// Whether the device has an identity of this user: then its person chooses a new PIN.
    private func isHeld(_ mpinID: MPinID?, by userID: String) async throws -> Bool {
        guard let mpinID else { return false }
        return try await storage.durable.identity(mpinID)?.userID == userID
    }

    /// `POST /verification`, by a relying party that knows its user: a link without a mail.
    /// - Returns: the link.
    /// - Throws: `PlatformRefusal` for an expiry in the past or too far away.
    package func makeVerificationLink(
        _ request: VerificationLinkRequest, at mount: PlatformMount
    ) async throws -> String {
        let userID = request.userID
        let now = clock.now
        let expires = request.expires ?? now + Verification.lifetime
        guard expires > now, expires <= now + Verification.lifetime else { throw PlatformRefusal.invalid("expiration") }
        let code = UserCode(userID: userID, code: try MailLinks.newToken())
        try await verifications.insert(
            Verification(type: .custom, accessID: request.accessID), for: code, of: .person(userID),
            expires: expires, now: now)
        return code.link(below: try await mount.url)
    }

    /// `POST /verification/confirmation`: exchanges the code for an activation token, once.
    /// - Throws: `PlatformRefusal` for a code that is unknown, used, expired or another user's, and for a short one
    ///   after too many wrong attempts.
    package func confirmVerification(_ request: ConfirmationRequest) async throws -> ConfirmationReply {
        let userID = request.code.userID
        let now = clock.now
        guard let verification = try await verifications.take(request.code, now: now) else {
            throw PlatformRefusal(.unsuccessfulVerification, context: ["projectId": projectID])
        }
        let token = try OneTimeToken.random()
        let expires = now + Verification.lifetime
        try await activations.insert(
            verification, for: UserCode(userID: userID, code: token.hex), of: .person(userID), expires: expires,
            now: now)
        return ConfirmationReply(
            activationToken: token, projectID: projectID, expires: expires, accessID: verification.accessID)
    }

    /// Returns the verification behind an activation token or a registration code, once.
    /// - Throws: `PlatformRefusal` when it is unknown, used, expired or another user's, or its issuer was blocked or
    ///   revoked since.
    func takeActivation(_ code: UserCode, now: WallTime) async throws -> Verification {
        guard let found = try await activations.take(code, now: now) else {
            throw PlatformRefusal(.invalidActivationToken)
        }
        if let issuer = found.issuer, try await !isGood(issuer) { throw PlatformRefusal(.invalidActivationToken) }
        return found
    }

    /// A code that a person's own device made.
    func shortCode() -> String { .randomDigits(6) }
}

/// The page behind a verification's link.
package struct VerificationPage: Sendable {
    package let link: UserCode
    /// The code to type instead; nil where the mail has none.
    package let typedCode: String?
}
