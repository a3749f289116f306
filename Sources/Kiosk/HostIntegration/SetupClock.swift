// SPDX-License-Identifier: Apache-2.0

/// The times that this machine's clock allows for a setup, in seconds since 1970.
public struct SetupClock: Sendable, Equatable {
    /// How far ahead of a clock that is set a setup may be dated, in seconds. Who sets a clock to the wrong time zone
    /// is within a day.
    private static let tolerance = 86_400

    /// 0 while the clock shows a time before this program was made. Then no setup is too old: a kiosk without a network
    /// has no time, and a setup may bring the network.
    public let now: UInt64
    /// The latest time at which a setup may have been made. Nil while nothing keeps the clock right: without a battery it
    /// begins where it stood when the power went, and would refuse good setups.
    public let latest: UInt64?

    public init(_ facts: ClockFacts) {
        let isPlausible = ClockCheck.isPlausible(facts)
        now = isPlausible ? UInt64(facts.now) : 0
        latest =
            isPlausible && (facts.isSynchronised || facts.hasBattery) ? UInt64(facts.now + SetupClock.tolerance) : nil
    }
}
