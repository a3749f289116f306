// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// A new secret that a server wants an identity to take, told at the end of a login (MIRACL protocol, section 13).
enum SecretRenewal {
    /// For the same kind of identity: one share is here already.
    case secret(SecretOffer)
    /// For a new key, which this token lets the client register.
    case key(token: SecretBytes)
    /// One that cannot be read: it is not taken, and the log says why.
    case unreadable(JSONError)

    enum Kind {
        /// `renewSecret`: for the identity that logged in, which has no key.
        case secret
        /// `dvsRegister`: for the key of the identity that logged in.
        case key
    }
}

/// Part of a client secret that a server gives out: one share and the other one's address, or the addresses of both.
struct SecretOffer {
    /// The identity that the secret is for.
    let mpinID: MPinID
    /// Nil when both shares are still to be fetched.
    let share: ClientSecretShare?
    /// One address behind a share, else two.
    let urls: [WebAddress]
    /// The issuers that the shares come from; nil in the classic dialects.
    let dtas: String?
}
