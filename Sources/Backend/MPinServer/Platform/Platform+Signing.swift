// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import MPinCrypto

/// Signatures that only the platform can verify. docs/protocol/miracl.md, section 12.
extension Platform {
    /// The largest lead of a device's clock.
    private static let clockSkew = Duration.seconds(300)

    /// `POST /dvs/verify`: certifies that a signature is right.
    /// - Throws: `PlatformRefusal` 400 for an identity that is invalid or has no key, and for invalid points, 401 for
    ///   a wrong signature, 410 for an identity that is blocked or revoked; `Refusal` 429 and 503.
    package func certify(_ submitted: SubmittedSignature) async throws -> CertificationReply {
        try await verify(submitted)
        let certificate = SignatureCertificate(documentHash: submitted.documentHash, certified: clock.now)
        return CertificationReply(certificate: try await tokens.token(certificate))
    }

    /// Takes the signature for which the session waits.
    /// - Throws: the errors of `certify`, and `PlatformRefusal` for a session that does not wait for this signature.
    func deliver(_ submitted: SubmittedSignature, to accessID: String) async throws {
        // The mpin_id names its user before the signature is checked.
        guard let session = try await openSession(accessID, now: clock.now),
            session.request.hash == Hexadecimal.text(submitted.documentHash),
            session.isFor(MPinIDText.userID(in: submitted.mpinID) ?? "")
        else { throw PlatformRefusal(.invalidAuthenticationSession) }
        let identity = try await verify(submitted)
        let signature = Base64.text(submitted.json.body)
        // Verifying may have waited, and another device may have been faster.
        let isDone = try await sessions.update(accessID, now: clock.now) {
            $0.value.sign(identity.userID, signature) ? true : nil
        }
        guard isDone != nil else { throw PlatformRefusal(.invalidAuthenticationSession) }
    }

    @discardableResult
    private func verify(_ submitted: SubmittedSignature) async throws -> RegisteredIdentity {
        let latest = (clock.now + Self.clockSkew).seconds
        guard submitted.timestamp <= latest else { throw PlatformRefusal.invalid("timestamp") }
        let mpinID = submitted.mpinID
        guard let known = try await storage.durable.identity(mpinID),
            let identity = try known.identity(claiming: submitted.publicKey), identity.publicKey != nil
        else { throw PlatformRefusal.invalid("mpinId") }
        guard !known.isRevoked else { throw PlatformRefusal(.revokedMPinID) }
        // A wrong PIN makes a wrong signature with valid points.
        guard ServerSecret.isPoint(submitted.signature.u), ServerSecret.isPoint(submitted.signature.v) else {
            throw PlatformRefusal.invalid("signature")
        }
        return try await verdict { try await $0.check(submitted, of: identity) }.identity
    }
}
