// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import MPinCrypto
import Sealing
import Synchronization

/// A verifier that awaits the server secret. D-TAs elsewhere may not answer yet when the backend starts. Until then no
/// login begins, so that none is refused as wrong.
///
/// It refuses a server secret that does not belong to the stored identities. A backend has such a secret after a
/// restore of the wrong master secrets, or if it is one of several and generated its own. With such a secret every
/// right PIN would be refused as wrong, and all people would be blocked.
package final class PendingVerifier: Sendable {
    private let known = Mutex<ProofQueue?>(nil)
    private let make: @Sendable (ServerSecret) -> any ProofVerifier

    package init(_ make: @escaping @Sendable (ServerSecret) -> any ProofVerifier) { self.make = make }

    /// - Returns: whether this is the secret of the identities in `storage`. If not, nothing has changed.
    package func settle(_ secret: ServerSecret, in storage: any DurableStorage) async throws(StorageError) -> Bool {
        let digest = secret.withBytes { Digest.sha256(copy(of: $0)) }
        guard try await storage.belongs(toServerSecret: digest) else { return false }
        let queue = ProofQueue(verifier: make(secret))
        known.withLock { $0 = queue }
        return true
    }

    package var isKnown: Bool { known.withLock { $0 != nil } }

    /// The queue of proofs that the verifier has to check.
    /// - Throws: `Refusal` 503 as long as the server secret is not known.
    func queue() throws(Refusal) -> ProofQueue {
        guard let queue = known.withLock({ $0 }) else { throw .notReady }
        return queue
    }
}
