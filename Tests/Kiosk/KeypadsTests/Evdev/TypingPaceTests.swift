// SPDX-License-Identifier: Apache-2.0

import Testing
@testable import Keypads

@Suite("A person's typing and a device that types by itself")
struct TypingPaceTests {
    /// - Returns: for each press whether it is too fast. The first is at 0.
    private static func tooFast(_ gaps: [Int]) -> [Bool] {
        var pace = TypingPace()
        var time = Duration.zero
        return [pace.isTooFast(at: time)]
            + gaps.map { gap in
                time += .milliseconds(gap)
                return pace.isTooFast(at: time)
            }
    }

    /// The time between presses, and the first press that is recognised.
    @Test(arguments: [(1, 2), (7, 2), (9, 4), (13, 4), (16, 6), (25, 6)])
    func scannersAreTold(gap: Int, at press: Int) {
        let tooFast = Self.tooFast(Array(repeating: gap, count: 12))
        #expect(tooFast == Array(repeating: false, count: press - 1) + Array(repeating: true, count: 14 - press))
    }

    /// Keys of both hands may be close together, again and again.
    @Test(arguments: [[50, 50, 50, 50, 50, 50], [15, 15, 15], [15, 60, 15, 60, 15], [30, 30, 30, 30, 30, 30]])
    func quickHandsAreNot(gaps: [Int]) {
        #expect(!Self.tooFast(gaps).contains(true))
    }

    @Test func aHandAfterAScannerIsOneAgain() {
        #expect(Self.tooFast([2, 2, 2, 1000, 60, 60]).suffix(3) == [false, false, false])
    }

    @Test func aClockThatWasSetBackBeginsAnew() {
        #expect(Self.tooFast([50, -5000, 50, 50]) == [false, false, false, false, false])
    }
}
