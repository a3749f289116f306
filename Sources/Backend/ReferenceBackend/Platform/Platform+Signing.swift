// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import WebTokens

/// Signatures that only the platform can verify. MIRACL protocol, section 12.
extension Platform {
    /// The clock of a device may be ahead by this much.
    private static let clockSkew = Duration.seconds(300)

    /// `POST /dvs/verify`: a certificate that a signature is good.
    /// - Throws: `PlatformRefusal` 400 for an identity that is none or has no key, and for points that are none, 401
    ///   for a signature that is wrong, 410 for an identity that is blocked or revoked; `Refusal` 429 and 503.
    func certify(_ submitted: SubmittedSignature) async throws -> CertificationReply {
        try await verify(submitted)
        let certificate = SignatureCertificate(documentHash: submitted.documentHash, certified: clock.now)
        return CertificationReply(certificate: try await tokens.token(certificate))
    }

    /// The device delivers what the session waits for.
    /// - Throws: as `certify`, and for a session that does not wait for this signature.
    func deliver(_ submitted: SubmittedSignature, to accessID: String) async throws {
        guard let session = try await openSession(accessID, now: clock.now),
            session.hash == Hexadecimal.text(submitted.documentHash)
        else { throw PlatformRefusal(.invalidAuthenticationSession) }
        // Whom an mpin_id is of is known before its signature is judged.
        guard session.isFor(MPinIDText.userID(in: submitted.mpinID) ?? "") else {
            throw PlatformRefusal(.invalidAuthenticationSession)
        }
        let identity = try await verify(submitted)
        let signature = Base64.text(submitted.json.body)
        let isDone = try await sessions.update(accessID, now: clock.now) { session in
            // Verifying may have waited, and another device may have been faster.
            guard session.authenticatedUser == nil else { return false }
            session.authenticatedUser = identity.userID
            session.signature = signature
            return true
        }
        guard isDone == true else { throw PlatformRefusal(.invalidAuthenticationSession) }
    }

    @discardableResult
    private func verify(_ submitted: SubmittedSignature) async throws -> RegisteredIdentity {
        let latest = (clock.now + Self.clockSkew).seconds
        guard submitted.timestamp <= latest else { throw PlatformRefusal.invalid("timestamp") }
        let mpinID = submitted.mpinID
        guard let known = try await storage.durable.standing(of: mpinID),
            let identity = try known.identity.identity(claiming: submitted.publicKey), identity.publicKey != nil
        else { throw PlatformRefusal.invalid("mpinId") }
        guard !known.isRevoked else { throw PlatformRefusal(.revokedMPinID) }
        // A wrong PIN makes a wrong signature of sound points.
        guard ServerSecret.isPoint(submitted.signature.u), ServerSecret.isPoint(submitted.signature.v) else {
            throw PlatformRefusal.invalid("signature")
        }
        return try await verdict { try await $0.judge(submitted, of: identity) }.identity
    }
}
