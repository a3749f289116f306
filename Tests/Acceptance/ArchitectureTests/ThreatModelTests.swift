// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// docs/threat-model.md names tests for each promise, threat and fault, because a control without a test proves nothing.
@Suite("Threats and the tests against them")
struct ThreatModelTests {
    struct Row {
        /// A number, or the promise.
        var name: String
        /// `Suite.test`, `Suite`, or the path of a script.
        var tests: [String]
    }

    private static let page = "docs/threat-model.md"

    private static func tests(in cell: String) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.output.1) }
    }

    /// The rows of threats and faults.
    static func rows() throws -> [Row] {
        try Page(path: page).rows.compactMap { cells in
            guard cells.count == 5, cells[0].wholeMatch(of: /[TRL]\d+/) != nil else { return nil }
            return Row(name: cells[0], tests: tests(in: cells[3]))
        }
    }

    /// The rows of promises: the only table with three columns, below its head.
    static func promises() throws -> [Row] {
        try Page(path: page).rows.filter { $0.count == 3 }.dropFirst(2).map { cells in
            Row(name: cells[0], tests: tests(in: cells[1]))
        }
    }

    /// The sentences of the list below "Promised", without its links.
    static func promised(in text: String) -> [String] {
        let section = text.components(separatedBy: "\n## Promised\n").last?.components(separatedBy: "\n## ").first
        let list = (section ?? "").replacing(/\[([^\]]*)\]\([^)]*\)/, with: { $0.output.1 })
        return list.components(separatedBy: "\n* ").dropFirst().flatMap { item in
            item.split(whereSeparator: \.isWhitespace).joined(separator: " ").replacing(". ", with: ".\n")
                .components(separatedBy: "\n")
        }
    }

    @Test func everyPromiseHasARow() throws {
        let promised = Self.promised(in: try SourceTree.text("SECURITY.md"))
        #expect(promised.count > 10, "promises are not found any more")
        let rows = try Self.promises().map(\.name)
        #expect(rows == promised)
    }

    @Test func promisesAreSentences() {
        let text = """
            # Security

            ## Promised

            In short:

            * One thing. Another one of
              [two lines](docs/a.md#b).
            * The last.

            ## Not promised

            * Nothing.
            """
        #expect(Self.promised(in: text) == ["One thing.", "Another one of two lines.", "The last."])
    }

    @Test func everyThreatHasARow() throws {
        let numbers = try Self.rows().map(\.name)
        // T34 was about a shared identity database, which no longer exists.
        #expect(
            numbers == ((1...53).filter { $0 != 34 } + [55, 56, 58, 59]).map { "T\($0)" }
                + (1...11).map { "L\($0)" }
                + (1...27).map { "R\($0)" })
    }

    @Test func everyRowNamesTestsThatAreThere() throws {
        let files = FileManager.default.enumerator(at: SourceTree.file("Tests"), includingPropertiesForKeys: nil)
        let declarations = try (files?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" }.map { Self.declarations(in: try Data(contentsOf: $0)) }
        for row in try Self.promises() + Self.rows() {
            #expect(!row.tests.isEmpty, "\(row.name) has no test")
            for test in row.tests {
                guard !test.contains("/") else {
                    let isThere = FileManager.default.fileExists(atPath: SourceTree.file(test).path())
                    #expect(isThere, "\(row.name) names \(test), which is not there")
                    continue
                }
                let parts = test.split(separator: ".")
                let isThere = declarations.contains { names in
                    ["struct", "class"].contains(where: { names.contains("\($0) \(parts[0])") })
                        && parts.dropFirst().allSatisfy { names.contains("func \($0)") }
                }
                #expect(isThere, "\(row.name) names \(test), which is not there")
            }
        }
    }

    /// The types and functions of a file, each after its keyword: `struct Row`, `func rows`.
    private static func declarations(in source: Data) -> Set<String> {
        let isOfName = { (byte: UInt8) in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
        }
        let words = source.split(whereSeparator: { !isOfName($0) })
        let keywords = ["struct", "class", "func"].map { Data($0.utf8) }
        return Set(
            zip(words, words.dropFirst()).filter { keywords.contains($0.0) }
                .map { String(decoding: $0.0, as: UTF8.self) + " " + String(decoding: $0.1, as: UTF8.self) })
    }
}
