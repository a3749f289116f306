// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// What pass 2 brought, kept under its authOTT.
struct PlatformLogin: Sendable {
    static let lifetime = Duration.seconds(60)

    let proof: LoginProof
    let scope: LoginScope
    let generation: PlatformGeneration
    let accessID: String?

    var identity: MPinIdentity { proof.identity }
}
