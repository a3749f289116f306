// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// A user id that somebody claims and that was, or is to be, confirmed.
struct Verification: Sendable {
    static let lifetime = Duration.seconds(3600)

    let type: VerificationType
    /// The identity whose device made the code; nil for a mail's.
    var issuer: MPinID?
    /// The browser session that it began in.
    var accessID: String?
}
