// SPDX-License-Identifier: Apache-2.0

import LoginValues
import Testing

@Suite("Only hosts in the list are contacted")
struct TrustPolicyTests {
    static func policy(_ lines: String..., loopbackHTTP: Bool = false) throws -> TrustPolicy {
        TrustPolicy(entries: try lines.map { try TrustEntry($0) }, allowsLoopbackHTTP: loopbackHTTP)
    }

    static func origin(_ text: String) throws -> Origin { try WebAddress(text).origin }

    @Test(arguments: [
        ("mpin.io", "https://mpin.io", true),
        ("mpin.io", "https://MPIN.io:443/path", true),
        ("mpin.io", "https://evilmpin.io", false),
        ("mpin.io", "https://api.mpin.io", false),
        ("mpin.io", "https://mpin.io.evil.org", false),
        ("mpin.io", "https://mpin.io:8443", false),
        ("mpin.io", "http://mpin.io", false),
        ("mpin.io", "http://mpin.io:443", false),
        ("mpin.io:8443", "https://mpin.io:8443", true),
        ("mpin.io:8443", "https://mpin.io", false),
        ("*.mpin.io", "https://api.mpin.io", true),
        ("*.mpin.io", "https://a.b.mpin.io", true),
        ("*.mpin.io", "https://mpin.io", false),
        ("*.mpin.io", "https://evilmpin.io", false),
        ("*.MPIN.IO:8443", "https://api.mpin.io:8443", true),
        ("127.0.0.1:8480", "http://127.0.0.1:8480", false),
    ])
    func oneEntry(line: String, address: String, allowed: Bool) throws {
        #expect(try Self.policy(line).allows(Self.origin(address)) == allowed)
    }

    @Test("An empty list denies every host, even loopback")
    func empty() throws {
        let policy = TrustPolicy(allowsLoopbackHTTP: true)
        #expect(policy.check(try Self.origin("https://mpin.io")) == .refused(.nothingTrusted))
        #expect(policy.check(try Self.origin("http://127.0.0.1")) == .refused(.nothingTrusted))
    }

    @Test("Http is allowed for loopback only, and only if enabled")
    func loopback() throws {
        let policy = try Self.policy("127.0.0.1:8480", "localhost:8480", "mpin.io:80", loopbackHTTP: true)
        #expect(policy.allows(try Self.origin("http://127.0.0.1:8480")))
        #expect(policy.allows(try Self.origin("http://localhost:8480")))
        #expect(policy.check(try Self.origin("http://mpin.io")) == .refused(.notHTTPS))
        #expect(policy.check(try Self.origin("http://127.0.0.1:8481")) == .refused(.notListed))
        #expect(policy.check(try Self.origin("http://127.0.0.1.evil.org:8480")) == .refused(.notHTTPS))
    }

    @Test("The verdict names the entry, which the consent screen shows")
    func namesEntry() throws {
        let entry = try TrustEntry("*.mpin.io")
        #expect(try Self.policy("a.org", "*.mpin.io").check(Self.origin("https://api.mpin.io")) == .allowed(by: entry))
        #expect(entry.description == "*.mpin.io")
    }

    @Test(arguments: [
        ("", TrustEntryError.notAHost), ("https://mpin.io", .notAHost), ("mpin.io/path", .notAHost),
        ("mp in.io", .notAHost),
        ("user@mpin.io", .notAHost), ("mpin.io?x", .notAHost), ("a.*.io", .notAHost), ("*", .notAHost),
        ("mpin.io:", .invalidPort), ("mpin.io:0", .invalidPort), ("mpin.io:99999", .invalidPort),
        ("*.io", .wildcardTooWide), ("*.127.0.0.1", .wildcardTooWide),
    ])
    func refusedLines(line: String, reason: TrustEntryError) {
        #expect(throws: reason) { try TrustEntry(line) }
    }
}
