// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

@testable import HostIntegration

/// The settings of a profile, as shown to the person who is asked to agree.
@Suite struct SettingsTextTests {
    private static let whole = """
        screen:
          language: de
        audit: {log: false}
        reset: {keys: clear 7 4 menu 1 9}

        """

    @Test func isToldInTheOrderOfTheText() throws {
        let settings = try #require(SettingsText("screen:\n  language: de\nreset: {keys: clear 7 4 menu 1 9}\n"))
        #expect(settings.entries.map(\.name) == ["screen.language", "reset.keys"])
        #expect(settings.entries.map(\.value) == ["de", "clear 7 4 menu 1 9"])
        #expect(SettingsText("")?.entries.isEmpty == true)
        for text in ["nonsense: 1", "screen: [", "screen: {language: de}\nscreen: {language: en}", "- a"] {
            #expect(SettingsText(text) == nil, "\(text)")
        }
    }

    /// The person sees what a file with that text would set, or there is nothing to agree to.
    @Test func fuzz() {
        let pieces = [
            "screen", "language", "reset", "keys", "network", ": ", ":", "\n", "  ", "{", "}", "[", "]", "&a", "*a",
            "!", "|",
            "#", "\"", "'", "%", "\t", "\u{0}", "\u{202E}", "é", "---\n", "...", "? ", "- ", "<<", "~", "0x10", "yes",
        ]
        var (random, accepted) = (SplitMix64(seed: 29), 0)
        for round in 0..<TestEffort.rounds(1000) {
            var text = Array(Self.whole)
            for _ in 0..<Int.random(in: 0..<5, using: &random) {
                let place = Int.random(in: 0...text.count, using: &random)
                if Bool.random(using: &random), place < text.count {
                    text.removeSubrange(place..<min(text.count, place + Int.random(in: 1..<6, using: &random)))
                } else {
                    text.insert(contentsOf: pieces.randomElement(using: &random)!, at: place)
                }
            }
            let string = String(text)
            let file = ConfigurationFile(path: "profile", content: Data(string.utf8))
            guard let read = SettingsText(string) else {
                #expect(!file.problems.isEmpty, "seed 29, round \(round)")
                continue
            }
            accepted += 1
            #expect(read.entries.map(\.name) == file.entries.map(\.name), "seed 29, round \(round)")
            #expect(read.entries.map(\.value) == file.entries.map(\.value), "seed 29, round \(round)")
            #expect(read.entries.allSatisfy { ConfigurationKey.named($0.name) != nil }, "seed 29, round \(round)")
            #expect(Set(read.entries.map(\.name)).count == read.entries.count, "seed 29, round \(round)")
        }
        #expect(accepted > 100)
    }
}
