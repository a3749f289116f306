// SPDX-License-Identifier: Apache-2.0

import LoginValues
import Patience
import Testing

@Suite("A line of the trust list: a service, other hosts that it may use, and their pins")
struct TrustLineTests {
    static let one = "pin-sha256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    static let two = "pin-sha256:" + String(repeating: "A", count: 43) + "="
    private static let digits = one.dropFirst("pin-sha256:".count)

    @Test(
        arguments: [
            ("login.example.com", "login.example.com"), ("  *.Example.com:8443\t", "*.example.com:8443"),
            ("shop.example.com -> login.example.com", "shop.example.com -> login.example.com"),
            ("shop.example.com->login.example.com:443", "shop.example.com -> login.example.com"),
            ("\ta-b.test\t->\tC.test  *.d.test:99 c.test", "a-b.test -> c.test *.d.test:99"),
            ("127.0.0.1:8480 -> [::1]:8481", "127.0.0.1:8480 -> [::1]:8481"),
            ("A.test \(one)", "a.test \(one)"), ("a.test\tPIN-SHA256:\(one.dropFirst(11))", "a.test \(one)"),
            ("a.test sha256//\(one.dropFirst(11)) sha256/\(two.dropFirst(11))", "a.test \(one) \(two)"),
            ("a.test \(two) \(one) \(two)", "a.test \(two) \(one)"),
            ("a.test \(one)->b.test \(two) c.test", "a.test \(one) -> b.test \(two) c.test"),
            ("a.test -> b.test \(one) b.test \(two)", "a.test -> b.test \(one) \(two)"),
            ("a.test -> a.test \(one)", "a.test \(one) -> a.test"),
            ("*.a.test:8443 \(one)", "*.a.test:8443 \(one)"),
            ("a.test -> pin-server.test:8443", "a.test -> pin-server.test:8443"),
        ] as [(String, String)])
    func reads(text: String, canonical: String) throws {
        let line = try TrustLine(text)
        #expect(line.description == canonical)
        #expect(try TrustLine(line.description) == line)
    }

    @Test(
        arguments: [
            ("", TrustEntryError.notAHost), ("->", .notAHost), ("-> a.test", .notAHost), ("a.test b.test", .notAHost),
            ("a.test b.test -> c.test", .notAHost), ("a.test ->", .delegationWithoutHost),
            ("a.test -> ->", .delegationWithoutHost),
            ("a.test -> b.test -> c.test", .delegationWithoutHost), ("a.test - > b.test", .notAHost),
            ("a.test -> https://b.test", .notAHost), ("a.test -> b.test:0", .invalidPort),
            ("\(one) a.test", .pinWithoutHost), ("a.test -> \(one)", .pinWithoutHost),
            ("a.test -> \(one) b.test", .pinWithoutHost), ("a.test \(digits)", .notAHost),
            ("a.test \(one) b.test", .notAHost),
            ("a.test pin-sha256:", .pin(.wrongLength(0))), ("a.test pin-sha256:AAAA", .pin(.wrongLength(3))),
            ("a.test pin-sha256:\(String(repeating: "0123456789abcdef", count: 4))", .pin(.wrongLength(48))),
            ("a.test pin-sha256:\(digits.dropLast())", .pin(.notBase64)),
            ("a.test pin-sha256:\(digits)=", .pin(.notBase64)),
            ("a.test pin-sha256:\(digits.dropLast(2))V=", .pin(.notBase64)),
            ("a.test pin-sha256:\(digits.dropLast(2))-=", .pin(.notBase64)),
            ("a.test -> b.test pin-sha256:\(digits.dropLast(3))\u{E9}=", .pin(.notBase64)),
            ("a.test pin-sha1:\(digits)", .pin(.notAPin)), ("a.test pin-sha512:AAAA", .pin(.notAPin)),
            ("a.test -> b.test pin-md5:AAAA=", .pin(.notAPin)), ("a.test sha256:\(digits)", .pin(.notAPin)),
            ("a.test -> *.com", .wildcardTooWide), ("a.test => b.test", .notAHost),
            ("a.test -> b.test,c.test", .notAHost),
        ] as [(String, TrustEntryError)])
    func refuses(text: String, reason: TrustEntryError) {
        #expect(throws: reason) { try TrustLine(text) }
    }

