// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// A registration between its start and the moment its first share is fetched. One-time values are stored as digests.
struct Registration: Equatable, Sendable {
    static let lifetime = Duration.seconds(3600)
    /// More than this at a time and newcomers are refused.
    static let capacity = 10_000

    let mpinID: MPinID
    let userID: String
    let mobile: Int64
    let regOTTDigest: [UInt8]
    let activateKeyDigest: [UInt8]
    var active: Bool
    var expires: WallTime
}

extension Registration {
    init(
        mpinID: MPinID, userID: String, mobile: Int64, regOTT: OneTimeToken, activateKey: String, expires: WallTime
    ) {
        self.init(
            mpinID: mpinID, userID: userID, mobile: mobile, regOTTDigest: regOTT.digest,
            activateKeyDigest: Digest.sha256(Array(activateKey.utf8)), active: false, expires: expires)
    }
}
