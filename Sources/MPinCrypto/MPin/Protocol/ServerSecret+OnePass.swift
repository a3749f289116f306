// SPDX-License-Identifier: Apache-2.0

extension ServerSecret {
    /// Verifies a one-pass proof, apart from the age of its timestamp, which the caller bounds.
    ///
    /// - Parameter day: the day for which a permit is required; nil when none is.
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