    /// No file content crashes the reader, and writing a line and reading it again keeps its meaning.
    @Test func survivesAnything() {
        let seed: UInt64 = 0x7125_2026
        var random = SplitMix64(seed: seed)
        let pieces = [
            "a.test", "b.test", "*.c.test", "->", "-", ">", " ", "\t", ":", ":8480", ":0", "*", "127.0.0.1", "[::1]",
            "#",
            Self.one, Self.two, "pin-sha256:", "sha256/", "AAAA", "=", " \(Self.one)", " \(Self.two)",
            "\u{0}", "\u{E9}", "\u{301}", "\r", "/", "@", "localhost", "A.TEST", " -> ",
        ]
        var (accepted, pinned) = (0, 0)
        for round in 0..<20_000 {
            let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            guard let line = try? TrustLine(["a.test -> ", "a.test ", ""][round % 3] + text) else { continue }
            accepted += 1
            #expect((try? TrustLine(line.description)) == line, "seed \(seed), round \(round)")
            #expect(Set(line.targets).count == line.targets.count, "seed \(seed), round \(round)")
            #expect(
                line.pins.allSatisfy { host, pins in
                    ([line.entry] + line.targets).contains(host) && !pins.isEmpty && Set(pins).count == pins.count
                }, "seed \(seed), round \(round)")
            pinned += line.pins.isEmpty ? 0 : 1
        }
        #expect(accepted > 500 && pinned > 100)
    }

    /// In base64 this digest begins with a slash, and so does the base64 after `sha256//`.
    @Test(arguments: ["pin-sha256:", "sha256/", "sha256//", "SHA256/"])
    func aDigestMayBeginWithASlash(notation: String) throws {
        let pin = try #require(PublicKeyPin(digest: [UInt8](repeating: 0xff, count: 32)))
        #expect(pin.base64.hasPrefix("/"))
        #expect(try PublicKeyPin(notation + pin.base64) == pin)
    }

    /// Adds and removes entries in any order.
    @Test func keysComeAndGo() throws {
        var line = try TrustLine("a.test \(Self.one) -> b.test \(Self.one)")
        try line.add(try TrustLine("a.test \(Self.two) -> c.test \(Self.two)"))
        #expect(line.description == "a.test \(Self.one) \(Self.two) -> b.test \(Self.one) c.test \(Self.two)")
        #expect(line.contains(try TrustLine("a.test \(Self.two) -> b.test")))
        #expect(!line.contains(try TrustLine("a.test -> b.test \(Self.two)")))
        line.remove(try TrustLine("a.test \(Self.one) -> c.test \(Self.two)"))
        #expect(line.description == "a.test \(Self.two) -> b.test \(Self.one) c.test")
        line.remove(try TrustLine("a.test -> b.test"))
        #expect(line.description == "a.test \(Self.two) -> c.test" && line.pins.count == 1)
    }

    @Test func aHostHasSoManyKeysAtMost() throws {
        let pins = try (0...PublicKeyPin.maximumCount).map { index in
            try #require(PublicKeyPin(digest: [UInt8](repeating: UInt8(index), count: 32)))
        }
        let text = { (count: Int) in "a.test " + pins.prefix(count).map(\.description).joined(separator: " ") }
        var full = try TrustLine(text(PublicKeyPin.maximumCount))
        #expect(full.pins[full.entry]?.count == PublicKeyPin.maximumCount)
        #expect(throws: TrustEntryError.tooManyPins) { try TrustLine(text(PublicKeyPin.maximumCount + 1)) }
        #expect(throws: TrustEntryError.tooManyPins) { try full.add(try TrustLine("a.test \(pins[8])")) }
        try full.add(try TrustLine("a.test \(pins[7]) -> b.test \(pins[8])"))
    }

    @Test func digestsAreWrittenAsTheyAreRead() throws {
        var random = SplitMix64(seed: 0x5081_2026)
        for _ in 0..<2_000 {
            let pin = try #require(
                PublicKeyPin(digest: (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }))
            #expect(pin.description.utf8.count == 55 && (try? PublicKeyPin(pin.description)) == pin)
            var text = Array(pin.description.utf8)
            text[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(in: 0...127, using: &random)
            // A text is refused or gives another digest, so that no digest has two spellings.
            guard let other = try? PublicKeyPin(String(decoding: text, as: UTF8.self)) else { continue }
            #expect(other.base64 == String(decoding: text.suffix(44), as: UTF8.self))
        }
        #expect(PublicKeyPin(digest: [1, 2, 3]) == nil)
    }
}

