// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The identity that proves: the one for logging in, or the one for signing where that is another.
struct Prover {
    let identity: MPinIdentity
    let token: Token
    let pinReading: PinReading
    let pinLength: Int
    /// The issuers that the secret came from; nil in the classic dialects.
    let dtas: String?
}
