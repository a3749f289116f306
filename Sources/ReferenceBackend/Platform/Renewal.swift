// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The right of a device that has just proved its PIN to a new identity of the same user. MIRACL protocol, section 13.
struct Renewal: Sendable {
    static let lifetime = Duration.seconds(300)

    let userID: String
    let verification: VerificationType
    /// The identity that proved it.
    let prover: MPinID
    /// Nil for an identity that signs beside one that logs in.
    let replaces: MPinID?
}
