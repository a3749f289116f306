// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import KioskMachine

@Suite("The delay after wrong PINs of people whom no page named")
struct WrongPINThrottleTests {
    /// The times of wrong PINs, the present time, and the next person's wait, in seconds.
    static let table: [(wrongs: [Int], at: Int, wait: Int?)] = [
        ([], 0, nil),
        ([0], 0, nil), ([0, 0], 0, nil),
        // The third within ten minutes.
        ([0, 0, 0], 0, 60), ([0, 0, 0], 59, 1), ([0, 0, 0], 60, nil),
        ([0, 300, 599], 599, 60), ([0, 300, 600], 600, nil), ([0, 300, 600, 601], 601, 60),
        // Each further one doubles the wait, up to a quarter of an hour.
        ([0, 0, 0, 60], 60, 120), ([0, 0, 0, 60, 180], 180, 240), ([0, 0, 0, 60, 180, 420], 420, 480),
        ([0, 0, 0, 60, 180, 420, 900], 900, 900), ([0, 0, 0, 60, 180, 420, 900, 1800], 1800, 900),
        // Even long after the wait.
        ([0, 0, 0, 3659], 3659, 120),
        // An hour without a wrong PIN resets everything.
        ([0, 0, 0, 3660], 3660, nil), ([0, 0, 0, 3660, 3660], 3660, nil), ([0, 0, 0, 3660, 3660, 3660], 3660, 60),
    ]

    @Test(arguments: table.indices) func waits(_ index: Int) {
        let (wrongs, at, wait) = Self.table[index]
        var throttle = WrongPINThrottle()
        for wrong in wrongs { throttle.noteWrongPIN(at: .seconds(wrong)) }
        #expect(throttle.wait(at: .seconds(at)) == wait.map { .seconds($0) })
    }

    /// Counts the guesses of a stranger who tries all day.
    @Test func aDayOfGuessing() {
        var throttle = WrongPINThrottle()
        var now = Duration.zero
        var wrongs = 0
        while now < .seconds(86_400) {
            if let wait = throttle.wait(at: now) { now += wait }
            throttle.noteWrongPIN(at: now)
            wrongs += 1
        }
        #expect(wrongs < 110)
    }

    /// Any number of wrong PINs: no overflow, no growth.
    @Test func neverWaitsLonger() {
        var throttle = WrongPINThrottle()
        for second in 0..<5000 { throttle.noteWrongPIN(at: .seconds(second)) }
        #expect(throttle.wait(at: .seconds(4999)) == .seconds(900))
    }
}
