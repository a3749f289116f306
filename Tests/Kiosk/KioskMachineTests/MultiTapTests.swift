// SPDX-License-Identifier: Apache-2.0

import Testing
@testable import KioskMachine

@Suite("Letters on a number pad")
struct MultiTapTests {
    /// Types digits; a space is a short pause, `<` BACK, `#` MENU, a letter a key of a keyboard.
    static func typed(_ keys: String, in entry: TextEntry = TextEntry(capacity: 20, tapsLetters: true)) -> String {
        var entry = entry
        for key in keys {
            switch key {
            case " ": entry.acceptTap()
            case "<": entry.removeLast()
            case "#": entry.switchPad()
            case "0"..."9": entry.press(UInt8(key.wholeNumberValue ?? 0))
            default: entry.append(key)
            }
        }
        return entry.text
    }

    @Test(arguments: [
        ("2", "a"), ("22", "b"), ("222", "c"), ("2222", "2"), ("22222", "a"), ("77777", "7"), ("9999", "z"),
        // A pause or another key completes the character.
        ("2 2", "aa"), ("23", "ad"), ("2 22 222", "abc"), ("0", "0"), ("00", "00"),
        ("1", "."), ("11", "@"), ("111", "-"), ("1111", "_"), ("11111", "+"), ("111111", "1"), ("1111111", "."),
        ("255544422233 11", "alice@"), ("22<", ""), ("22<2", "a"), ("2#2", "a2"), ("#22#2", "22a"),
    ])
    func keys(keys: String, text: String) { #expect(Self.typed(keys) == text) }

    /// A keyboard's digits look like a pad's. Its first letter tells them apart, also for later digits.
    @Test(arguments: [
        ("7up@x.de", "7up@x.de"), ("22b22", "22b22"), ("a2", "a2"), ("2#2b", "22b"), ("22 2@", "222@"),
    ])
    func aKeyboardShowsItself(keys: String, text: String) { #expect(Self.typed(keys) == text) }

    @Test func whatIsProposedStaysWhenAKeyboardShowsItself() {
        let entry = TextEntry(capacity: 20, text: "bob2", tapsLetters: true)
        #expect(Self.typed("23x", in: entry) == "bob223x")
        #expect(Self.typed("<<7", in: entry) == "bop")
    }

    @Test func theCapacityHolds() {
        #expect(Self.typed("2 2 2 2", in: TextEntry(capacity: 3, tapsLetters: true)) == "aaa")
        #expect(Self.typed("2 2 2 22", in: TextEntry(capacity: 3, tapsLetters: true)) == "aaa")
        #expect(Self.typed("222 222 2x", in: TextEntry(capacity: 3, tapsLetters: true)) == "222")
    }

    @Test func everyCharacterOfAnAccessCodeCanBeTapped() {
        var reached: Set<Character> = []
        for digit in UInt8(0)...9 {
            var tap = MultiTap(.code)
            for _ in 0..<6 {
                switch tap.press(digit) {
                case .append(let character), .replaceLast(let character): reached.insert(character)
                }
            }
        }
        #expect(reached == Set("0123456789abcdefghijklmnopqrstuvwxyz-_"))
    }

    @Test func everyCharacterOfAnAddressCanBeTapped() {
        var reached: Set<Character> = []
        for digit in UInt8(0)...9 {
            for presses in 1...6 {
                reached.formUnion(Self.typed(String(repeating: "\(digit)", count: presses)))
            }
        }
        #expect(reached == Set("0123456789abcdefghijklmnopqrstuvwxyz.@-_+"))
    }
}
