// SPDX-License-Identifier: Apache-2.0

/// An end that a server announced, in whole seconds since 1970-01-01 UTC by the *server's* clock.
///
/// Only the difference of both times is used; the device's clock does not matter (docs/protocol/milagro.md, section
/// 6.1).
public struct Expiration: Sendable, Hashable {
    /// The end.
    public let expireTimeSeconds: Int64
    /// The server's time at its answer.
    public let nowTimeSeconds: Int64

    /// Makes an end of two times by the server's clock.
    ///
    /// - Parameters:
    ///   - expireTimeSeconds: the end, in seconds since 1970-01-01 UTC.
    ///   - nowTimeSeconds: the server's time at its answer, in the same unit.
    public init(expireTimeSeconds: Int64, nowTimeSeconds: Int64) {
        self.expireTimeSeconds = expireTimeSeconds
        self.nowTimeSeconds = nowTimeSeconds
    }

    /// The time left when the server answered; never negative.
    public var timeLeft: Duration { .seconds(max(0, expireTimeSeconds.subtractingReportingOverflow(nowTimeSeconds).0)) }
}
