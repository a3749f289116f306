// SPDX-License-Identifier: Apache-2.0

/// The dates of profiles that this machine's clock accepts, in seconds since 1970.
public struct ProfileClock: Sendable, Equatable {
    /// The time that a profile may be ahead of a set clock, in seconds. A wrong time zone stays within a day.
    private static let tolerance: UInt64 = 86_400
    private static let year: UInt64 = 366 * 86_400

    /// 0 while the clock shows a time before this program was made. Then no profile is too old: a kiosk without a
    /// network has no time, and a profile may bring the network.
    public let now: UInt64
    /// The latest date of an accepted profile. A clock that is not synchronised may be behind: without a battery it
    /// continues from the last power cut. Nil for such a kiosk without an operator.
    public let latest: UInt64?

    /// - Parameters:
    ///   - last: the date of the current profile, in seconds since 1970; nil without one.
    ///   - hasOperator: whether the kiosk has an operator. A profile with a date far ahead would make the kiosk refuse
    ///     every later profile of the operator. So while the clock is not set, the date may be at most a year after the
    ///     latest known time.
    public init(_ facts: ClockFacts, after last: UInt64?, hasOperator: Bool) {
        let isPlausible = ClockCheck.isPlausible(facts)
        now = isPlausible ? UInt64(facts.now) : 0
        let isSet = isPlausible && (facts.isSynchronised || facts.hasBattery)
        if isSet {
            latest = now + ProfileClock.tolerance
        } else if hasOperator {
            let (sum, isOver) = max(UInt64(ClockCheck.earliest), last ?? 0, now).addingReportingOverflow(
                ProfileClock.year)
            latest = isOver ? .max : sum
        } else {
            latest = nil
        }
    }
}
