// SPDX-License-Identifier: Apache-2.0

/// What pass 2 brought, kept under its authOTT until somebody presents that.
struct LoginToken: Sendable {
    static let lifetime = Duration.seconds(60)

    let proof: LoginProof
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
