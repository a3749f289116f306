// SPDX-License-Identifier: Apache-2.0

/// The times between which a guest's card is valid, in seconds since 1970-01-01 UTC.
public struct CardTimes: Sendable, Hashable {
    /// The time from which the card is valid.
    public let issued: Int64
    /// The time from which it is not valid any more.
    public let ends: Int64

    /// Makes times. They are not compared with the clock.
    ///
    /// - Parameters:
    ///   - issued: the time from which the card is valid, in seconds since 1970-01-01 UTC.
    ///   - ends: the time from which it is not valid any more, in the same unit.
    public init(issued: Int64, ends: Int64) {
        (self.issued, self.ends) = (issued, ends)
    }
}
