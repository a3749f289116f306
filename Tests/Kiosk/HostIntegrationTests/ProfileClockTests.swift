// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HostIntegration

/// The clock that decides whether a profile has expired.
@Suite struct ProfileClockTests {
    /// 1 January 2027.
    private static let day = 1_798_761_600

    @Test(
        "A profile may be a day ahead of a set clock. A clock that may be behind refuses none",
        arguments: [
            (day, true, false, UInt64(day), UInt64(day + 86_400)),
            (day, false, true, UInt64(day), UInt64(day + 86_400)),
            (day, false, false, UInt64(day), nil),
            (0, true, true, 0, nil),
            (1_700_000_000, true, true, 0, nil),
        ] as [(Int, Bool, Bool, UInt64, UInt64?)])
    func aDayAhead(now: Int, isSynchronised: Bool, hasBattery: Bool, counts: UInt64, latest: UInt64?) {
        let clock = ProfileClock(
            ClockFacts(now: now, isSynchronised: isSynchronised, hasBattery: hasBattery), after: nil, hasOperator: false
        )
        #expect(clock.now == counts && clock.latest == latest)
    }

    /// One with the year 9999 would refuse all later ones.
    @Test(
        "Where there is an operator, a profile may be a year ahead of what is known",
        arguments: [
            (0, nil, 1_793_491_200), (0, UInt64(day), UInt64(day)), (day, nil, UInt64(day)),
            (day, UInt64(day + 5), UInt64(day + 5)),
        ] as [(Int, UInt64?, UInt64)])
    func anOperatorIsNotLockedOut(now: Int, last: UInt64?, newest: UInt64) {
        let facts = ClockFacts(now: now, isSynchronised: false, hasBattery: false)
        let clock = ProfileClock(facts, after: last, hasOperator: true)
        #expect(clock.latest == newest + 366 * 86_400)
    }

    @Test func theLatestDateOfAProfileIsNoOverflow() {
        let facts = ClockFacts(now: 0, isSynchronised: false, hasBattery: false)
        #expect(ProfileClock(facts, after: .max, hasOperator: true).latest == .max)
    }
}
