// SPDX-License-Identifier: Apache-2.0

package import MPinCrypto

/// Tells whether a proof holds.
package protocol ProofVerifier: Sendable {
    func verify(_ proof: TwoPassProof) -> VerificationResult

    /// Whether all hold. Where one does not, verifying each tells which.
    func accepts(all proofs: [TwoPassProof]) -> Bool

    func verify(
        signature: DocumentSignature, documentHash: [UInt8], identity: MPinIdentity
    ) -> VerificationResult
}

extension ServerSecret: ProofVerifier {}

/// The proof that both passes brought. Pass 2 keeps it unseen. Until its authOTT is handed in, the server itself does
/// not know whether the PIN was right. So neither the reply nor its time can tell.
struct LoginProof: Sendable {
    let commitments: Commitments
    /// For which permits counted when pass 2 arrived; one nil where they are not in use.
    let days: [EpochDay?]
    let challenge: Challenge
    let response: [UInt8]

    var identity: MPinIdentity { commitments.identity }

    /// Every day is verified, also after the one that fits, so that the work is the same for every PIN.
    func holds(for verifier: any ProofVerifier) -> Bool {
        days.reduce(false) { holds, day in verifier.verify(proof(of: day)) == .accepted || holds }
    }

    /// Nil around midnight, when one of two days does not fit.
    var ofOneDay: TwoPassProof? { days.count == 1 ? proof(of: days[0]) : nil }

    private func proof(of day: EpochDay?) -> TwoPassProof {
        TwoPassProof(
            identity: identity, commitment: commitments.plain, ut: commitments.permitted, day: day,
            challenge: challenge, response: response)
    }
}
