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

    /// How long a one-time password counts, in milliseconds and seconds. Milagro protocol, section 7.1.
    static func oneTimePasswordTimes(now: WallTime) -> [String: JSONValue] {
        [
            "nowTime": .integer(now.milliseconds), "expireTime": .integer((now + lifetime).milliseconds),
            "ttlSeconds": .integer(lifetime.components.seconds),
        ]
    }
}
