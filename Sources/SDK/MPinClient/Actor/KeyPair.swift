// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// A fresh designated-verifier key, its private half in wiped bytes.
struct KeyPair {
    let publicKey: DVSPublicKey
    let privateKey: SecretBytes

    /// - Throws: ``MPinError/Kind/cryptography`` when the system has no randomness.
    init(for call: StaticString) throws(MPinError) {
        do {
            let key = try DVSPrivateKey.random()
            publicKey = key.publicKey
            privateKey = key.withBytes { SecretBytes(copying: $0) }
        } catch {
            throw MPinError(.cryptography, detail: "\(call): no key can be made: \(error)")
        }
    }
}
