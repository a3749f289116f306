// SPDX-License-Identifier: Apache-2.0

extension ServerSecret {
    /// Whether `bytes` encode a point as a proof needs it: 65 bytes, in G1, not infinity. A server can so refuse
    /// malformed messages on arrival, and verify later.
    public static func isPoint(_ bytes: [UInt8]) -> Bool {
        (try? AffinePoint<G1>(decoding: bytes.span)) != nil
    }

    /// Verifies a two-pass proof: e(V, Q) e(y A + U, SS) = 1, or with a permit e(V, Q) e(y (A + AT) + UT, SS) = 1. Q is
    /// the generator of G2, or the identity's public key if it has one.
    public func verify(_ proof: TwoPassProof) -> VerificationResult {
        do throws(MPinCryptoError) {
            return try verdict(on: ReceivedProof(proof))
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
            let proof = try ReceivedProof(
                identityPoint: identityPoint, publicKey: publicKey, commitment: u, challenge: challenge, response: v)
            return try verdict(on: proof)
        } catch {
            return .malformed(error)
        }
    }

    private func verdict(on proof: ReceivedProof) throws(MPinCryptoError) -> VerificationResult {
        try leftSide(of: proof) == .one ? .accepted : .wrongPIN
    }

    /// e(V, Q) e(y A + U, SS), or with a permit e(V, Q) e(y (A + AT) + UT, SS).
    func leftSide(of proof: ReceivedProof) throws(MPinCryptoError) -> Fp12 {
        let ours = PreparedPair(try proof.provenPoint(), prepared.value)
        guard let key = proof.publicKey else { return Pairing.product(PreparedPair(proof.v, .generator), ours) }
        return Pairing.product(PlainPair(proof.v, key.point), ours)
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
                TwoPassProof(
                    identity: identity, commitment: proof.u, ut: proof.ut, day: day, challenge: challenge,
                    response: proof.v))
        } catch {
            return .malformed(error)
        }
    }
}

extension ServerSecret {
    /// Verifies a signature of the SHA-256 digest of a document: e(V, Pa) e(y A + U, SS) = 1 with Pa the public key
    /// of the identity.
    ///
    /// - Parameters:
    ///   - signature: as received.
    ///   - documentHash: 32 bytes; another length is ``VerificationResult/malformed(_:)``.
    ///   - identity: the signer; one without a public key is ``VerificationResult/malformed(_:)``.
    public func verify(
        signature: DocumentSignature, documentHash: [UInt8], identity: MPinIdentity
    ) -> VerificationResult {
        do throws(MPinCryptoError) {
            try DocumentSignature.check(documentHash: documentHash)
            guard identity.publicKey != nil else { throw .identityWithoutPublicKey }
            let challenge = try Challenge(time: signature.timestamp, commitment: signature.u, message: documentHash)
            return verify(
                TwoPassProof(
                    identity: identity, commitment: signature.u, ut: nil, day: nil, challenge: challenge,
                    response: signature.v))
        } catch {
            return .malformed(error)
        }
    }
}

/// The server's verdict on a proof. A peer must not be able to distinguish the two refusals. Only `wrongPIN` is counted
/// for blocking an identity.
public enum VerificationResult: Equatable, Sendable {
    /// The proof holds.
    case accepted
    /// The pairing equation is false: wrong PIN, token, permit, key or identity.
    case wrongPIN
    /// An input is malformed; nothing was computed.
    case malformed(MPinCryptoError)
}
