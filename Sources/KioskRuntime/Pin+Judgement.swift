// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues

extension Pin {
    /// Whether the PIN is one of those that people try first. Every rule looks at every digit, and nothing but the
    /// judgement leaves: neither its time nor a message says which rule it was.
    ///
    /// Easy to guess are: one digit or one group repeated (1111, 1212, 123123), counting up or down, also past the 9
    /// (1234, 7890, 4321), and four digits like a year (1900...2099).
    borrowing func judged() -> PINJudgement {
        if isAllZeros { return .allZeros }
        let isEasy = withDigits { digits in
            var repeatsGroup = false
            for period in 1..<digits.count where digits.count % period == 0 {
                repeatsGroup =
                    Pin.all(in: 0..<(digits.count - period)) { digits[$0] == digits[$0 + period] } || repeatsGroup
            }
            let last = digits.count - 1
            let countsUp = Pin.all(in: 0..<last) { Pin.follows(digits[$0 + 1], digits[$0]) }
            let countsDown = Pin.all(in: 0..<last) { Pin.follows(digits[$0], digits[$0 + 1]) }
            let century = (digits[0] &- 0x30) &* 10 &+ (digits[1] &- 0x30)
            let isYear = digits.count == 4 && (century == 19 || century == 20)
            var count = 0
            for rule in [repeatsGroup, countsUp, countsDown, isYear] { count += rule ? 1 : 0 }
            return count > 0
        }
        return isEasy ? .easyToGuess : .good
    }

    private static func all(in indices: Range<Int>, _ holds: (Int) -> Bool) -> Bool {
        var exceptions = 0
        for index in indices { exceptions += holds(index) ? 0 : 1 }
        return exceptions == 0
    }

    /// Of ASCII digits: 0 follows 9, as on the pad.
    private static func follows(_ digit: UInt8, _ earlier: UInt8) -> Bool {
        (digit &- 0x30) == ((earlier &- 0x30) &+ 1) % 10
    }
}
