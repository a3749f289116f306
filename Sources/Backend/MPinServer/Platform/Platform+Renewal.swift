// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import MPinCrypto

/// New keys for existing identities. docs/protocol/miracl.md, section 13.
extension Platform {
    /// Returns the offer of a new key after an authentication. The old key is valid until the new one is used.
    func offerRenewal(of identity: RegisteredIdentity, now: WallTime) async throws -> NewKeyOffer {
        try await offer(
            Renewal(
                userID: identity.userID, verification: MPinIDText.verification(of: identity.mpinID) ?? .email,
                prover: identity.mpinID, replaces: identity.mpinID), now: now)
    }

    package func offer(_ renewal: Renewal, now: WallTime) async throws -> NewKeyOffer {
        let token = try OneTimeToken.random()
        try await renewals.insert(renewal, for: token, expires: now + Renewal.lifetime, now: now)
        return NewKeyOffer(token: token)
    }

    /// `POST /rps/v2/dvsregister`, before 2025: a key for the token of an authentication. An identity with a key
    /// keeps its mpin_id, because clients read no other from the reply. For one without a key a second identity is
    /// made.
    /// - Throws: `PlatformRefusal` for malformed data, an invalid token, and an identity that was blocked or revoked
    ///   since it got the token; `Refusal` 503 when a D-TA does not answer; then the token stays valid.
    package func renew(_ request: NewKeyRequest, at mount: PlatformMount) async throws -> NewKeyReply {
        let publicKey = request.publicKey
        let url = try await mount.url
        let now = clock.now
        guard let number = request.token, let renewal = try await renewals.value(for: number, now: now) else {
            throw PlatformRefusal(.invalidActivationToken)
        }
        try await requireGood(renewal.prover)
        let mpinID = try renewal.replaces ?? newMPinID(of: renewal.userID, renewal.verification, now: now)
        let identity = MPinIdentity(mpinID, publicKey: publicKey)
        let share = try await firstShare(for: identity, below: url)
        guard try await renewals.take(number, now: now) != nil else { throw PlatformRefusal(.invalidActivationToken) }
        if renewal.replaces != nil {
            // Another device of the user may have renewed it first.
            let bytes = publicKey.bytes
            guard try await storage.durable.change(mpinID, { $0.nextPublicKey = bytes }) != nil else {
                throw PlatformRefusal(.invalidActivationToken)
            }
        } else {
            try await store(identity, of: renewal.userID, replacing: nil, at: nil, now: now)
        }
        return NewKeyReply(mpinID: mpinID, projectID: projectID, pinLength: pinLength, share: share)
    }
}

/// The right of a device that has just proved its PIN to a new identity for the same user. docs/protocol/miracl.md,
/// section 13.
package struct Renewal: Codable, Sendable {
    static let lifetime = Duration.seconds(300)

    let userID: String
    let verification: VerificationType
    /// The identity that proved the PIN.
    let prover: MPinID
    /// The identity to replace; nil for a new one that signs, beside the one that logs in.
    let replaces: MPinID?
}
