// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Comments cite sections of the pages in `docs/protocol`.
@Suite("Citations of the protocol")
struct ProtocolPageTests {
    struct Citation: Hashable {
        var page: String
        /// Empty when the whole page is cited.
        var sections: [String]
    }

    private static let folder = "docs/protocol/"

    static func citations(in source: String) -> [Citation] {
        // A comment's next line continues its sentence.
        let text = source.replacing(/\n *\/\/+ ?/, with: " ")
        return text.matches(of: /docs\/protocol\/([a-z]+\.md)(?:, sections? ([0-9.]+(?:(?:,| and| to) [0-9.]+)*))?/)
            .map { match in
                let numbers = match.output.2?.matches(of: /[0-9]+(\.[0-9]+)?/).map { String($0.output.0) }
                return Citation(page: folder + match.output.1, sections: numbers ?? [])
            }
    }

    /// The numbers of a page's sections, in its order.
    static func sections(of page: String) -> [String] {
        page.matches(of: /(?m)^#{2,3} ([0-9]+(?:\.[0-9]+)?)\.?[ ]/).map { String($0.output.1) }
    }

    private static func pages() throws -> [Page] { try Page.all().filter { $0.path.hasPrefix(folder) } }

    @Test("Each citation names a page and a section that exist")
    func citationsLeadSomewhere() throws {
        let sections = Dictionary(
            uniqueKeysWithValues: try Self.pages().map { ($0.path, Set(Self.sections(of: $0.whole))) })
        let mark = Data(Self.folder.utf8)
        var count = 0
        for file in SourceTree.files(below: "Sources") + SourceTree.files(below: "Tests") {
            let data = try Data(contentsOf: file)
            guard data.range(of: mark) != nil, file.lastPathComponent != "ProtocolPageTests.swift" else { continue }
            for citation in Self.citations(in: String(decoding: data, as: UTF8.self)) {
                count += 1
                let known = try #require(sections[citation.page], "\(file.lastPathComponent): no \(citation.page)")
                let lost = citation.sections.filter { !known.contains($0) }
                #expect(lost.isEmpty, "\(file.lastPathComponent): \(citation.page) has no section \(lost)")
            }
        }
        #expect(count > 140, "citations are not found any more")
    }

    @Test("Each section has one number, and they ascend")
    func sectionsAreUnique() throws {
        let pages = try Self.pages()
        #expect(pages.count == 2)
        for page in pages {
            let numbers = Self.sections(of: page.whole).map { $0.split(separator: ".").compactMap { Int($0) } }
            #expect(numbers.count > 30, "\(page.path): sections are not found any more")
            for (before, after) in zip(numbers, numbers.dropFirst()) {
                #expect(before.lexicographicallyPrecedes(after), "\(page.path): \(after) comes after \(before)")
            }
        }
    }

    @Test("Each example is valid JSON")
    func examplesAreJSON() throws {
        for page in try Self.pages() {
            let examples = page.blocks(in: "json")
            #expect(examples.count > 20, "\(page.path): examples are not found any more")
            for example in examples {
                let object = try? JSONSerialization.jsonObject(with: Data(example.utf8))
                #expect(object != nil, "\(page.path): \(example)")
            }
        }
    }

    @Test("The check reads citations across lines")
    func readsCitations() {
        let source = """
            /// Reads it (docs/protocol/milagro.md; docs/protocol/miracl.md, sections 8.1 and
            /// 9.4). Compare docs/protocol/milagro.md, sections 7.3, 11.1,
            // 11.2. More.
            """
        #expect(
            Self.citations(in: source) == [
                Citation(page: "docs/protocol/milagro.md", sections: []),
                Citation(page: "docs/protocol/miracl.md", sections: ["8.1", "9.4"]),
                Citation(page: "docs/protocol/milagro.md", sections: ["7.3", "11.1", "11.2"]),
            ])
        #expect(Self.sections(of: "## 4. Discovery\n### 4.1 The text\n## Other 5\n") == ["4", "4.1"])
    }
}
