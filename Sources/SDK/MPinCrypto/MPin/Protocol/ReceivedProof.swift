// SPDX-License-Identifier: Apache-2.0

/// A two-pass proof as a server has received it, with every point decoded and checked.
struct ReceivedProof {
    /// A, the point of the identity.
    let identityPoint: AffinePoint<G1>
    /// The identity's key, if it has one.
    let publicKey: DVSPublicKey?
    let challenge: Challenge
    let u, v: AffinePoint<G1>
    /// The point that the challenge multiplies, and the client's commitment: A and U, with a permit A + AT and UT.
    let base: ProjectivePoint<G1>
    let commitment: AffinePoint<G1>

    /// Throws `wrongLength` or `malformedPoint`; `wrongLength` also for a UT without a day.
    init(_ proof: TwoPassProof) throws(MPinCryptoError) {
        // U is checked even where UT takes its place: a malformed message must not count as a wrong PIN.
        u = try AffinePoint(decoding: proof.commitment.span)
        v = try AffinePoint(decoding: proof.response.span)
        let hashed = proof.identity.hashed
        identityPoint = hashed.point
        publicKey = proof.identity.publicKey
        challenge = proof.challenge
        guard let day = proof.day else {
            if let ut = proof.ut { throw .wrongLength(of: .g1Point, expected: 0, actual: ut.count) }
            base = identityPoint.projective
            commitment = u
            return
        }
        let ut = proof.ut ?? []
        commitment = try AffinePoint(decoding: ut.span)
        base = identityPoint.projective + hashed.point(on: day).projective
    }

    /// Makes a proof for a point of G1 instead of an identity, for known answers only.
    init(
        identityPoint: [UInt8], publicKey: DVSPublicKey?, commitment u: [UInt8], challenge: Challenge,
        response v: [UInt8]
    ) throws(MPinCryptoError) {
        self.publicKey = publicKey
        self.challenge = challenge
        self.identityPoint = try AffinePoint(decoding: identityPoint.span)
        self.u = try AffinePoint(decoding: u.span)
        self.v = try AffinePoint(decoding: v.span)
        base = self.identityPoint.projective
        commitment = self.u
    }

    /// y A + U, or y (A + AT) + UT. Throws `resultAtInfinity`: with both pairings at infinity the equation would hold
    /// for every client.
    func provenPoint() throws(MPinCryptoError) -> AffinePoint<G1> {
        try sum(base, commitment)
    }

    /// y A + U, also if a permit is used.
    func identityMultiple() throws(MPinCryptoError) -> AffinePoint<G1> {
        try sum(identityPoint.projective, u)
    }

    private func sum(
        _ base: ProjectivePoint<G1>, _ commitment: AffinePoint<G1>
    ) throws(MPinCryptoError) -> AffinePoint<G1> {
        guard let sum = (base.multiplied(by: challenge.scalar) + commitment.projective).affine else {
            throw .resultAtInfinity
        }
        return sum
    }
}
