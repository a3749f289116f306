// SPDX-License-Identifier: Apache-2.0

extension ServerSecret {
    /// Verifies a two-pass proof: e(V, Q) e(y A + U, SS) = 1, or with a permit e(V, Q) e(y (A + AT) + UT, SS) = 1. Q is the
    /// generator of G2, or the identity's public key if it has one.
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
        verify(
            hashed: identity.hashed, publicKey: identity.publicKey, commitment: u, ut: ut, day: day,
            challenge: challenge, response: v)
    }

    /// Verifies a two-pass proof of an identity known by its digest alone, without a public key. Otherwise as the function
    /// that takes an identity.
    public func verify(
        identity: HashedIdentity, commitment u: [UInt8], ut: [UInt8]?, day: EpochDay?, challenge: Challenge,
        response v: [UInt8]
    ) -> VerificationResult {
        verify(
            hashed: identity, publicKey: nil, commitment: u, ut: ut, day: day, challenge: challenge, response: v)
    }

    private func verify(
        hashed: HashedIdentity, publicKey: DVSPublicKey?, commitment u: [UInt8], ut: [UInt8]?, day: EpochDay?,
        challenge: Challenge, response v: [UInt8]
    ) -> VerificationResult {
        do throws(MPinCryptoError) {
            // U is checked even where UT takes its place: a peer that sends rubbish shall not be answered "wrong PIN".
            let u = try AffinePoint<G1>(decoding: u.span)
            let v = try AffinePoint<G1>(decoding: v.span)
            guard let day else {
                if let ut { throw .wrongLength(of: .g1Point, expected: 0, actual: ut.count) }
                return try holds(
                    base: hashed.point.projective, commitment: u, challenge: challenge, response: v,
                    publicKey: publicKey)
            }
            let ut = ut ?? []
            return try holds(
                base: hashed.point.projective + hashed.point(on: day).projective,
                commitment: AffinePoint(decoding: ut.span), challenge: challenge, response: v, publicKey: publicKey)
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
            return try holds(
                base: AffinePoint<G1>(decoding: identityPoint.span).projective,
                commitment: AffinePoint(decoding: u.span),
                challenge: challenge, response: AffinePoint(decoding: v.span), publicKey: publicKey)
        } catch {
            return .malformed(error)
        }
    }

    private func holds(
        base: ProjectivePoint<G1>, commitment: AffinePoint<G1>, challenge: Challenge, response: AffinePoint<G1>,
        publicKey: DVSPublicKey?
    ) throws(MPinCryptoError) -> VerificationResult {
        // With both pairings at infinity the equation would hold for everybody.
        guard let p = (base.multiplied(by: challenge.scalar) + commitment.projective).affine else {
            throw .resultAtInfinity
        }
        return Pairing.productIsOne(response, publicKey?.point ?? G2.generator, p, point.value) ? .accepted : .wrongPIN
    }
}
