// SPDX-License-Identifier: Apache-2.0

import LoginValues
import Patience
import Testing

@Suite struct VerificationLinkTests {
    static func link(_ text: String) -> VerificationLink? {
        let bytes = Array(text.utf8)
        return VerificationLink(symbol: bytes.span)
    }

    @Test(arguments: [
        ("https://p.test/verification/confirmation?user_id=alice@example.com&code=abc", "alice@example.com", "abc"),
        ("https://p.test/v?code=a%2Bb%3d&stage=1&user_id=al%2Bice%40example.com", "al+ice@example.com", "a+b="),
        ("https://p.test?user_id=a+b&code=c+d&", "a+b", "c+d"),
        ("\u{FEFF}https://p.test?user_id=a&code=c\r\n", "a", "c"), (" https://p.test?user_id=a&code=c ", "a", "c"),
        ("https://p.test/?x&user_id=zo%C3%AB&code=1=2&client_id=", "zo\u{EB}", "1=2"),
    ]) func reads(_ text: String, _ userID: String, _ code: String) throws {
        let link = try #require(Self.link(text))
        #expect(link.userID == userID)
        #expect(link.code == SecretBytes(copying: code.utf8))
        #expect(link.address.origin.host == "p.test" && link.address.query == nil)
        #expect(!"\(link)".contains(code) || code.count < 4)
    }

    @Test(arguments: [
        "", "hello", "https://p.test", "https://p.test?user_id=a", "https://p.test?code=a",
        "https://p.test?user_id=&code=a",
        "https://p.test?user_id=a&code=", "https://p.test?user_id=a&user_id=b&code=c",
        "https://p.test?user_id=a&code=b&code=c",
        "https://p.test?user_id=a%&code=c", "https://p.test?user_id=a%4&code=c", "https://p.test?user_id=a%GG&code=c",
        "https://p.test?user_id=%FF&code=c", "https://p.test?user_id=a%00&code=c", "https://p.test?user_id=a b&code=c",
        "https://u@p.test?user_id=a&code=c", "ftp://p.test?user_id=a&code=c", "p.test?user_id=a&code=c",
        "https://p.test#x?user_id=a&code=c", "https://p.test?USER_ID=a&code=c",
        "https://p.test?user_id=" + String(repeating: "a", count: 257) + "&code=c",
        "https://p.test?user_id=a&code=" + String(repeating: "a", count: 1025),
        "https://p.test?user_id=a&code=b&x=" + String(repeating: "a", count: 2048),
    ]) func refuses(_ text: String) {
        #expect(Self.link(text) == nil)
    }

    /// No scanned text crashes the reader, and an accepted one has both parts within their limits.
    @Test func survivesAnything() {
        let seed: UInt64 = 0x11_4B_2026
        var random = SplitMix64(seed: seed)
        let pieces = [
            "https://p.test", "?", "&", "=", "user_id", "code", "user_id=a", "code=b", "%", "%41", "%zz", "#", "\u{0}",
            " ",
            "\u{E9}", "/", "@", "%C3%AB", "+",
        ]
        var accepted = 0
        for round in 0..<20_000 {
            let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            let prefix = ["", "https://p.test?", "https://p.test?user_id=a&", "https://p.test?code=b&x="][round % 4]
            guard let link = Self.link(prefix + text) else { continue }
            accepted += 1
            #expect(VerificationLink.userIDLengths.contains(link.userID.utf8.count), "seed \(seed), round \(round)")
            #expect((1...1024).contains(link.code.count), "seed \(seed), round \(round)")
        }
        #expect(accepted > 10)
    }
}
