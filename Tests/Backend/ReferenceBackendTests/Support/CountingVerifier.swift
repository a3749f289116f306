// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import MPinCrypto
import Synchronization

@testable import MPinServer
@testable import ReferenceBackend

/// Verifies, and records the requests.
final class CountingVerifier: ProofVerifier {
    private let secret: ServerSecret
    private let asked: Asked

    /// The requests in order: the days of permits; nil for none.
    final class Asked: Sendable {
        private let days = Mutex<[UInt32?]>([])

        var all: [UInt32?] { days.withLock { $0 } }

        func append(_ day: UInt32?) { days.withLock { $0.append(day) } }

        /// Returns the requests so far and forgets them.
        func take() -> [UInt32?] {
            days.withLock { days in
                defer { days = [] }
                return days
            }
        }
    }

    init(_ secret: ServerSecret, telling asked: Asked) {
        self.secret = secret
        self.asked = asked
    }

    func verify(_ proof: TwoPassProof) -> VerificationResult {
        asked.append(proof.day?.value)
        return secret.verify(proof)
    }

    func accepts(all proofs: [TwoPassProof]) -> Bool {
        for proof in proofs { asked.append(proof.day?.value) }
        return secret.accepts(all: proofs)
    }

    func verify(
        signature: DocumentSignature, documentHash: [UInt8], identity: MPinIdentity
    ) -> VerificationResult {
        asked.append(nil)
        return secret.verify(signature: signature, documentHash: documentHash, identity: identity)
    }
}