@Suite("The keys that a server may have")
struct PinnedOriginTests {
    private static let (one, two) = (TrustLineTests.one, TrustLineTests.two)

    @Test(
        arguments: [
            (["a.test"], "https://a.test", []), (["a.test \(one)"], "https://a.test", [one]),
            (["a.test \(one) \(two)"], "https://a.test", [two, one]),
            // Another port is another server, and another line another service.
            (["a.test \(one)"], "https://a.test:8443", []),
            (["a.test:8443 \(one)", "a.test"], "https://a.test:8443", [one]),
            // Pins follow their host on either side of the sign, and apply to every service that names it.
            (["a.test \(one) -> b.test"], "https://b.test", []), (["a.test -> b.test \(one)"], "https://b.test", [one]),
            (["a.test -> b.test", "c.test -> b.test \(one)"], "https://b.test", [one]),
            (["a.test -> b.test \(one)", "b.test"], "https://b.test", [one]),
            (["a.test -> b.test \(one)", "b.test \(two)"], "https://b.test", [two, one]),
            // The pins of a domain's line apply to all its hosts. A host with its own pins has only those.
            (["*.a.test \(one)"], "https://x.y.a.test", [one]), (["*.a.test \(one)"], "https://a.test", []),
            (["*.a.test \(one)", "x.a.test"], "https://x.a.test", [one]),
            (["*.a.test \(one)", "x.a.test \(two)"], "https://x.a.test", [two]),
            (["*.a.test \(one)", "*.y.a.test \(two)"], "https://x.y.a.test", [two]),
        ] as [([String], String, [String])])
    func pins(lines: [String], origin: String, expected: [String]) throws {
        let pins = try NamedHostTests.policy(lines).pins(for: NamedHostTests.origin(origin))
        #expect(pins.map(\.description) == expected)
    }

    @Test("A server shows no key over http, so hosts with pins need https")
    func http() throws {
        let lines = ["127.0.0.1:8480 \(Self.one)", "127.0.0.1:8481"]
        let policy = try NamedHostTests.policy(lines, loopbackHTTP: true)
        #expect(policy.check(try NamedHostTests.origin("http://127.0.0.1:8480")) == .refused(.notHTTPS))
        #expect(policy.allows(try NamedHostTests.origin("https://127.0.0.1:8480")))
        #expect(policy.allows(try NamedHostTests.origin("http://127.0.0.1:8481")))
    }
}

@Suite("A host in a reply belongs to the service that named it")
struct NamedHostTests {
    static func policy(_ lines: [String], loopbackHTTP: Bool = false) throws -> TrustPolicy {
        TrustPolicy(lines: try lines.map { try TrustLine($0) }, allowsLoopbackHTTP: loopbackHTTP)
    }

    static func origin(_ text: String) throws -> Origin { try WebAddress(text).origin }

    private static let apart = ["a.test", "b.test"]
    private static let joined = ["a.test -> b.test", "b.test"]
    private static let three = ["a.test -> b.test", "b.test -> c.test", "c.test"]
    private static let wild = ["*.a.test", "b.test"]
    private static let ports = ["a.test", "a.test:8443"]

