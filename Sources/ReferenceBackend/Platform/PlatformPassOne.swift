// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// What pass 1 leaves for pass 2. It is used once, whether pass 2 is good or bad.
struct PlatformPassOne: Sendable {
    static let lifetime = Duration.seconds(15)

    let identity: MPinIdentity
    let scope: LoginScope
    let generation: PlatformGeneration
    let commitment: [UInt8]
    let challenge: Challenge
}
