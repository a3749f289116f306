// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues

extension Pin {
    /// Whether the PIN is among those that people try first. Every rule looks at every digit, and only the result
    /// leaves: neither its time nor a message reveals the rule.
    ///
    /// Easy to guess are: one digit or one group repeated (1111, 1212, 123123), the same forwards and backwards
    /// (1221), pairs (1122), counting up or down by any step, also past the 9 (1234, 7890, 4321, 2468), four digits
    /// like a year (1900...2099), and patterns on the keys: lines (2580, 147258) and the corners of a square (1397,
    /// 1254).
    borrowing func checked() -> NewPINResult {
        if isAllZeros { return .allZeros }
        let isEasy = withDigits { digits in
            var repeatsGroup = false
            for period in 1..<digits.count where digits.count % period == 0 {
                repeatsGroup =
                    Pin.all(in: 0..<(digits.count - period)) { digits[$0] == digits[$0 + period] } || repeatsGroup
            }
            let last = digits.count - 1
            let step = Pin.step(digits[0], digits[1])
            let counts = Pin.all(in: 0..<last) { Pin.step(digits[$0], digits[$0 + 1]) == step }
            let isMirrored = Pin.all(in: 0..<digits.count) { digits[$0] == digits[last - $0] }
            let isPairs =
                digits.count % 2 == 0 && Pin.all(in: 0..<digits.count / 2) { digits[2 * $0] == digits[2 * $0 + 1] }
            var isPattern = false
            for pattern in Pin.patterns where pattern.count == digits.count {
                isPattern = Pin.all(in: 0..<digits.count) { digits[$0] == pattern[$0] } || isPattern
            }
            let century = (digits[0] &- 0x30) &* 10 &+ (digits[1] &- 0x30)
            let isYear = digits.count == 4 && (century == 19 || century == 20)
            var count = 0
            for rule in [repeatsGroup, counts, isMirrored, isPairs, isPattern, isYear] { count += rule ? 1 : 0 }
            return count > 0
        }
        return isEasy ? .easyToGuess : .good
    }

    private static func all(in indices: Range<Int>, _ holds: (Int) -> Bool) -> Bool {
        var exceptions = 0
        for index in indices { exceptions += holds(index) ? 0 : 1 }
        return exceptions == 0
    }

    /// The step between ASCII digits: 0 follows 9, as on the pad.
    private static func step(_ earlier: UInt8, _ digit: UInt8) -> UInt8 { (digit &+ 10 &- earlier) % 10 }

    /// Paths over the keys of a pad, in ASCII: lines of three, one after another; the column with the 0; around
    /// squares.
    private static let patterns: [[UInt8]] = {
        let lines = ["123", "456", "789", "147", "258", "369", "159", "357"].flatMap { [$0, String($0.reversed())] }
        let squares = ["1397", "1254", "2365", "4587", "5698", "2684"].flatMap { square in
            (0..<4).map { square.dropFirst($0) + square.prefix($0) }
        }
        let walks =
            ["2580"] + squares.map { String($0) }
            + lines.flatMap { first in lines.filter { $0 != first }.map { first + $0 } }
        return walks.flatMap { [Array($0.utf8), Array($0.utf8.reversed())] }
    }()
}
