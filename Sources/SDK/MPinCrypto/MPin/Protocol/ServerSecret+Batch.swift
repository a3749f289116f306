// SPDX-License-Identifier: Apache-2.0

extension ServerSecret {
    /// Whether all proofs hold, at a fraction of the cost of verifying each. Their equations, each to the power of a
    /// random weight, are multiplied into one (Bellare, Garay and Rabin, 1998). Points that are paired with Q are
    /// added first, and so are those paired with SS. If a proof does not hold, the answer is `true` with a probability
    /// of 2^-128, even if an attacker made all others.
    ///
    /// The time depends on the proofs, which are not secrets, and on the weights, which are used once.
    /// - Returns: `false` if any proof is wrong or malformed, or without randomness; verify each one to find out
    ///   which. `true` for an empty array.
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
            let received = try ReceivedProof(proof)
            withSecret.add(received.base, times: G1.split(received.challenge.scalar * weight.scalar))
            withSecret.add(received.commitment.projective, times: weight.halves)
            guard let key = received.publicKey else {
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
