// SPDX-License-Identifier: Apache-2.0

/// The values that both passes of a login brought to the server.
public struct TwoPassProof: Sendable {
    public let identity: MPinIdentity
    /// U, 65 bytes, which must have been received before the challenge was drawn.
    public let commitment: [UInt8]
    /// UT, 65 bytes, when the proof rests on a time permit; nil else.
    public let ut: [UInt8]?
    /// The day for which a permit is required; nil when none is. `ut` and `day` come together.
    public let day: EpochDay?
    public let challenge: Challenge
    /// V, 65 bytes.
    public let response: [UInt8]

    public init(
        identity: MPinIdentity, commitment u: [UInt8], ut: [UInt8]?, day: EpochDay?, challenge: Challenge,
        response v: [UInt8]
    ) {
        self.identity = identity
        commitment = u
        self.ut = ut
        self.day = day
        self.challenge = challenge
        response = v
    }
}

extension ServerSecret {
    /// Verifies a two-pass proof, as the function that takes its parts.
    public func verify(_ proof: TwoPassProof) -> VerificationResult {
        verify(
            identity: proof.identity, commitment: proof.commitment, ut: proof.ut, day: proof.day,
            challenge: proof.challenge, response: proof.response)
    }

    /// Whether all of the proofs hold, at a fraction of the price of verifying each: their equations, each to the power
    /// of a random weight, are multiplied to one (Bellare, Garay and Rabin, 1998), and all points that are paired
    /// with Q, and all that are paired with SS, are added before they are. Where one proof does not hold, the answer is
    /// `true` with a probability of 2^-128, also where an attacker made all the others.
    ///
    /// How long it takes depends on the proofs, which are no secrets, and on the weights, which are used once.
    /// - Returns: `false` where any of them is wrong or malformed, and where there is no randomness: verifying each
    ///   tells which. `true` for none.
    public func accepts(all proofs: [TwoPassProof]) -> Bool {
        do throws(MPinCryptoError) {
            return try isOne(proofs, BatchWeight.random(proofs.count))
        } catch {
            return false
        }
    }

    /// Whether the product over all proofs of (e(V, Q) e(y A + U, SS))^weight is 1, with Q the public key of an
    /// identity that has one, and with a permit A + AT and UT in place of A and U.
    func isOne(_ proofs: [TwoPassProof], _ weights: [BatchWeight]) throws(MPinCryptoError) -> Bool {
        var withGenerator = MultiScalarSum<G1>()
        var withSecret = MultiScalarSum<G1>()
        var withKeys = MillerPairs<PlainPair>()
        for (proof, weight) in zip(proofs, weights) {
            let received = try ReceivedProof(
                hashed: proof.identity.hashed, commitment: proof.commitment, ut: proof.ut, day: proof.day,
                response: proof.response)
            withSecret.add(received.base, times: G1.split(proof.challenge.scalar * weight.scalar))
            withSecret.add(received.commitment.projective, times: weight.halves)
            guard let key = proof.identity.publicKey else {
                withGenerator.add(received.v.projective, times: weight.halves)
                continue
            }
            var multiple = MultiScalarSum<G1>()
            multiple.add(received.v.projective, times: weight.halves)
            // At infinity the pairing is 1: the weight is 0, or the sum is.
            if let point = multiple.value.affine { withKeys.append(PlainPair(point, key.point)) }
        }
        let toGenerator = withGenerator.value.affine.map { PreparedPair($0, .generator) }
        let toSecret = withSecret.value.affine.map { PreparedPair($0, prepared.value) }
        return Pairing.product(toGenerator, toSecret, withKeys) == .one
    }
}
