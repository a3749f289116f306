// SPDX-License-Identifier: Apache-2.0

/// The dates of setups that this machine's clock accepts, in seconds since 1970.
public struct SetupClock: Sendable, Equatable {
    /// The time that a setup may be ahead of a set clock, in seconds. A wrong time zone stays within a day.
    private static let tolerance = 86_400

    /// 0 while the clock shows a time before this program was made. Then no setup is too old: a kiosk without a
    /// network has no time, and a setup may bring the network.
    public let now: UInt64
    /// The latest date of an accepted setup. Nil while the clock is not synchronised: without a battery it continues
    /// from the last power cut, and would refuse good setups.
    public let latest: UInt64?

    public init(_ facts: ClockFacts) {
        let isPlausible = ClockCheck.isPlausible(facts)
        now = isPlausible ? UInt64(facts.now) : 0
        latest =
            isPlausible && (facts.isSynchronised || facts.hasBattery) ? UInt64(facts.now + SetupClock.tolerance) : nil
    }
}
