// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import MPinCrypto
import Sealing

/// A registration between its start and the moment its first share is fetched. One-time values are stored as digests.
package struct Registration: Equatable, Sendable {
    static let lifetime = Duration.seconds(3600)
    /// Number of open registrations. Further ones are refused.
    package static let capacity = 10_000

    package let mpinID: MPinID
    package let userID: String
    package let mobile: Int64
    package let regOTTDigest: [UInt8]
    package let activateKeyDigest: [UInt8]
    package var active: Bool
    package var expires: WallTime

    package init(
        mpinID: MPinID, userID: String, mobile: Int64, regOTTDigest: [UInt8], activateKeyDigest: [UInt8], active: Bool,
        expires: WallTime
    ) {
        self.mpinID = mpinID
        self.userID = userID
        self.mobile = mobile
        self.regOTTDigest = regOTTDigest
        self.activateKeyDigest = activateKeyDigest
        self.active = active
        self.expires = expires
    }
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
