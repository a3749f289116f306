// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import Synchronization

/// What looks at proofs, as soon as the server secret is known: D-TAs elsewhere may not answer yet when the backend
/// starts. Until then no login begins, so that none is judged wrong.
final class LateVerifier: Sendable {
    private let known: Mutex<(any ProofVerifier)?>
    private let make: @Sendable (ServerSecret) -> any ProofVerifier

    init(_ make: @escaping @Sendable (ServerSecret) -> any ProofVerifier) {
        known = Mutex(nil)
        self.make = make
    }

    func settle(_ secret: ServerSecret) {
        let verifier = make(secret)
        known.withLock { $0 = verifier }
    }

    var isKnown: Bool { known.withLock { $0 != nil } }

    /// - Throws: `Refusal` 503 as long as it is not known.
    func current() throws(Refusal) -> any ProofVerifier {
        guard let verifier = known.withLock({ $0 }) else { throw .notReady }
        return verifier
    }
}
