// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("A kiosk uses nothing of Foundation that needs language tables")
struct FormatTests {
    /// Types that read ICU's tables. `CICUStubData` keeps the tables out of the installed kiosk, where some of these
    /// types would crash.
    private static let needTables: Set<Substring> = [
        "DateFormatter", "ISO8601DateFormatter", "ByteCountFormatter", "NumberFormatter", "TimeZone", "Locale",
    ]

    private static func formats(in source: String) -> [Substring] {
        source.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init).flatMap { line in
            line.drop { $0 == " " }.hasPrefix("//") ? [] : words(of: line).filter(needTables.contains)
        }
    }

    private static func words(of line: Substring) -> [Substring] {
        line.utf8.split { !isLetter($0) && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.map(Substring.init)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    @Test func kioskUsesNone() throws {
        let manifest = try Manifest.built
        let modules = manifest.reach(of: "login-kiosk").union(["login-kiosk"]).intersection(
            manifest.modules.map(\.name))
        for module in modules.sorted() {
            let found = try SourceTree.sources(of: module).flatMap(Self.formats)
            #expect(found.isEmpty, "\(module) uses \(found); .formatted(.iso8601) needs no tables")
        }
        #expect(modules.contains("SQLiteStore") && modules.contains("login-kiosk"), "the kiosk's modules are not found")
    }

    @Test("The check finds a format, and ignores comments")
    func seesAFormat() {
        #expect(
            Self.formats(in: "    // a Locale\nlet a = DateFormatter()\nlet b = Locale.current") == [
                "DateFormatter", "Locale",
            ])
    }
}