    @Test(arguments: [
        // Each host is a service.
        (apart, "https://a.test", "https://a.test", nil), (apart, "https://a.test", "https://b.test", "anotherService"),
        (apart, "https://b.test", "https://a.test", "anotherService"),
        (apart, "https://a.test", "https://c.test", "notListed"),
        (apart, "https://a.test", "http://a.test", "notHTTPS"),
        // A delegation has one direction and goes one step.
        (joined, "https://a.test", "https://b.test", nil),
        (joined, "https://b.test", "https://a.test", "anotherService"),
        (three, "https://a.test", "https://b.test", nil), (three, "https://b.test", "https://c.test", nil),
        (three, "https://a.test", "https://c.test", "anotherService"),
        (three, "https://c.test", "https://b.test", "anotherService"),
        // One line is one service.
        (wild, "https://x.a.test", "https://y.a.test", nil),
        (wild, "https://x.a.test", "https://b.test", "anotherService"),
        (wild, "https://x.a.test", "https://a.test", "notListed"),
        // Another port is another service.
        (ports, "https://a.test", "https://a.test:8443", "anotherService"),
        (ports, "https://a.test:8443", "https://a.test:8443", nil),
        (["a.test -> a.test:8443"], "https://a.test", "https://a.test:8443", nil),
        // Another name of the same machine is another service.
        (["127.0.0.1", "localhost"], "https://127.0.0.1", "https://localhost", "anotherService"),
        (["[::1] -> 127.0.0.1"], "https://[::1]", "https://127.0.0.1", nil),
        // A host that is only delegated to may name itself and no other host.
        (["a.test -> b.test"], "https://b.test", "https://b.test", nil),
        (["a.test -> *.b.test", "x.b.test"], "https://a.test", "https://y.b.test", nil),
        (["a.test -> *.b.test", "x.b.test"], "https://x.b.test", "https://y.b.test", "anotherService"),
        (["*.a.test -> b.test"], "https://x.a.test", "https://b.test", nil),
        ([], "https://a.test", "https://a.test", "nothingTrusted"),
    ])
    func whoMayNameWhom(lines: [String], namer: String, named: String, refusal: String?) throws {
        let verdict = try Self.policy(lines).check(Self.origin(named), namedBy: Self.origin(namer))
        if let refusal {
            #expect(verdict == .refused(try #require(TrustPolicy.Refusal(rawValue: refusal))))
        } else if case .refused(let refusal) = verdict {
            Issue.record("\(refusal)")
        }
    }

    @Test("No code may name a host that is only delegated to")
    func targetsAreNoServices() throws {
        let policy = try Self.policy(["a.test -> b.test"])
        #expect(policy.check(try Self.origin("https://b.test")) == .refused(.notListed))
        #expect(policy.entries == [try TrustEntry("a.test")])
    }

    @Test("Http to this machine has its own error when nothing else is wrong")
    func loopback() throws {
        let policy = try Self.policy(["127.0.0.1:8480", "a.test:80"])
        #expect(policy.check(try Self.origin("http://127.0.0.1:8480")) == .refused(.loopbackHTTP))
        #expect(policy.check(try Self.origin("http://127.0.0.1:8481")) == .refused(.notHTTPS))
        #expect(policy.check(try Self.origin("http://a.test")) == .refused(.notHTTPS))
        let trial = try Self.policy(["127.0.0.1:8480", "127.0.0.1:8481"], loopbackHTTP: true)
        let (one, other) = (try Self.origin("http://127.0.0.1:8480"), try Self.origin("http://127.0.0.1:8481"))
        #expect(trial.check(other, namedBy: one) == .refused(.anotherService))
        #expect(!trial.joins(one, other))
    }

    @Test func joinedIsEitherWay() throws {
        let policy = try Self.policy(Self.joined)
        let (one, other) = (try Self.origin("https://a.test"), try Self.origin("https://b.test"))
        #expect(policy.joins(one, other) && policy.joins(other, one))
        #expect(!policy.joins(one, try Self.origin("https://c.test")))
    }
}
