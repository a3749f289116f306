// SPDX-License-Identifier: Apache-2.0

extension ServerSecret {
    /// Whether `bytes` encode a point as a proof needs it: 65 bytes, in G1, not infinity. A server can so refuse
    /// malformed messages on arrival, and verify later.
    public static func isPoint(_ bytes: [UInt8]) -> Bool {
        (try? AffinePoint<G1>(decoding: bytes.span)) != nil
    }

    /// Verifies a two-pass proof: e(V, Q) e(y A + U, SS) = 1, or with a permit e(V, Q) e(y (A + AT) + UT, SS) = 1. Q is
    /// the generator of G2, or the identity's public key if it has one.
    ///
    /// - Parameters:
    ///   - u: U, 65 bytes, which must have been received before the challenge was drawn.
    ///   - ut: UT, 65 bytes, when the proof rests on a time permit; nil else.
    ///   - day: the day for which a permit is required; nil when none is. `ut` and `day` come together.
    ///   - v: V, 65 bytes.
    public func verify(
        identity: MPinIdentity, commitment u: [UInt8], ut: [UInt8]?, day: EpochDay?, challenge: Challenge,
        response v: [UInt8]
    ) -> VerificationResult {
        do throws(MPinCryptoError) {
            let proof = try ReceivedProof(
                hashed: identity.hashed, commitment: u, ut: ut, day: day, response: v)
            return try verdict(on: proof, challenge: challenge, publicKey: identity.publicKey)
        } catch {
            return .malformed(error)
        }
    }

    /// Verifies a proof against a point of G1 given by its encoding, for known answers only.
    package func verify(
        identityPoint: [UInt8], publicKey: DVSPublicKey?, commitment u: [UInt8], challenge: Challenge,
        response v: [UInt8]
    ) -> VerificationResult {
        do throws(MPinCryptoError) {
            let proof = try ReceivedProof(identityPoint: identityPoint, commitment: u, response: v)
            return try verdict(on: proof, challenge: challenge, publicKey: publicKey)
        } catch {
            return .malformed(error)
        }
    }

    private func verdict(
        on proof: ReceivedProof, challenge: Challenge, publicKey: DVSPublicKey?
    ) throws(MPinCryptoError) -> VerificationResult {
        try leftSide(of: proof, challenge: challenge, publicKey: publicKey) == .one ? .accepted : .wrongPIN
    }

    /// e(V, Q) e(y A + U, SS), or with a permit e(V, Q) e(y (A + AT) + UT, SS).
    func leftSide(
        of proof: ReceivedProof, challenge: Challenge, publicKey: DVSPublicKey?
    ) throws(MPinCryptoError) -> Fp12 {
        let ours = PreparedPair(try proof.provenPoint(challenge: challenge), prepared.value)
        guard let publicKey else { return Pairing.product(PreparedPair(proof.v, .generator), ours) }
        return Pairing.product(PlainPair(proof.v, publicKey.point), ours)
    }
}

extension ServerSecret {
    /// Verifies a one-pass proof except the age of its timestamp, which the caller bounds.
    ///
    /// - Parameter day: the day for which a permit is required; nil if none is.
    public func verify(onePass proof: OnePassProof, identity: MPinIdentity, day: EpochDay?) -> VerificationResult {
        do throws(MPinCryptoError) {
            let challenge = try Challenge(time: proof.timestamp, commitment: proof.ut ?? proof.u, message: [])
            return verify(
                identity: identity, commitment: proof.u, ut: proof.ut, day: day, challenge: challenge, response: proof.v
            )
        } catch {
            return .malformed(error)
        }
    }
}

extension ServerSecret {
    /// Verifies a signature of the SHA-256 digest of a document: e(V, Pa) e(y A + U, SS) = 1 with Pa the public key
    /// of the identity.
    public func verify(
        signature: DocumentSignature, documentHash: [UInt8], identity: MPinIdentity
    ) -> VerificationResult {
        do throws(MPinCryptoError) {
            try DocumentSignature.check(documentHash: documentHash)
            guard identity.publicKey != nil else { throw .identityWithoutPublicKey }
            let challenge = try Challenge(time: signature.timestamp, commitment: signature.u, message: documentHash)
            return verify(
                identity: identity, commitment: signature.u, ut: nil, day: nil, challenge: challenge,
                response: signature.v)
        } catch {
            return .malformed(error)
        }
    }
}

/// The server's verdict on a proof. A peer must not be able to tell the two refusals apart. Only `wrongPIN` counts
/// towards blocking an identity.
public enum VerificationResult: Equatable, Sendable {
    /// The proof holds.
    case accepted
    /// The pairing equation is false: wrong PIN, token, permit, key or identity.
    case wrongPIN
    /// An input is malformed; nothing was computed.
    case malformed(MPinCryptoError)
}
