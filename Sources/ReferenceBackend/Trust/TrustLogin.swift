// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The result of pass 2, kept under its authOTT. Pass 2 itself tells nobody.
struct TrustLogin: Sendable {
    static let lifetime = Duration.seconds(60)

    let mpinID: MPinID
    let scope: TrustScope
    let isAccepted: Bool
    let accessID: String?
}
