// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

/// A new secret that a server offers at the end of a login (docs/protocol/miracl.md, section 13).
enum SecretRenewal {
    /// For the same kind of identity: one share has already come.
    case secret(SecretOffer)
    /// For a new key, which this token lets the client register.
    case key(token: SecretBytes)
    /// The offer is unreadable. It is not taken, and the reason is logged.
    case unreadable(JSONError)

    enum Kind {
        /// `renewSecret`: for the identity that logged in, which has no key.
        case secret
        /// `dvsRegister`: for the key of the identity that logged in.
        case key
    }
}

/// Part of a client secret from a server: one share and the address of the other, or the addresses of both.
struct SecretOffer {
    /// The identity that the secret is for.
    let mpinID: MPinID
    /// Nil when both shares are still to be fetched.
    let share: ClientSecretShare?
    /// One address if there is a share, else two.
    let urls: [WebAddress]
    /// The issuers of the shares; nil in the classic dialects.
    let dtas: String?
}
