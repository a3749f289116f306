// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The result of pass 2, kept under its authOTT. Pass 2 itself tells nobody.
struct PlatformLogin: Sendable {
    static let lifetime = Duration.seconds(60)

    let identity: MPinIdentity
    let scope: LoginScope
    let generation: PlatformGeneration
    let isAccepted: Bool
    let accessID: String?
}
