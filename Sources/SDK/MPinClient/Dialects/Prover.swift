// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The identity that proves: the one for logging in, or a separate one for signing.
struct Prover {
    let identity: MPinIdentity
    let token: Token
    /// The PIN's length; nil if only the person knows it: then a wrong length must cost a try, or it would reveal the
    /// right one.
    let pinLength: Int?
    /// The issuers of the secret; nil in the classic dialects.
    let dtas: String?
}
