// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import MPinClient
import Testing
@testable import KioskRuntime

@Suite("The time of the last wrong PIN, in everyday words")
struct EarlierWrongPINsTests {
    /// 2026-11-26, 12:00 UTC. No time zone changes its clocks within two days.
    private static let now = KioskRig.now

    @Test(
        arguments: [(0, EarlierWrongPINs.Day.today), (1, .yesterday), (2, .earlier), (400, .earlier)]
            as [(Int64, EarlierWrongPINs.Day)])
    func day(ago: Int64, day: EarlierWrongPINs.Day) throws {
        let last = Self.now - ago * 86_400
        let said = try #require(EarlierWrongPINs(WrongPINs(count: 2, last: last), now: Self.now))
        #expect(said.count == 2 && said.day == day)
        let time = try #require(LocalTime(last))
        #expect(said.time == (day == .earlier ? "\(time.date) \(time.clock)" : time.clock))
    }

    @Test func twoDigitsEach() throws {
        let time = try #require(LocalTime(Self.now))
        #expect(time.date.hasPrefix("2026-11-2") && time.clock.count == 5)
    }
}
