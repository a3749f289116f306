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
        let stored: Registration
        let regOTT: OneTimeToken
        if let mpinID = request.restarting, let known = try await storage.durable.registration(of: mpinID, now: now) {
            guard let claimed = request.regOTT, Digest.equal(claimed.digest, known.regOTTDigest) else {
                throw Refusal(400, "BAD REQUEST. INVALID REGOTT")
            }
            // The user of an mpin_id never changes, so the mail must not go to another user.
            guard known.userID == request.userID else { throw Refusal(400, "BAD REQUEST. INVALID USERID") }
            regOTT = claimed
            stored = try await extend(known, until: expires, regOTT: regOTT, now: now)
        } else {
            regOTT = try .random()
            stored = try await begin(request, until: expires, regOTT: regOTT, now: now)
        }
        return RegistrationReply(
            mpinID: stored.mpinID, regOTT: regOTT, isActive: stored.active, now: now, expires: expires,
            customer: dialect == .mfaV1
                ? RegistrationReply.Customer(companyID: parts.projectID, appID: credentials.appID) : nil)
    }

    /// Starts a registration under a new mpin_id, which the client adopts.
    private func begin(
        _ request: RegistrationRequest, until expires: WallTime, regOTT: OneTimeToken, now: WallTime
    ) async throws -> Registration {
        try await requireSession(request.accessCode, now: now)
        let mpinID = try newMPinID(userID: request.userID, mobile: request.mobile, issued: now)
        try await begunRegistrations.insert(true, for: mpinID, of: .currentNewcomer, expires: expires, now: now)
        let activateKey = activateKey(for: mpinID, regOTT: regOTT)
        let registration = Registration(
            mpinID: mpinID, userID: request.userID, mobile: request.mobile, regOTT: regOTT, activateKey: activateKey,
            expires: expires)
        try await sendMail(of: registration, activateKey: activateKey)
        guard try await storage.durable.add(registration, now: now) else {
            throw Refusal.waiting(503, "Too many registrations", until: nil, now)
        }
        return registration
    }

    /// Extends a registration and, unless it was confirmed, sends its mail again.
    private func extend(
        _ known: Registration, until expires: WallTime, regOTT: OneTimeToken, now: WallTime
    ) async throws -> Registration {
        var registration = known
        registration.expires = expires
        if !known.active {
            try await sendMail(of: registration, activateKey: activateKey(for: known.mpinID, regOTT: regOTT))
        }
        // The person may have confirmed the first mail meanwhile, or the device may have finished.
        let extended = try await storage.durable.change(registrationOf: known.mpinID, now: now) {
            $0.active = $0.active || known.active
            $0.expires = expires
        }
        guard let extended else { throw Refusal(400, "M-Pin ID not found.") }
        return extended
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
