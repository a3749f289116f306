// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import Testing
@testable import KioskRuntime

@Suite("PINs that people try first")
struct NewPINResultTests {
    static func result(_ digits: String) -> NewPINResult? {
        var entry = PinEntry()
        for digit in digits.utf8 { entry.append(digit - UInt8(ascii: "0")) }
        guard let pin = Pin(entry) else { return nil }
        return pin.checked()
    }

    @Test(arguments: ["0000", "00000", "000000"])
    func zerosAreNoSecretAtAll(digits: String) { #expect(Self.result(digits) == .allZeros) }

    @Test(arguments: [
        "1111", "99999", "777777", "1212", "121212", "123123", "0101", "1234", "12345", "123456", "0123", "7890",
        "8901",
        "2580", "0852", "1397", "7931", "1254", "2684", "147258", "963852", "789456", "159357", "2468", "97531", "3692",
        "1221", "12321", "1122", "335577", "12121",
        "4321", "654321", "9876", "0987", "1900", "1984", "1999", "2000", "2026", "2099",
    ])
    func easyToGuess(digits: String) { #expect(Self.result(digits) == .easyToGuess) }

    @Test(arguments: [
        "4711", "1235", "1124", "1899", "2100", "0001", "1000", "12344", "19840", "198412", "123124",
        "739154", "5683", "9021", "2583", "1479", "1245", "147259", "2590",
    ])
    func good(digits: String) { #expect(Self.result(digits) == .good) }

    /// Few enough not to annoy people, and exactly those that the rules name.
    @Test func thereAreNotMany() {
        var counts: [NewPINResult: Int] = [:]
        for number in 0..<10_000 {
            let digits = String(repeating: "0", count: 4 - String(number).count) + String(number)
            if let result = Self.result(digits) { counts[result, default: 0] += 1 }
        }
        // 99 repeated pairs, 180 more that are pairs or mirrored, 80 more runs, two hundred years, 50 patterns. Some
        // belong to several kinds.
        #expect(counts == [.allZeros: 1, .easyToGuess: 603, .good: 9_396])
    }
}
