// SPDX-License-Identifier: Apache-2.0

import Encoding
import Foundation
import KioskPorts
import Testing
@testable import Signage

@Suite("The words of the kiosk")
struct PromptCatalogueTests {
    /// The files as they are in the source, so that none is left out of the program.
    static let files: [String: [UInt8]] = {
        let top = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let folder = top.appending(path: "Sources/Kiosk/Signage/Words")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return Dictionary(
            uniqueKeysWithValues: files.compactMap { file in
                (try? Data(contentsOf: file)).map { (file.deletingPathExtension().lastPathComponent, Array($0)) }
            })
    }()

    static func gaps(of sentence: String) -> [String] {
        sentence.matches(of: /\{([^}]*)\}/).map { String($0.output.1) }.sorted()
    }

    @Test func everyLanguageIsThere() {
        #expect(PromptCatalogue.all.first?.language == "en" && PromptCatalogue.all.count > 1)
        #expect(Self.files.keys.sorted() == PromptCatalogue.all.map(\.language).sorted())
        let names = PromptCatalogue.all.map { $0.text(Prompt(.languageName)) }
        #expect(Set(names).count == names.count)
    }

    /// The key is for people who do not read the language that is shown.
    @Test(arguments: PromptCatalogue.all.map(\.language))
    func theLanguageKeyIsLabelledInAllOtherLanguages(language: String) throws {
        let catalogue = try #require(PromptCatalogue.all.first { $0.language == language })
        let label = catalogue.text(Prompt(.actionLanguage)).split(separator: "/").map(String.init)
        let words = PromptCatalogueTests.files.mapValues { try? SentenceFile($0).sentences["actionLanguage"] }
        #expect(label.sorted() == words.filter { $0.key != language }.values.compactMap(\.self).sorted())
    }

    /// A sentence that is still English was not translated. Short labels may be the same word.
    @Test(arguments: PromptCatalogue.all.dropFirst().map(\.language))
    func everySentenceIsTranslated(language: String) throws {
        let catalogue = try #require(PromptCatalogue.all.first { $0.language == language })
        for key in PromptKey.allCases {
            let sentence = PromptCatalogue.english.template(key)
            #expect(
                sentence.count(where: { $0 == " " }) < 2 || catalogue.template(key) != sentence, "\(language): \(key)")
        }
    }

    @Test(arguments: files.keys.sorted())
    func everySentenceIsThereWithExactlyItsGapsAndNoOther(language: String) throws {
        let sentences = try SentenceFile(Self.files[language] ?? []).sentences
        let known = Set(PromptKey.allCases.map(\.rawValue))
        #expect(known.subtracting(sentences.keys).sorted() == [], "missing")
        #expect(Set(sentences.keys).subtracting(known).sorted() == [], "nobody says it")
        let english = try SentenceFile(Self.files["en"] ?? []).sentences
        for key in PromptKey.allCases {
            let sentence = sentences[key.rawValue] ?? ""
            let gaps = Self.gaps(of: sentence)
            #expect(gaps == Self.gaps(of: english[key.rawValue] ?? ""), "\(language): \(key)")
            #expect(gaps.allSatisfy { PromptPlaceholder(rawValue: $0) != nil }, "\(language): \(key)")
            #expect(!sentence.isEmpty && sentence.first != " " && sentence.last != " ", "\(language): \(key)")
            #expect(!sentence.contains("  "), "\(language): \(key)")
        }
    }

    /// Forty columns are the smallest screen for these texts.
    @Test(arguments: PromptCatalogue.all.map(\.language))
    func theWordsFitFortyColumns(language: String) throws {
        let catalogue = try #require(PromptCatalogue.all.first { $0.language == language })
        for key in PromptKey.allCases {
            let sentence = catalogue.template(key)
            let lines = sentence.wrapped(to: 40)
            let isTorn = lines.joined(separator: " ") != sentence
            #expect(!isTorn, "\(language): \(key) has a word that is too long")
            #expect(lines.count <= 4, "\(language): \(key) takes \(lines.count) rows")
            if key.rawValue.hasPrefix("action") {
                #expect("[Backspace] ".columns + (key == .actionLanguage ? 0 : sentence.columns) <= 40)
                #expect("[Tab] ".columns + sentence.columns <= 40, "\(language): \(key)")
            }
        }
    }

    /// One word for one thing. In Bulgarian "personal card" is an identity card of the state, and in Spanish a
    /// "quiosco" sells newspapers.
    @Test(arguments: [
        ("fr", ["'", "e responsable", "u responsable"]), ("es", ["quiosco", "responsable."]),
        ("de", ["Zustand", " gemacht"]),
        ("bg", ["лична карта", "личната ви карта", "лични карти", "самоличност", "отговорник", "терминал", "писмо"]),
    ])
    func oneWordForOneThing(language: String, others: [String]) throws {
        let catalogue = try #require(PromptCatalogue.all.first { $0.language == language })
        for key in PromptKey.allCases {
            let sentence = catalogue.template(key).lowercased()
            for word in others { #expect(!sentence.contains(word.lowercased()), "\(key): \(word)") }
        }
    }

    @Test func gapsAreFilledOnce() {
        let prompt = Prompt(.consentService, [.service: "a {domain} b"])
        #expect(PromptCatalogue.english.text(prompt) == "Service: a {domain} b")
    }
}
