// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The words that people read are those of `Sources/glossary.md`, in each language, at the kiosk and on pages.
@Suite("Glossary in five languages")
struct GlossaryTests {
    static let languages = ["English": "en", "German": "de", "French": "fr", "Spanish": "es", "Bulgarian": "bg"]

    /// One cell of the table: a word, and words that must not stand for it.
    struct Entry: Equatable {
        let word: String
        let others: [String]

        init(_ cell: String) {
            let parts = cell.components(separatedBy: ", not ")
            word = parts[0].lowercased()
            others = parts.dropFirst().map { $0.lowercased() }
        }
    }

    /// The entries of each language.
    static func table(in page: String) -> [String: [Entry]] {
        let rows = Page(path: "", whole: page).rows.drop { $0[0] != "English" }
        guard let head = rows.first else { return [:] }
        let body = rows.dropFirst(2).prefix { $0.count == head.count }
        return Dictionary(
            uniqueKeysWithValues: head.enumerated().compactMap { column, name in
                languages[name].map { language in (language, body.map { Entry($0[column]) }) }
            })
    }

    /// Sentences of the kiosk, of pages and mails, and of the operator's page.
    static func sentences(in language: String) throws -> String {
        let files = [
            "Sources/Kiosk/Signage/Words/\(language).yaml", "Sources/Backend/BackendValues/Words/\(language).yaml",
        ]
        return try files.map { try SourceTree.text($0) }
            // Comments and keys are code.
            .joined(separator: "\n").split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.replacing(#/^\w+: /#, with: "") }.joined(separator: "\n").lowercased()
    }

    /// Whether a word begins somewhere in a text.
    static func uses(_ text: String, _ word: String) -> Bool {
        text.ranges(of: word).contains { range in
            range.lowerBound == text.startIndex || !text[text.index(before: range.lowerBound)].isLetter
        }
    }

    @Test(arguments: languages.values.sorted())
    func wordsAreThose(language: String) throws {
        let page = try SourceTree.text("Sources/glossary.md")
        let entries = try #require(Self.table(in: page)[language])
        #expect(entries.count >= 10, "the table is not found any more")
        let sentences = try Self.sentences(in: language)
        for entry in entries {
            #expect(Self.uses(sentences, entry.word), "\(language): nobody reads '\(entry.word)'")
            for other in entry.others {
                #expect(!Self.uses(sentences, other), "\(language): '\(other)' instead of '\(entry.word)'")
            }
        }
    }

    @Test func kioskAndBackendHaveTheSameLanguages() throws {
        for folder in ["Kiosk/Signage", "Backend/BackendValues"] {
            let names = try FileManager.default.contentsOfDirectory(
                atPath: SourceTree.file("Sources/\(folder)/Words").path())
            #expect(names.sorted() == Self.languages.values.map { $0 + ".yaml" }.sorted(), "\(folder)")
        }
    }

    @Test func theCheckSeesAnotherWord() {
        let table = Self.table(in: "x\n| English | French |\n|---|---|\n| operator | exploitant, not opérateur |\n\n")
        #expect(table["fr"] == [Entry("exploitant, not opérateur")] && table["en"] == [Entry("operator")])
        #expect(Self.uses("votre opérateur", "opérateur") && !Self.uses("coopérateur", "opérateur"))
    }
}
