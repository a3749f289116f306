// SPDX-License-Identifier: Apache-2.0

import BackendValues
package import Encoding
package import MPinCrypto
import Sealing

/// Registration before 2023: the server sends the mail, and the device polls until it is confirmed.
/// docs/protocol/miracl.md, section 8.2.
extension Platform {
    /// `PUT /rps/v2/user` and `PUT /rps/v2/user/{mpin_id_hex}`.
    /// - Throws: `PlatformRefusal` 400 for malformed data or a wrong regOTT, 403 for an invalid code; `Refusal` 403
    ///   for a user who may not register, 406 without a code and an open session, 429 and 503 when the address, or
    ///   all together, have begun too many.
    package func startMailedRegistration(
        _ request: MailedRegistrationRequest, at mount: PlatformMount
    ) async throws -> OpenRegistrationReply {
        let userID = request.userID
        guard parts.registrationPolicy.admits(userID) else { throw Refusal(403, "This user may not register") }
        let url = try await mount.url
        let now = clock.now
        let expires = now + MailedRegistration.lifetime
        let known = try await continuedRegistration(request, now: now)
        let (mpinID, registration) =
            if let known { known } else { try await newRegistration(request, now: now) }
        try await mailedRegistrations.insert(
            registration, for: mpinID, of: registration.isActive ? .person(userID) : .currentNewcomer,
            expires: expires, now: now)
        if !registration.isActive {
            let link = ActivationLink(
                mpinID: mpinID, expires: expires.zonedText, activateKey: registration.activateKey,
                isAgain: try await storage.durable.isRegistered(userID))
            try await outbox.send(
                ActivationMail(
                    confirming: userID, at: mount, isAgain: link.isAgain,
                    link: try await outbox.links.short(link.url(on: url), at: mount, until: expires), sent: now))
        }
        return OpenRegistrationReply(
            mpinID: mpinID, regOTT: registration.regOTT, isActive: registration.isActive,
            terms: terms(registration.verification, now: now), expires: expires)
    }

    /// The registration that the client continues; nil for one that is unknown or has expired.
    /// - Throws: `PlatformRefusal` for a wrong regOTT, and for another user.
    private func continuedRegistration(
        _ request: MailedRegistrationRequest, now: WallTime
    ) async throws -> (MPinID, MailedRegistration)? {
        guard let mpinID = request.restarting, let known = try await mailedRegistrations.value(for: mpinID, now: now)
        else { return nil }
        guard let regOTT = request.regOTT, Digest.equal(regOTT.digest, known.regOTT.digest) else {
            throw PlatformRefusal.invalid("regOTT")
        }
        // The user of an mpin_id never changes, so the mail must not go to another user.
        guard known.userID == request.userID else { throw PlatformRefusal.invalid("userId") }
        return (mpinID, known)
    }

    /// A new registration with a new mpin_id, which the client adopts.
    /// - Throws: `PlatformRefusal` for an invalid code; `Refusal` 406 without a code and an open session.
    private func newRegistration(
        _ request: MailedRegistrationRequest, now: WallTime
    ) async throws -> (MPinID, MailedRegistration) {
        var verification = VerificationType.email
        if let code = request.code {
            // A code proves its origin, and clients since 2020 name no browser with it.
            verification = try await takeActivation(code, now: now).type
        } else {
            guard let accessID = request.accessID, try await openSession(accessID, now: now) != nil else {
                throw Refusal(406, "Client not accepted")
            }
        }
        let mpinID = try newLoginID(of: request.userID, verification, now: now)
        let regOTT = try OneTimeToken.random()
        let registration = MailedRegistration(
            userID: request.userID, regOTT: regOTT,
            activateKey: credentials.signature(of: Hexadecimal.text(mpinID.bytes) + regOTT.hex),
            verification: verification, isActive: request.code != nil)
        return (mpinID, registration)
    }

    private func newLoginID(of userID: String, _ verification: VerificationType, now: WallTime) throws -> MPinID {
        MPinIDText.make(
            userID: userID, projectID: projectID, verification: verification, scope: "auth", issued: now,
            salt: try RandomBytes.make(16))
    }

    /// Confirms a registration after the person pressed the button on the mail's page. Returns false when it was too
    /// late.
    package func activate(_ link: ActivationLink) async throws -> Bool {
        let now = clock.now
        guard let registration = try await mailedRegistrations.value(for: link.mpinID, now: now),
            Digest.equal(Array(registration.activateKey.utf8), Array(link.activateKey.utf8))
        else { return false }
        try await mailedRegistrations.update(link.mpinID, now: now) { $0.isActive = true }
        return true
    }

    /// `GET /rps/v2/signature/{mpin_id_hex}?regOTT=`: share 1, once.
    /// - Throws: `Refusal` 400 for an unknown or expired registration or a wrong regOTT, 401 before activation, 503
    ///   when a D-TA does not answer; then the registration stays open.
    package func loginSecretShare(for mpinID: MPinID, query: FormFields, at mount: PlatformMount) async throws
        -> FirstShare
    {
        let url = try await mount.url
        let now = clock.now
        guard let regOTT = query["regOTT"].flatMap({ OneTimeToken($0) }),
            let registration = try await mailedRegistrations.value(for: mpinID, now: now),
            Digest.equal(regOTT.digest, registration.regOTT.digest)
        else { throw PlatformRefusal.invalid("regOTT") }
        guard registration.isActive else { throw Refusal(401, "Identity not verified") }
        let identity = MPinIdentity(mpinID)
        let share = try await firstShare(for: identity, below: url)
        guard try await mailedRegistrations.take(mpinID, now: now) != nil else {
            throw PlatformRefusal.invalid("regOTT")
        }
        try await store(identity, of: registration.userID, replacing: nil, at: mount, now: now)
        return share
    }

    /// Makes a new secret for a device that has just proved its PIN. The old one is valid until the new one is used.
    /// docs/protocol/miracl.md, section 13.
    /// - Returns: nil when a D-TA does not answer. The login succeeds all the same, and the next one offers a new
    ///   secret again.
    func newSecret(for old: RegisteredIdentity, below url: String, now: WallTime) async throws -> NewSecret? {
        let verification = MPinIDText.verification(of: old.mpinID) ?? .email
        let identity = MPinIdentity(try newLoginID(of: old.userID, verification, now: now))
        guard let share = try? await firstShare(for: identity, below: url) else { return nil }
        try await store(identity, of: old.userID, replacing: old.mpinID, at: nil, now: now)
        return NewSecret(mpinID: identity.mpinID, share: share)
    }
}
