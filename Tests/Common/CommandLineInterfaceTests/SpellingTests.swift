// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CommandLineInterface

struct SpellingTests {
    private static let commands = ["run", "trust", "doctor", "identities", "config"]

    @Test(arguments: [
        ("trsut", "trust"), ("trus", "trust"), ("rum", "run"), ("docter", "doctor"), ("identitys", "identities"),
        ("Config", "config"),
    ])
    func finds(_ text: String, _ word: String) {
        #expect(Spelling(Self.commands).nearest(to: text) == word)
    }

    @Test(arguments: ["", "x", "start", "backup", String(repeating: "trust", count: 1000)])
    func findsNothing(_ text: String) {
        #expect(Spelling(Self.commands).nearest(to: text) == nil)
    }
}
