// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoginValues
import Testing

@testable import HostIntegration

/// The part of a text that an operator sees, and the part that applies.
@Suite("Texts that are shown and obeyed") struct TextLinesTests {
    private static let pin = "pin-sha256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    private static func services(_ text: String) throws(TrustFileError) -> [String] {
        try TrustFile(path: "list").services(of: text).map(\.description)
    }

    @Test("A list with Windows line breaks has the same hosts and pins", arguments: ["\n", "\r\n"])
    func lineEnds(_ end: String) throws {
        let lines = ["# ours", "a.org \(Self.pin)", "", "b.org -> c.org \(Self.pin)  # the shop", "d.org"]
        let expected = ["a.org \(Self.pin)", "b.org -> c.org \(Self.pin)", "d.org"]
        #expect(try Self.services(lines.joined(separator: end)) == expected)
        #expect(try Self.services(lines.joined(separator: end) + end) == expected)
        // Mixed line breaks, as two editors leave them.
        #expect(try Self.services("a.org \(Self.pin)\r\nb.org\n") == ["a.org \(Self.pin)", "b.org"])
    }

    @Test("Changing such a list keeps all of it")
    func changed() throws {
        let files = try FileTree()
        let file = TrustFile(path: files.path("trusted"))
        try files.file("trusted", "a.org  # ours\r\nb.org \(Self.pin)\r\n")
        #expect(try file.add(TrustLine("c.org")))
        #expect(try file.remove(TrustLine("a.org")))
        #expect(try file.services().map(\.description) == ["b.org \(Self.pin)", "c.org"])
    }

    /// Every control character, and the separators of lines and paragraphs.
    static let refused = (0...0x9F).filter { ($0 < 0x20 || $0 > 0x7E) && $0 != 0x09 && $0 != 0x0A } + [0x2028, 0x2029]

    @Test("Any other control character makes the list invalid, and the error names its line", arguments: refused)
    func controlCharacters(_ value: Int) throws {
        let scalar = try #require(Unicode.Scalar(UInt32(value)))
        for line in ["b.org\(scalar)", "b.org \(scalar)c.org", "# a comment\(scalar)evil.org", "\(scalar)"] {
            // Only a CR before LF is dropped.
            let text = "a.org\n" + line + (value == 0x0D ? "\r" : "") + "\nd.org\n"
            let error = #expect(throws: TrustFileError.self) { try Self.services(text) }
            #expect(error?.description.hasPrefix("list:2: a control character, U+") == true, "\(line)")
        }
    }

    @Test func theLastLineHasNoEndOfItsOwn() throws {
        #expect(throws: TrustFileError.self) { try Self.services("a.org\r") }
        #expect(try Self.services("a.org") == ["a.org"])
        #expect(try Self.services("").isEmpty)
    }

    @Test("A number sign with an accent begins a comment as well")
    func combined() throws {
        #expect(try Self.services("a.org #\u{301} b.org\n") == ["a.org"])
    }

    @Test("In settings, a line break of YAML that editors do not show is refused")
    func settings() {
        for end in ["\r", "\u{85}", "\u{2028}", "\u{2029}"] {
            let text = "# a comment\(end)network: {allow-loopback-http: true}\n"
            let file = ConfigurationFile(path: "f", content: Data(text.utf8))
            #expect(file.entries.isEmpty && file.problems.count == 1, "\(end.unicodeScalars)")
            #expect(file.problems.first?.description.contains("f:1: a control character") == true, "\(file.problems)")
            #expect(SettingsText(text) == nil)
        }
        let file = ConfigurationFile(path: "f", content: Data("screen:\r\n  language: de\r\n".utf8))
        #expect(file.problems.isEmpty && file.entries.map(\.value) == ["de"])
    }
}
