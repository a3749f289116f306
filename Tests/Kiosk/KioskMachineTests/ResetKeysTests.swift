// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing

@testable import KioskMachine

/// The keys that an operator chooses for a reset, as written in the settings.
@Suite struct ResetKeysTests {
    @Test func areReadAsAPersonWritesThem() {
        #expect(
            ResetKeys("clear 7 4 menu 19")?.keys
                == [.clear, .digit(7), .digit(4), .menu, .digit(1), .digit(9)])
        #expect(ResetKeys("  enter  back 0123 ")?.keys == [.enter, .back] + (0...3).map { .digit($0) })
        for text in ["", "12345", "111111", "121212", "123456 x", "12345\u{0666}", "Clear 12345", "12345678901234567"] {
            #expect(ResetKeys(text) == nil, "\(text)")
        }
    }

    /// Any text is refused, or is a sequence of keys that a person can type but does not type by chance.
    @Test func fuzz() {
        let parts = [
            "enter", "clear", "back", "menu", "0", "7", "42", " ", "  ", "\t", "\n", "-1", "x", "é", "\u{0}", "٣", "🔑",
        ]
        var (random, accepted) = (SplitMix64(seed: 23), 0)
        for round in 0..<20_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0..<24, using: &random) {
                // Mostly valid parts, so that some texts are accepted.
                let isKey = Int.random(in: 0..<30, using: &random) > 0
                text += isKey ? parts.prefix(8).randomElement(using: &random)! : parts.randomElement(using: &random)!
                if Int.random(in: 0..<20, using: &random) > 0 { text += " " }
            }
            guard let read = ResetKeys(text) else { continue }
            accepted += 1
            #expect(ResetKeys.counts.contains(read.keys.count) && Set(read.keys).count >= 3, "seed 23, round \(round)")
            #expect(text.utf8.allSatisfy { $0 < 128 }, "seed 23, round \(round)")
            // Writing them gives the same keys.
            let words = read.keys.map { key in
                switch key {
                case .digit(let digit): "\(digit)"
                default: "\(key)"
                }
            }
            #expect(ResetKeys(words.joined(separator: " "))?.keys == read.keys, "seed 23, round \(round)")
        }
        #expect(accepted > 100)
    }
}
