// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import Patience
import Testing

@Suite("The pages of a document represent exactly its bytes")
struct DocumentTests {
    static let small = DocumentPageSize(columns: 20, rows: 3)

    static func document(_ text: String) throws -> DocumentText { try DocumentText(Array(text.utf8)) }

    static func rows(_ text: String, columns: Int = 20) throws -> [String] {
        let pages = DocumentPages(try document(text), size: DocumentPageSize(columns: columns, rows: 1000))
        return (0..<pages.count).flatMap { pages[$0].lines.map(\.shown) }
    }

    /// Reads the rows of all pages back, as a person would copy them.
    static func bytes(of pages: DocumentPages) -> [UInt8] {
        var text = String.UnicodeScalarView()
        var isFirst = true
        for index in 0..<pages.count {
            for line in pages[index].lines {
                if !isFirst { text.append("\n") }
                isFirst = line.isWrapped
                var rest = line.shown.unicodeScalars[...]
                while let scalar = rest.popFirst() {
                    guard scalar == "‹" else {
                        text.append(scalar)
                        continue
                    }
                    let spelling = String(rest.prefix { $0 != "›" })
                    rest = rest.dropFirst(spelling.unicodeScalars.count + 1)
                    switch spelling {
                    case "TAB": text.append("\t")
                    case "CR": text.append("\r")
                    default:
                        UInt32(spelling.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init).map { text.append($0) }
                    }
                }
            }
        }
        return Array(String(text).utf8)
    }

    @Test(arguments: [
        ("I pay 10 euros to Bob.", ["I pay 10 euros to ", "Bob."]),
        ("  indented  twice", ["  indented  twice"]),
        ("one\n\ntwo\n", ["one", "", "two", ""]),
        ("abcdefghijklmnopqrstuvwxyz", ["abcdefghijklmnopqrst", "uvwxyz"]),
        ("short abcdefghijklmnopqrstuvwxyz", ["short ", "abcdefghijklmnopqrst", "uvwxyz"]),
        (" ", [" "]), ("\n", ["", ""]),
        ("a\r\nb\tc", ["a‹CR›", "b‹TAB›c"]),
        // Changes of the writing direction, a joiner, a soft hyphen, a byte order mark, an escape.
        ("pay \u{202E}001", ["pay ‹U+202E›001"]), ("a\u{200D}b\u{AD}", ["a‹U+200D›b‹U+00AD›"]),
        ("\u{FEFF}x\u{1B}[2J", ["‹U+FEFF›x‹U+001B›[2J"]),
        // A tag, a filler, a private and an unassigned character.
        ("\u{E0041}\u{3164}", ["‹U+E0041›‹U+3164›"]), ("\u{E000}\u{0378}", ["‹U+E000›‹U+0378›"]),
        ("\u{2028}\u{2029}", ["‹U+2028›‹U+2029›"]),
        // A document that contains such a spelling itself.
        ("‹U+202E›", ["‹U+2039›U+202E›"]),
        // An accent belongs to its letter. Without a letter it is spelled out, and so are too many of them.
        ("e\u{301}a", ["e\u{301}a"]), ("\u{301}a", ["‹U+0301›a"]), ("a\n\u{301}", ["a", "‹U+0301›"]),
        ("x" + String(repeating: "\u{301}", count: 8), ["x" + String(repeating: "\u{301}", count: 7) + "‹U+0301›"]),
        // Wide letters take two columns.
        ("日本語テキスト日本語テキスト", ["日本語テキスト日本語", "テキスト"]),
        ("🇧🇬🇧🇬🇧🇬🇧🇬🇧🇬🇧🇬", ["🇧🇬🇧🇬🇧🇬🇧🇬🇧🇬", "🇧🇬"]),
    ])
    func rowsAre(text: String, expected: [String]) throws {
        let rows = try Self.rows(text)
        // Compares scalars, because strings with different forms of accents are equal.
        #expect(rows.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) }, "\(rows)")
    }

    @Test func whatCannotBeShownIsRefused() {
        #expect(throws: DocumentTextError.empty) { try DocumentText([]) }
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] {
            #expect(throws: DocumentTextError.notUTF8) { try DocumentText(bytes) }
        }
        let longest = Array(repeating: UInt8(ascii: "a"), count: DocumentText.maximumLength)
        #expect((try? DocumentText(longest))?.bytes == longest)
        #expect(throws: DocumentTextError.tooLong(longest.count + 1)) { try DocumentText(longest + [0x61]) }
    }

    @Test func pagesAreCountedAndFull() throws {
        let pages = DocumentPages(
            try Self.document((1...7).map { "\($0)" }.joined(separator: "\n")), size: Self.small)
        #expect(pages.count == 3)
        #expect(
            (0..<3).map { pages[$0].lines.map(\.shown) } == [["1", "2", "3"], ["4", "5", "6"], ["7"]])
        #expect((0..<3).map { pages[$0].number } == [1, 2, 3])
        #expect((0..<3).map { pages[$0].isLast } == [false, false, true])
        #expect(DocumentPageSize(columns: 1, rows: 0) == .smallest)
    }

    /// Composed and decomposed letters are different documents.
    @Test func nothingIsNormalised() throws {
        #expect(try Self.document("é") != Self.document("e\u{301}"))
        #expect(try Self.document("e\u{301}").bytes == [0x65, 0xCC, 0x81])
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func thePagesGiveTheDocumentBack(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let alphabet: [Unicode.Scalar] = [
            "a", "b", " ", " ", "\n", "\t", "\r", "‹", "›", "é", "\u{301}", "\u{200D}", "\u{202E}", "日", "🇧", "👍",
            "\u{FE0F}", "\u{1100}", "\u{1161}", "\u{0915}", "\u{094D}", "\u{0378}", "\u{2028}", "\u{0}", "א", "7",
        ]
        for round in 0..<1000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...120, using: &generator) {
                if Int.random(in: 0..<8, using: &generator) == 0 {
                    let any = UInt32.random(in: 0...0x10FFFF, using: &generator)
                    if let scalar = Unicode.Scalar(any) { text.append(scalar) }
                } else if let scalar = alphabet.randomElement(using: &generator) {
                    text.append(scalar)
                }
            }
            guard !text.isEmpty else { continue }
            let bytes = Array(String(text).utf8)
            let size = DocumentPageSize(
                columns: Int.random(in: 16...40, using: &generator), rows: Int.random(in: 2...6, using: &generator))
            let pages = DocumentPages(try DocumentText(bytes), size: size)
            let back = Self.bytes(of: pages)
            guard back == bytes else {
                Issue.record("seed \(seed), round \(round): \(bytes) became \(back)")
                return
            }
            for index in 0..<pages.count {
                let lines = pages[index].lines
                #expect(lines.count == size.rows || index == pages.count - 1)
                for line in lines where line.shown.count > size.columns {
                    Issue.record("seed \(seed), round \(round): a row of \(line.shown.count) columns")
                }
            }
        }
    }

    @Test(arguments: [5, 6] as [UInt64])
    func anyBytesAreShownOrRefused(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
            guard let document = try? DocumentText(bytes) else { continue }
            #expect(Self.bytes(of: DocumentPages(document, size: Self.small)) == bytes, "seed \(seed): \(bytes)")
        }
    }
}
