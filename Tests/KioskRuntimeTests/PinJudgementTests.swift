// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import Testing
@testable import KioskRuntime

@Suite("PINs that people try first")
struct PinJudgementTests {
    static func judgement(_ digits: String) -> PINJudgement? {
        var entry = PinEntry()
        for digit in digits.utf8 { entry.append(digit - UInt8(ascii: "0")) }
        guard let pin = Pin(entry) else { return nil }
        return pin.judged()
    }

    @Test(arguments: ["0000", "00000", "000000"])
    func zerosAreNoSecretAtAll(digits: String) { #expect(Self.judgement(digits) == .allZeros) }

    @Test(arguments: [
        "1111", "99999", "777777", "1212", "121212", "123123", "0101", "1234", "12345", "123456", "0123", "7890",
        "8901",
        "4321", "654321", "9876", "0987", "1900", "1984", "1999", "2000", "2026", "2099",
    ])
    func easyToGuess(digits: String) { #expect(Self.judgement(digits) == .easyToGuess) }

    @Test(arguments: [
        "2580", "4711", "1235", "1124", "1899", "2100", "0001", "1000", "12344", "12121", "19840", "198412", "123124",
        "739154", "5683", "9021",
    ])
    func good(digits: String) { #expect(Self.judgement(digits) == .good) }

    /// Few enough that nobody is annoyed, and exactly those that the rules name.
    @Test func thereAreNotMany() {
        var counts: [PINJudgement: Int] = [:]
        for number in 0..<10_000 {
            let digits = String(repeating: "0", count: 4 - String(number).count) + String(number)
            if let judgement = Self.judgement(digits) { counts[judgement, default: 0] += 1 }
        }
        // 99 repeated pairs, ten runs up, ten down, and two hundred years less 1919 and 2020, which are pairs as well.
        #expect(counts == [.allZeros: 1, .easyToGuess: 317, .good: 9_682])
    }
}
