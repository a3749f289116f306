// SPDX-License-Identifier: Apache-2.0

/// A two-pass proof as a server has received it, with every point decoded and checked.
struct ReceivedProof {
    /// A, the point of the identity.
    let identityPoint: AffinePoint<G1>
    let u, v: AffinePoint<G1>
    /// The point that the challenge multiplies, and the client's commitment: A and U, with a permit A + AT and UT.
    let base: ProjectivePoint<G1>
    let commitment: AffinePoint<G1>

    /// Throws `wrongLength` or `malformedPoint`; `wrongLength` also for a UT without a day.
    init(
        hashed: HashedIdentity, commitment u: [UInt8], ut: [UInt8]?, day: EpochDay?, response v: [UInt8]
    ) throws(MPinCryptoError) {
        // U is checked even where UT takes its place: a malformed message must not count as a wrong PIN.
        self.u = try AffinePoint(decoding: u.span)
        self.v = try AffinePoint(decoding: v.span)
        identityPoint = hashed.point
        guard let day else {
            if let ut { throw .wrongLength(of: .g1Point, expected: 0, actual: ut.count) }
            base = identityPoint.projective
            commitment = self.u
            return
        }
        let ut = ut ?? []
        commitment = try AffinePoint(decoding: ut.span)
        base = identityPoint.projective + hashed.point(on: day).projective
    }

    /// Makes a proof for a point of G1 instead of an identity, for known answers only.
    init(identityPoint: [UInt8], commitment u: [UInt8], response v: [UInt8]) throws(MPinCryptoError) {
        self.identityPoint = try AffinePoint(decoding: identityPoint.span)
        self.u = try AffinePoint(decoding: u.span)
        self.v = try AffinePoint(decoding: v.span)
        base = self.identityPoint.projective
        commitment = self.u
    }

    /// y A + U, or y (A + AT) + UT. Throws `resultAtInfinity`: with both pairings at infinity the equation would hold
    /// for every client.
    func provenPoint(challenge: Challenge) throws(MPinCryptoError) -> AffinePoint<G1> {
        try Self.sum(base, challenge, commitment)
    }

    /// y A + U, also if a permit is used.
    func identityMultiple(challenge: Challenge) throws(MPinCryptoError) -> AffinePoint<G1> {
        try Self.sum(identityPoint.projective, challenge, u)
    }

    private static func sum(
        _ base: ProjectivePoint<G1>, _ challenge: Challenge, _ commitment: AffinePoint<G1>
    ) throws(MPinCryptoError) -> AffinePoint<G1> {
        guard let sum = (base.multiplied(by: challenge.scalar) + commitment.projective).affine else {
            throw .resultAtInfinity
        }
        return sum
    }
}
