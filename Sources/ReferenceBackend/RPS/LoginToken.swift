// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The result of pass 2, kept under its authOTT until somebody presents that. Pass 2 itself tells nobody.
struct LoginToken: Sendable {
    static let lifetime = Duration.seconds(60)

    let mpinID: MPinID
    let isAccepted: Bool
    /// The access code or number of the browser's session; nil for a plain login.
    let accessCode: String?
    let otp: String?
}
