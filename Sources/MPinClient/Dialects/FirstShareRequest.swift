// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// What the first share of a client secret is asked with.
struct FirstShareRequest {
    let mpinID: MPinID
    let regOTT: SecretBytes
    /// Where the server may send push messages to; nil when there is none.
    var pushIdentifier: String?
    /// Nil in the dialects whose identities have none.
    var publicKey: DVSPublicKey?
}
