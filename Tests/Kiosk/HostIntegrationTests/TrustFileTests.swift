// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostIntegration
import LoginValues
import Testing

@Suite struct TrustFileTests {
    private let files: FileTree
    private var file: TrustFile { TrustFile(path: files.path("deep/trusted")) }

    init() throws { files = try FileTree() }

    private func content() throws -> String { try files.text("deep/trusted") }
    private func write(_ text: String) throws { try files.file("deep/trusted", text) }

    @Test func addListRemove() throws {
        #expect(try file.services().isEmpty)
        #expect(try file.add(TrustLine("login.example.com")))
        #expect(try file.add(TrustLine("*.Example.org:8443")))
        #expect(try !file.add(TrustLine("LOGIN.example.com:443")))
        #expect(try file.services().map(\.description) == ["login.example.com", "*.example.org:8443"])
        #expect(try file.remove(TrustLine("login.example.com")))
        #expect(try !file.remove(TrustLine("login.example.com")))
        #expect(try content() == "*.example.org:8443\n")
    }

    @Test("Comments and order are kept in a change")
    func commentsStay() throws {
        try write("# our services\n\n  a.org  # the old one\nb.org")
        _ = try file.add(TrustLine("c.org"))
        #expect(try content() == "# our services\n\n  a.org  # the old one\nb.org\nc.org\n")
        _ = try file.remove(TrustLine("a.org"))
        #expect(try content() == "# our services\n\nb.org\nc.org\n")
    }

    @Test func delegations() throws {
        try write("a.org  # the shop\nb.org -> c.org\n")
        #expect(try file.add(TrustLine("a.org -> c.org d.org:8443")))
        #expect(try file.add(TrustLine("A.org -> c.org e.org")))
        #expect(try !file.add(TrustLine("a.org -> e.org")))
        #expect(try !file.add(TrustLine("b.org")))
        #expect(try content() == "a.org -> c.org d.org:8443 e.org  # the shop\nb.org -> c.org\n")
        #expect(try file.services().map(\.targets.count) == [3, 1])
        // With a delegation only its hosts are removed.
        #expect(try !file.remove(TrustLine("a.org -> f.org")))
        #expect(try file.remove(TrustLine("a.org -> d.org:8443 c.org")))
        #expect(try content() == "a.org -> e.org  # the shop\nb.org -> c.org\n")
        #expect(try file.remove(TrustLine("b.org -> c.org")))
        #expect(try file.remove(TrustLine("a.org")))
        #expect(try content() == "b.org\n")
    }

    @Test func pins() throws {
        let key = { (letter: Character) in "pin-sha256:" + String(repeating: letter, count: 42) + "A=" }
        let (one, two) = (key("A"), key("B"))
        #expect(try file.add(TrustLine("a.org \(one)")))
        #expect(try !file.add(TrustLine("A.org \(one)")))
        try write("a.org \(one)  # the shop\nb.org -> c.org\n")
        #expect(try file.add(TrustLine("a.org \(two) -> d.org \(one)")))
        #expect(try file.add(TrustLine("b.org -> c.org \(two)")))
        #expect(try content() == "a.org \(one) \(two) -> d.org \(one)  # the shop\nb.org -> c.org \(two)\n")
        // Removing a pin keeps its host. Removing a host removes its pins.
        #expect(try !file.remove(TrustLine("b.org \(two)")))
        #expect(try file.remove(TrustLine("a.org \(one)")))
        #expect(try file.remove(TrustLine("b.org -> c.org \(two)")))
        #expect(try content() == "a.org \(two) -> d.org \(one)  # the shop\nb.org -> c.org\n")
        #expect(try file.remove(TrustLine("a.org -> d.org")))
        #expect(try content() == "a.org \(two)  # the shop\nb.org -> c.org\n")
        // Nothing is written that could not be read again.
        for letter in "CDEFGHI" { #expect(try file.add(TrustLine("a.org \(key(letter))"))) }
        let before = try content()
        let full = #expect(throws: TrustFileError.self) { try file.add(TrustLine("a.org \(key("J"))")) }
        #expect(full?.description.contains("a.org: a host has at most 8 pins") == true)
        #expect(full?.hint.contains("trust remove") == true)
        #expect(try content() == before)
    }

    @Test func aBadPinIsNamedWithItsLine() throws {
        try write("a.org\n\nb.org pin-sha256:AAAA\n")
        let error = #expect(throws: TrustFileError.self) { try file.services() }
        #expect(
            error?.description
                == "\(file.path):3: a pin has 32 bytes, 44 characters of base64, and this one has 3 bytes")
        #expect(error?.hint.contains("login-kiosk trust pin HOST") == true)
    }

    @Test("The error names a bad line, and the file is neither trusted nor rewritten")
    func malformed() throws {
        let text = "a.org\nhttps://b.org/\n"
        try write(text)
        let error = #expect(throws: TrustFileError.self) { try file.services() }
        #expect(error?.description.hasPrefix("\(file.path):2: expected [*.]host[:port]") == true)
        #expect(throws: TrustFileError.self) { try file.add(TrustLine("c.org")) }
        #expect(try content() == text)
    }

    @Test func notText() throws {
        try files.file("deep/trusted", Data([0xFF, 0xFE, 0x00]))
        #expect(throws: TrustFileError.self) { try file.services() }
    }
}
