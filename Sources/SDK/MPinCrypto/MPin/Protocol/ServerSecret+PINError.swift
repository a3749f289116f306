// SPDX-License-Identifier: Apache-2.0

extension ServerSecret {
    /// The distance of the entered PIN from the right one: entered minus registered, as numbers. For the server's own
    /// policy after `wrongPIN`: a person who is off by one in one digit has mistyped, a client with scattered
    /// distances is guessing. **It must never reach the client**, which could compute the PIN from a few distances.
    /// The duration of the search depends on the distance too.
    ///
    /// With E = e(V, Q) e(y A + U, SS) and F = e(y A + U, Q) a distance d makes E = F^(-d). The search is exact, and
    /// takes about two products for each unit in the square root of `limit`.
    ///
    /// - Parameter limit: the greatest distance to look for: 9 999 for PINs of four digits, 999 999 for six.
    /// - Returns: nil if no distance up to the limit explains the proof: then not only the PIN is wrong.
    /// - Throws: the error that `verify` returns as `malformed`.
    public func pinError(of proof: TwoPassProof, within limit: Int) throws(MPinCryptoError) -> Int? {
        let proof = try ReceivedProof(proof)
        let left = try leftSide(of: proof)
        let unit = Pairing.value(try proof.identityMultiple(), proof.publicKey?.point ?? G2.generator)
        return DiscreteLogarithm(base: unit, limit: limit).find(left).map { -$0 }
    }
}
