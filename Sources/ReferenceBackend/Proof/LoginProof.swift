// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// What can tell whether a proof holds.
protocol ProofVerifier: Sendable {
    /// - Parameters:
    ///   - day: the day for which a permit is required; nil when none is. `ut` and `day` come together.
    func verify(
        identity: MPinIdentity, commitment u: [UInt8], ut: [UInt8]?, day: EpochDay?, challenge: Challenge,
        response v: [UInt8]
    ) -> VerificationResult

    func verify(
        signature: DocumentSignature, documentHash: [UInt8], identity: MPinIdentity
    ) -> VerificationResult
}

extension ServerSecret: ProofVerifier {}

/// What both passes brought. Pass 2 keeps it unseen: until its authOTT is handed in, the server itself does not know
/// whether the PIN was right, so neither the reply nor its time can tell.
struct LoginProof: Sendable {
    let commitments: Commitments
    /// For which permits counted when pass 2 arrived; one nil where they are not in use.
    let days: [EpochDay?]
    let challenge: Challenge
    let response: [UInt8]

    var identity: MPinIdentity { commitments.identity }

    /// Every day is verified, also after the one that fits, so that the work is the same for every PIN.
    func holds(for verifier: any ProofVerifier) -> Bool {
        var holds = false
        for day in days {
            let result = verifier.verify(
                identity: identity, commitment: commitments.plain, ut: commitments.permitted, day: day,
                challenge: challenge, response: response)
            holds = result == .accepted || holds
        }
        return holds
    }
}
