// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// What a server gives out of a client secret: one share and where the other one is, or where both are.
struct SecretOffer {
    /// The identity that the secret is for.
    let mpinID: MPinID
    /// Nil when both shares are still to be fetched.
    let share: ClientSecretShare?
    /// One address behind a share, else two.
    let urls: [WebAddress]
    /// Which issuers the shares come from; nil in the classic dialects.
    let dtas: String?
}
