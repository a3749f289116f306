// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// A key that takes the place of another, or that is for signing.
struct KeyRequest {
    let userID: String
    let deviceName: String
    let publicKey: DVSPublicKey
    /// From a login: `dvsRegister.token`.
    let token: SecretBytes
}
