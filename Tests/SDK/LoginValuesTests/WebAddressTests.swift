// SPDX-License-Identifier: Apache-2.0

import LoginValues
import Patience
import Testing

@Suite struct WebAddressTests {
    @Test func parts() throws {
        let address = try WebAddress("https://Example.com:8443/rps/signature/7b22?regOTT=ab&x=%20")
        #expect(address.origin.scheme == .https)
        #expect(address.origin.host == "example.com")
        #expect(address.origin.port == 8443)
        #expect(address.path == "/rps/signature/7b22")
        #expect(address.query == "regOTT=ab&x=%20")
        #expect(address.absoluteText == "https://example.com:8443/rps/signature/7b22?regOTT=ab&x=%20")
    }

    /// Appending text to an address gives the same verdict as reading the whole.
    @Test func appendingIsReadingTheWhole() throws {
        var random = SplitMix64(seed: 41)
        let signs = ["/", "/", "a", "b", "?", "#", "@", ":", "[", "\\", " ", "é", ".", "%", "{", "8"]
        func text(_ count: Int) -> String {
            (0..<count).map { _ in signs[Int.random(in: 0..<signs.count, using: &random)] }.joined()
        }
        func result(_ make: () throws(WebAddressError) -> WebAddress) -> Result<WebAddress, WebAddressError> {
            do throws(WebAddressError) { return .success(try make()) } catch { return .failure(error) }
        }
        var bases: [WebAddress] = []
        for start in ["https://a.org", "http://127.0.0.1:8001", "https://[::1]:99/x"] {
            bases.append(try WebAddress(start))
            bases.append(try WebAddress(start + "/y//"))
            bases.append(try WebAddress(start + "/z?q"))
        }
        var kinds: Set<WebAddressError?> = []
        for round in 0..<20_000 {
            let base = bases[round % bases.count]
            let filling =
                round.isMultiple(of: 10)
                ? String(repeating: "a", count: Int.random(in: 2000...2048, using: &random)) : ""
            let suffix = (round.isMultiple(of: 3) ? "" : "/") + filling + text(Int.random(in: 0...5, using: &random))
            let path = String(base.path.reversed().drop { $0 == "/" }.reversed())
            let whole = result { () throws(WebAddressError) in try WebAddress("\(base.origin)\(path)\(suffix)") }
            #expect(result { () throws(WebAddressError) in try base.appending(suffix) } == whole, "\(base), \(suffix)")
            if case .failure(let error) = whole { kinds.insert(error) } else { kinds.insert(nil) }
        }
        #expect(kinds.isSuperset(of: [nil, .tooLong, .forbiddenCharacter, .fragment]))
    }

    @Test func appending() throws {
        #expect(try WebAddress("https://a.org/x//").appending("/service").absoluteText == "https://a.org/x/service")
        #expect(try WebAddress("https://a.org").appending("/p?q=1").absoluteText == "https://a.org/p?q=1")
        #expect(throws: WebAddressError.forbiddenCharacter) { try WebAddress("https://a.org").appending("/a b") }
        #expect(throws: WebAddressError.fragment) { try WebAddress("https://a.org").appending("/a#b") }
    }

    @Test(arguments: [
        ("http://127.0.0.1", true), ("http://127.8.8.8", true), ("http://localhost", true), ("http://[::1]", true),
        ("http://128.0.0.1", false), ("http://localhost.example.com", false), ("http://127.example.com", false),
        ("http://[::2]", false),
    ])
    func loopback(text: String, isLoopback: Bool) throws {
        #expect(try WebAddress(text).origin.isLoopback == isLoopback)
    }

    @Test func tooLong() {
        #expect(throws: WebAddressError.tooLong) {
            try WebAddress("https://a.org/" + String(repeating: "a", count: WebAddress.maximumLength))
        }
    }

    @Test func noPrintedFormHasTheQuery() throws {
        let address = try WebAddress("https://a.test/path?secret=canary")
        var text = "\(address) \(String(reflecting: address)) "
        dump(address, to: &text)
        #expect(text.contains("/path") && !text.contains("canary"))
    }
}

@Suite("An e-mail address is trimmed, lower-cased and checked")
struct EmailAddressTests {
    @Test(arguments: [
        ("alice@example.com", "alice@example.com"), ("  Alice.B+kiosk@Example.COM \n", "alice.b+kiosk@example.com"),
    ])
    func accepted(typed: String, text: String) { #expect(EmailAddress(typed)?.text == text) }

    @Test(arguments: [
        "", " ", "alice", "alice@", "@example.com", "alice@example", "a@b@example.com", "al ice@example.com",
        ".alice@example.com", "alice.@example.com", "a..b@example.com", "alice@-example.com", "alice@example..com",
        "alice@1.2.3.4", "älice@example.com", "alice@example.com\r\nBcc: x@y.zz", "\"a b\"@example.com",
        String(repeating: "a", count: 65) + "@example.com", "\u{212a}elly@example.com", "alice@\u{212a}.example.com",
    ])
    func refused(typed: String) { #expect(EmailAddress(typed) == nil) }
}

@Suite("User ids that differ in case or composition are the same person's")
struct UserIDComparisonTests {
    @Test(arguments: [
        ("Frank@Example.com", "frank@example.COM", true), ("", "", true), ("a", "ab", false), ("a", "b", false),
        ("\u{212a}elly", "kelly", true), ("\u{fc}", "u\u{308}", true), ("\u{dc}", "\u{fc}", true), ("@", "`", false),
        ("[", "{", false), ("\u{c9}lodie@example.com", "e\u{301}lodie@example.com", true), ("e", "\u{e9}", false),
        ("\u{fb01}", "fi", false), ("a", "\u{430}", false), ("stra\u{df}e", "strasse", false),
    ])
    func compares(_ one: String, _ other: String, _ isSame: Bool) {
        #expect(one.isSameUserID(as: other) == isSame && other.isSameUserID(as: one) == isSame)
    }
}
