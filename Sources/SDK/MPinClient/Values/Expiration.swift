// SPDX-License-Identifier: Apache-2.0

/// An end that a server announced, in whole seconds since 1970-01-01 UTC by the *server's* clock.
///
/// The difference of the two counts; a device's own clock is not asked (milagro protocol, section 6.1).
public struct Expiration: Sendable, Hashable {
    public let expireTimeSeconds: Int64
    /// The server's time when it answered.
    public let nowTimeSeconds: Int64

    public init(expireTimeSeconds: Int64, nowTimeSeconds: Int64) {
        self.expireTimeSeconds = expireTimeSeconds
        self.nowTimeSeconds = nowTimeSeconds
    }

    /// The time that was left when the server answered; never negative.
    public var timeLeft: Duration { .seconds(max(0, expireTimeSeconds.subtractingReportingOverflow(nowTimeSeconds).0)) }
}
