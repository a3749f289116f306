// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import MPinCrypto
import Sealing

/// Registration as far as the e-mail. docs/protocol/milagro.md, sections 6.1 and 11.1.
extension RPS {
    /// `PUT /user` and `PUT /user/{mpin_id_hex}`.
    /// - Throws: `Refusal` 400 for a wrong regOTT or another user, 406 without the browser session that the dialect
    ///   wants, 429 and 503 when the address or all have begun too many, 403 for a user who may not register.
    package func register(_ request: RegistrationRequest) async throws -> RegistrationReply {
        let now = clock.now
        let expires = now + Registration.lifetime
        var registration: Registration
        let regOTT: OneTimeToken
        let isResend: Bool
        if let mpinID = request.restarting, let known = try await storage.durable.registration(of: mpinID, now: now) {
            guard let claimed = request.regOTT, Digest.equal(claimed.digest, known.regOTTDigest) else {
                throw Refusal(400, "BAD REQUEST. INVALID REGOTT")
            }
            // The user of an mpin_id never changes, so the mail must not go to another user.
            guard known.userID == request.userID else { throw Refusal(400, "BAD REQUEST. INVALID USERID") }
            registration = known
            registration.expires = expires
            regOTT = claimed
            isResend = true
        } else {
            // Unknown or expired: a new registration under a new mpin_id, which the client adopts.
            try await requireSession(request.accessCode, now: now)
            regOTT = try .random()
            let made = try newMPinID(userID: request.userID, mobile: request.mobile, issued: now)
            try await begunRegistrations.insert(true, for: made, of: .currentNewcomer, expires: expires, now: now)
            registration = Registration(
                mpinID: made, userID: request.userID, mobile: request.mobile, regOTT: regOTT,
                activateKey: activateKey(for: made, regOTT: regOTT), expires: expires)
            isResend = false
        }
        if !registration.active {
            try await sendMail(of: registration, activateKey: activateKey(for: registration.mpinID, regOTT: regOTT))
        }
        let stored = try await store(registration, isResend: isResend, now: now)
        return RegistrationReply(
            mpinID: stored.mpinID, regOTT: regOTT, isActive: stored.active, now: now, expires: expires,
            customer: dialect == .mfaV1
                ? RegistrationReply.Customer(companyID: parts.projectID, appID: credentials.appID) : nil)
    }

    /// Sends the mail that confirms a registration.
    /// - Throws: `Refusal` 403 for a user who may not register.
    private func sendMail(of registration: Registration, activateKey: String) async throws {
        guard parts.registrationPolicy.admits(registration.userID) else {
            throw Refusal(403, "This user may not register")
        }
        let link = ActivationLink(
            mpinID: registration.mpinID, expires: registration.expires.zonedText, activateKey: activateKey,
            isAgain: try await storage.durable.isRegistered(registration.userID))
        let short = try await parts.outbox.links.short(
            link.url(on: try await mount.url), at: mount, until: registration.expires)
        try await parts.outbox.send(
            ActivationMail(
                confirming: registration.userID, at: mount, isAgain: link.isAgain, link: short, sent: clock.now))
    }

    private func store(_ registration: Registration, isResend: Bool, now: WallTime) async throws -> Registration {
        if isResend {
            // The person may have confirmed the first mail meanwhile, or the device may have finished.
            let extended = try await storage.durable.change(registrationOf: registration.mpinID, now: now) {
                $0.active = $0.active || registration.active
                $0.expires = registration.expires
            }
            guard let extended else {
                throw Refusal(400, "M-Pin ID not found.")
            }
            return extended
        }
        guard try await storage.durable.add(registration, now: now) else {
            throw Refusal.waiting(503, "Too many registrations", until: nil, now)
        }
        return registration
    }

    /// Confirms a registration after the person pressed the button on the mail's page.
    /// - Returns: false for a registration that is unknown, expired or used, or another key.
    package func activate(_ link: ActivationLink) async throws -> Bool {
        let now = clock.now
        let digest = Digest.sha256(Array(link.activateKey.utf8))
        guard let known = try await storage.durable.registration(of: link.mpinID, now: now),
            Digest.equal(known.activateKeyDigest, digest)
        else { return false }
        return try await storage.durable.change(registrationOf: link.mpinID, now: now) { $0.active = true } != nil
    }

    private func activateKey(for mpinID: MPinID, regOTT: OneTimeToken) -> String {
        credentials.signature(of: Hexadecimal.text(mpinID.bytes) + regOTT.hex)
    }
}
