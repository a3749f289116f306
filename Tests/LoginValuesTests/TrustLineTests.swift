// SPDX-License-Identifier: Apache-2.0

import LoginValues
import SeededRandomness
import Testing

@Suite("A line of the trust list: one service, and what else it may use")
struct TrustLineTests {
    @Test(arguments: [
        ("login.example.com", "login.example.com"), ("  *.Example.com:8443\t", "*.example.com:8443"),
        ("shop.example.com -> login.example.com", "shop.example.com -> login.example.com"),
        ("shop.example.com->login.example.com:443", "shop.example.com -> login.example.com"),
        ("\ta-b.test\t->\tC.test  *.d.test:99 c.test", "a-b.test -> c.test *.d.test:99"),
        ("127.0.0.1:8480 -> [::1]:8481", "127.0.0.1:8480 -> [::1]:8481"),
    ])
    func reads(text: String, canonical: String) throws {
        let line = try TrustLine(text)
        #expect(line.description == canonical)
        #expect(try TrustLine(line.description) == line)
    }

    @Test(arguments: [
        ("", TrustEntryError.notAHost), ("->", .notAHost), ("-> a.test", .notAHost), ("a.test b.test", .notAHost),
        ("a.test b.test -> c.test", .notAHost), ("a.test ->", .arrowWithoutHost), ("a.test -> ->", .arrowWithoutHost),
        ("a.test -> b.test -> c.test", .arrowWithoutHost), ("a.test - > b.test", .notAHost),
        ("a.test -> https://b.test", .notAHost), ("a.test -> b.test:0", .invalidPort),
        ("a.test -> *.com", .wildcardTooWide), ("a.test => b.test", .notAHost), ("a.test -> b.test,c.test", .notAHost),
    ])
    func refuses(text: String, reason: TrustEntryError) {
        #expect(throws: reason) { try TrustLine(text) }
    }

    /// Whatever stands in a file: no crash, and what is read means the same when it is written and read again.
    @Test func survivesAnything() {
        let seed: UInt64 = 0x7125_2026
        var random = SplitMix64(seed: seed)
        let pieces = [
            "a.test", "b.test", "*.c.test", "->", "-", ">", " ", "\t", ":", ":8480", ":0", "*", "127.0.0.1", "[::1]",
            "#",
            "\u{0}", "\u{E9}", "\u{301}", "\r", "/", "@", "localhost", "A.TEST", " -> ",
        ]
        var accepted = 0
        for round in 0..<20_000 {
            let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            guard let line = try? TrustLine((round.isMultiple(of: 2) ? "a.test -> " : "") + text) else { continue }
            accepted += 1
            #expect((try? TrustLine(line.description)) == line, "seed \(seed), round \(round)")
            #expect(Set(line.targets).count == line.targets.count, "seed \(seed), round \(round)")
        }
        #expect(accepted > 500)
    }
}

@Suite("What a reply names belongs to the service that named it")
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
        // Each host is a service of its own.
        (apart, "https://a.test", "https://a.test", nil), (apart, "https://a.test", "https://b.test", "anotherService"),
        (apart, "https://b.test", "https://a.test", "anotherService"),
        (apart, "https://a.test", "https://c.test", "notListed"),
        (apart, "https://a.test", "http://a.test", "notHTTPS"),
        // An arrow has one direction, and leads one step.
        (joined, "https://a.test", "https://b.test", nil),
        (joined, "https://b.test", "https://a.test", "anotherService"),
        (three, "https://a.test", "https://b.test", nil), (three, "https://b.test", "https://c.test", nil),
        (three, "https://a.test", "https://c.test", "anotherService"),
        (three, "https://c.test", "https://b.test", "anotherService"),
        // One line is one service.
        (wild, "https://x.a.test", "https://y.a.test", nil),
        (wild, "https://x.a.test", "https://b.test", "anotherService"),
        (wild, "https://x.a.test", "https://a.test", "notListed"),
        // A port is another service.
        (ports, "https://a.test", "https://a.test:8443", "anotherService"),
        (ports, "https://a.test:8443", "https://a.test:8443", nil),
        (["a.test -> a.test:8443"], "https://a.test", "https://a.test:8443", nil),
        // So is another spelling of the same machine.
        (["127.0.0.1", "localhost"], "https://127.0.0.1", "https://localhost", "anotherService"),
        (["[::1] -> 127.0.0.1"], "https://[::1]", "https://127.0.0.1", nil),
        // What stands behind an arrow only may name itself, and nothing else by that.
        (["a.test -> b.test"], "https://b.test", "https://b.test", nil),
        (["a.test -> *.b.test", "x.b.test"], "https://a.test", "https://y.b.test", nil),
        (["a.test -> *.b.test", "x.b.test"], "https://x.b.test", "https://y.b.test", "anotherService"),
        (["*.a.test -> b.test"], "https://x.a.test", "https://b.test", nil),
        ([], "https://a.test", "https://a.test", "nothingTrusted"),
    ])
    func whoMayNameWhom(lines: [String], namer: String, named: String, refusal: String?) throws {
        let verdict = try Self.policy(lines).judge(Self.origin(named), namedBy: Self.origin(namer))
        if let refusal {
            #expect(verdict == .refused(try #require(TrustPolicy.Refusal(rawValue: refusal))))
        } else if case .refused(let refusal) = verdict {
            Issue.record("\(refusal)")
        }
    }

    @Test("No code may name what stands behind an arrow only")
    func targetsAreNoServices() throws {
        let policy = try Self.policy(["a.test -> b.test"])
        #expect(policy.judge(try Self.origin("https://b.test")) == .refused(.notListed))
        #expect(policy.entries == [try TrustEntry("a.test")])
    }

    @Test("http to this machine is told apart when it is the only thing that is wrong")
    func loopback() throws {
        let policy = try Self.policy(["127.0.0.1:8480", "a.test:80"])
        #expect(policy.judge(try Self.origin("http://127.0.0.1:8480")) == .refused(.loopbackHTTP))
        #expect(policy.judge(try Self.origin("http://127.0.0.1:8481")) == .refused(.notHTTPS))
        #expect(policy.judge(try Self.origin("http://a.test")) == .refused(.notHTTPS))
        let trial = try Self.policy(["127.0.0.1:8480", "127.0.0.1:8481"], loopbackHTTP: true)
        let (one, other) = (try Self.origin("http://127.0.0.1:8480"), try Self.origin("http://127.0.0.1:8481"))
        #expect(trial.judge(other, namedBy: one) == .refused(.anotherService))
        #expect(!trial.joins(one, other))
    }

    @Test func joinedIsEitherWay() throws {
        let policy = try Self.policy(Self.joined)
        let (one, other) = (try Self.origin("https://a.test"), try Self.origin("https://b.test"))
        #expect(policy.joins(one, other) && policy.joins(other, one))
        #expect(!policy.joins(one, try Self.origin("https://c.test")))
    }
}
