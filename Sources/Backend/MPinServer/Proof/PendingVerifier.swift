// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import MPinCrypto
import Sealing
import Synchronization

/// A verifier that awaits the server secret. D-TAs elsewhere may not answer yet when the backend starts. Until then no
/// login begins, so that none is judged wrong.
///
/// It refuses a server secret that is not that of the identities in the storage. A backend has such a secret when its
/// master secrets came from the wrong backup, or when it is one of several and made its own. With it every right PIN
/// would be wrong, and all people would be blocked.
package final class PendingVerifier: Sendable {
    private let known: Mutex<(any ProofVerifier)?>
    private let make: @Sendable (ServerSecret) -> any ProofVerifier

    package init(_ make: @escaping @Sendable (ServerSecret) -> any ProofVerifier) {
        known = Mutex(nil)
        self.make = make
    }

    /// - Returns: whether this is the secret of the identities in `storage`. If not, nothing has changed.
    package func settle(_ secret: ServerSecret, in storage: any DurableStorage) async throws(StorageError) -> Bool {
        let digest = secret.withBytes { Digest.sha256(copy(of: $0)) }
        guard try await storage.belongs(toServerSecret: digest) else { return false }
        let verifier = make(secret)
        known.withLock { $0 = verifier }
        return true
    }

    package var isKnown: Bool { known.withLock { $0 != nil } }

    /// - Throws: `Refusal` 503 as long as it is not known.
    package func current() throws(Refusal) -> any ProofVerifier {
        guard let verifier = known.withLock({ $0 }) else { throw .notReady }
        return verifier
    }
}
