// SPDX-License-Identifier: Apache-2.0

import LoginValues
import Patience
import Testing

@Suite("A QR code is a login code only if it fits one strict grammar")
struct LoginRequestTests {
    static func parse(_ text: String) throws(LoginRequestError) -> LoginRequest {
        let bytes = Array(text.utf8)
        return try LoginRequest(symbol: bytes.span)
    }

    @Test(arguments: [
        ("https://login.example.com#7a65de7b2ea743e795255dfe7baa1c05", "https://login.example.com"),
        ("https://login.example.com/#7a65", "https://login.example.com"),
        ("https://login.example.com/mobile-login/#7a65", "https://login.example.com/mobile-login"),
        ("https://LOGIN.Example.com:8443/a/b#c", "https://login.example.com:8443/a/b"),
        ("https://login.example.com:443#c", "https://login.example.com"),
        ("http://127.0.0.1:8480#1234567", "http://127.0.0.1:8480"),
        ("http://[::1]:8480#1234567", "http://[::1]:8480"),
        ("HTTPS://a#b", "https://a"),
        // In a path `@` stands for itself.
        ("https://login.example.com/@shop:8220#1", "https://login.example.com/@shop:8220"),
    ])
    func accepted(text: String, base: String) throws {
        let request = try Self.parse(text)
        #expect(request.baseURL.absoluteText == base)
        let code = String(text[text.index(after: try #require(text.firstIndex(of: "#")))...])
        #expect(request.accessCode == AccessCode(code))
    }

    /// Other apps add a line break after a text, or a byte order mark before it.
    @Test(arguments: [
        "\n", "\r\n", "  ", "\t", "\u{FEFF}", "\u{FEFF}\n", "\n\u{FEFF}", String(repeating: " ", count: 600),
    ])
    func surroundingsCountForNothing(_ around: String) throws {
        let text = "https://login.example.com#7a65"
        for surrounded in [around + text, text + around, around + text + around] {
            #expect(try Self.parse(surrounded) == Self.parse(text))
            let payload = SecretBytes(copying: surrounded.utf8)
            #expect(payload.trimmed == SecretBytes(copying: text.utf8))
        }
    }

    static let refusals: [(String, LoginRequestError)] = [
        ("", .noAccessCode),
        ("just some text", .noAccessCode),
        ("https://login.example.com", .noAccessCode),
        ("https://login.example.com#", .invalidAccessCode),
        ("https://login.example.com#a b", .invalidAccessCode),
        ("https://login.example.com#a\0b", .invalidAccessCode),
        ("https://login.example.com#ü", .invalidAccessCode),
        ("https://login.example.com#" + String(repeating: "a", count: 257), .invalidAccessCode),
        ("https://login.example.com#a#b", .severalFragments),
        ("##", .severalFragments),
        ("#a", .invalidAddress(.notAbsolute)),
        ("login.example.com#a", .invalidAddress(.notAbsolute)),
        ("//login.example.com#a", .invalidAddress(.notAbsolute)),
        ("ftp://login.example.com#a", .invalidAddress(.unsupportedScheme)),
        ("javascript://login.example.com#a", .invalidAddress(.unsupportedScheme)),
        ("https://login.example.com #a", .invalidAddress(.forbiddenCharacter)),
        ("https://login.example.com# a", .invalidAccessCode),
        ("\u{FEFF}", .noAccessCode), (" \r\n\t", .noAccessCode),
        ("\u{A0}https://login.example.com#a", .invalidAddress(.forbiddenCharacter)),
        ("https://login.example.com\u{0}.evil.org#a", .invalidAddress(.forbiddenCharacter)),
        ("https://login.examрle.com#a", .invalidAddress(.forbiddenCharacter)),  // a Cyrillic letter
        ("https://login.example.com\\@evil.org#a", .invalidAddress(.forbiddenCharacter)),
        ("https://login.example.com@evil.org#a", .invalidAddress(.userInformation)),
        ("https://user:pass@evil.org#a", .invalidAddress(.userInformation)),
        ("https://#a", .invalidAddress(.invalidHost)),
        ("https:///path#a", .invalidAddress(.invalidHost)),
        ("https://.example.com#a", .invalidAddress(.invalidHost)),
        ("https://example.com.#a", .invalidAddress(.invalidHost)),
        ("https://-a.example.com#a", .invalidAddress(.invalidHost)),
        ("https://exa_mple.com#a", .invalidAddress(.invalidHost)),
        ("https://exam%70le.com#a", .invalidAddress(.invalidHost)),
        ("https://127.1#a", .invalidAddress(.invalidHost)),
        ("https://2130706433#a", .invalidAddress(.invalidHost)),
        ("https://0x7f000001#a", .invalidAddress(.invalidHost)),
        ("https://0177.0.0.1#a", .invalidAddress(.invalidHost)),
        ("https://256.0.0.1#a", .invalidAddress(.invalidHost)),
        ("https://[::1#a", .invalidAddress(.invalidHost)),
        ("https://[::1::2]#a", .invalidAddress(.invalidHost)),
        ("https://[fe80::1%eth0]#a", .invalidAddress(.invalidHost)),
        ("https://a:#a", .invalidAddress(.invalidPort)),
        ("https://a:0#a", .invalidAddress(.invalidPort)),
        ("https://a:65536#a", .invalidAddress(.invalidPort)),
        ("https://a:4 43#a", .invalidAddress(.forbiddenCharacter)),
        ("https://a:443:443#a", .invalidAddress(.invalidPort)),
        ("https://a/?next=b#a", .queryInAddress),
        ("https://a?#a", .queryInAddress),
        ("https://a/" + String(repeating: "b", count: 512) + "#a", .tooLong),
    ]

    @Test(arguments: refusals)
    func refused(text: String, reason: LoginRequestError) {
        #expect(throws: reason) { try Self.parse(text) }
    }

    @Test("For any bytes, the address that is connected to is the one that was read")
    func fuzz() {
        var random = SplitMix64(seed: 0x5EED_0001)
        let alphabet = Array("https://ab.c:1/?#@[]%\\0x_-\u{0}\u{7F}ÿ".utf8)
        var accepted = 0
        for round in 0..<200_000 {
            var bytes = Array("https://".utf8)
            if round % 3 == 0 { bytes = [] }
            for _ in 0..<Int.random(in: 0..<24, using: &random) {
                bytes.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
            }
            if round % 2 == 0 { bytes += Array("#a".utf8) }
            guard let request = try? LoginRequest(symbol: bytes.span) else { continue }
            accepted += 1
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(ReferenceGrammar.accepts(text), "seed 0x5EED0001, round \(round)")
            #expect((try? WebAddress(request.baseURL.absoluteText)) == request.baseURL)
        }
        #expect(accepted > 100, "the generator must reach accepted codes to mean anything")
    }
}

/// A second implementation of the grammar, with a regular expression.
private enum ReferenceGrammar {
    static func accepts(_ text: String) -> Bool {
        let label = "[a-zA-Z0-9](?:[-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?"
        let octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
        let host =
            "(?:\(octet)(?:\\.\(octet)){3}|(?:\(label)\\.)*(?!0[xX])(?![0-9]+(?:[:/#]))\(label)|\\[[0-9a-fA-F:]+\\])"
        let pattern =
            "^[hH][tT][tT][pP][sS]?://\(host)(?::[0-9]{1,5})?(?:/[^\\s?#]*)?#[-_0-9A-Za-z]{1,256}$"
        guard let expression = try? Regex(pattern) else { return false }
        return text.wholeMatch(of: expression) != nil
    }
}
