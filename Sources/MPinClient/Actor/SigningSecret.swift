// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// A secret for signing between the start and the end of its registration. Kept in memory only.
struct SigningSecret {
    let secret: SecretFlow.Outcome
    let publicKey: DVSPublicKey
}
