// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import MPinCrypto
import Sealing

/// Half of the client secret and half of the time permit. docs/protocol/milagro.md, sections 5, 6.2 and 11.1.
extension RPS {
    /// `GET /signature/{mpin_id_hex}?regOTT=`. It works once: afterwards the registration is an identity.
    /// - Throws: `Refusal` 400 for an unknown or expired registration or a wrong regOTT, 401 before activation, 503
    ///   when a D-TA does not answer: the registration stays open then.
    package func clientSecretShare(for mpinID: MPinID, regOTT: OneTimeToken?) async throws -> ClientSecretShareReply {
        let now = clock.now
        let unknown = Refusal(400, "M-Pin ID not found.")
        // A wrong regOTT changes nothing: who knows only the mpin_id must not be able to end a registration.
        guard let regOTT, let known = try await storage.durable.registration(of: mpinID, now: now),
            Digest.equal(known.regOTTDigest, regOTT.digest)
        else { throw unknown }
        guard known.active else { throw Refusal(401, "Identity not verified") }
        let identity = MPinIdentity(mpinID).hashed
        try await authorities.second.requireAnswer()
        let share = try await authorities.first.clientSecretShare(for: identity)
        let registered = RegisteredIdentity(mpinID: mpinID, userID: known.userID, registered: now)
        guard try await storage.durable.finishRegistration(as: registered, now: now) else { throw unknown }
        return ClientSecretShareReply(
            share: share,
            query: authorities.second.requests.clientSecretQuery(for: identity, mobile: known.mobile, now: clock.now))
    }

    /// `GET /timePermit/{mpin_id_hex}`: the gate that a revoked identity does not pass.
    /// - Throws: `Refusal` 404 for an identity that was never registered here, 410 for a revoked one, 503 when a D-TA
    ///   does not answer.
    package func timePermitShare(for mpinID: MPinID) async throws -> TimePermitShareReply {
        guard let known = try await storage.durable.identity(mpinID), known.isClassic else {
            throw Refusal(404, "Unknown identity")
        }
        try known.requirePermission()
        try authorities.second.requireSameHalf()
        let identity = MPinIdentity(mpinID).hashed
        let day = try clock.now.day
        return TimePermitShareReply(
            share: try await authorities.first.timePermitShare(for: identity, on: day), day: day,
            signature: authorities.second.requests.timePermitSignature(for: identity, on: day),
            identity: identity)
    }
}
