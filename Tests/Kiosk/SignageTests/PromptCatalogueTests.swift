// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Testing
@testable import Signage

@Suite("The words of the kiosk")
struct PromptCatalogueTests {
    static let files: [String: [UInt8]] = [
        "en": PackageResources.en_yaml, "de": PackageResources.de_yaml, "fr": PackageResources.fr_yaml,
        "es": PackageResources.es_yaml, "bg": PackageResources.bg_yaml,
    ]

    static func gaps(of sentence: String) -> [String] {
        sentence.matches(of: /\{([^}]*)\}/).map { String($0.output.1) }.sorted()
    }

    @Test func everyLanguageIsThere() {
        #expect(PromptCatalogue.all.map(\.language) == ["en", "de", "fr", "es", "bg"])
        #expect(Set(Self.files.keys) == Set(PromptCatalogue.all.map(\.language)))
    }

    @Test(arguments: files.keys.sorted())
    func everySentenceIsThereWithExactlyItsGapsAndNoOther(language: String) throws {
        let sentences = try PromptFile(Self.files[language] ?? []).sentences
        let known = Set(PromptKey.allCases.map(\.rawValue))
        #expect(known.subtracting(sentences.keys).sorted() == [], "missing")
        #expect(Set(sentences.keys).subtracting(known).sorted() == [], "nobody says it")
        for key in PromptKey.allCases {
            let sentence = sentences[key.rawValue] ?? ""
            #expect(Self.gaps(of: sentence) == key.placeholders.map(\.rawValue).sorted(), "\(language): \(key)")
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
