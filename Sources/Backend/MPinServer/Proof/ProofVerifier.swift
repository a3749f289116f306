// SPDX-License-Identifier: Apache-2.0

package import MPinCrypto

/// Verifies proofs and signatures with the server secret.
package protocol ProofVerifier: Sendable {
    func verify(_ proof: TwoPassProof) -> VerificationResult

    /// Whether all proofs are right. If one is wrong, verifying each of them shows which.
    func accepts(all proofs: [TwoPassProof]) -> Bool

    func verify(
        signature: DocumentSignature, documentHash: [UInt8], identity: MPinIdentity
    ) -> VerificationResult
}

extension ServerSecret: ProofVerifier {}
