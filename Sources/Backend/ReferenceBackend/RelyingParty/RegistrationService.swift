// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The relying party as the RPS asks it: who may register, the mail, and who may log in. docs/protocol/milagro.md,
/// section 11.3.
struct RegistrationService: RelyingPartyService {
    let storage: BackendStorage
    let mount: ClassicMount
    let registrationPolicy: RegistrationPolicy
    let outbox: Outbox
    let clock: any WallClock

    func verify(_ registration: NewRegistration) async throws -> Bool {
        guard registrationPolicy.admits(registration.userID) else { throw Refusal(403, "This user may not register") }
        let link = ActivationLink(
            mpinID: registration.mpinID, expires: registration.expires.zonedText, activateKey: registration.activateKey,
            isAgain: try await storage.durable.isRegistered(registration.userID))
        let short = try await outbox.links.short(
            link.url(on: try await mount.url), at: mount, until: registration.expires)
        try await outbox.send(
            ActivationMail(
                confirming: registration.userID, at: mount, isAgain: link.isAgain, link: short, sent: clock.now))
        return false
    }

    /// Refuses with 410. The classic servers' documentation says 403, which classic clients take for a broken
    /// request; all of them understand 410.
    func permit(_ mpinID: MPinID, isRevoked: Bool?) async throws {
        let mayNot =
            if let isRevoked { isRevoked } else { try await storage.durable.identity(mpinID)?.isRevoked ?? false }
        if mayNot { throw Refusal(410, "Revoked") }
    }
}
