// SPDX-License-Identifier: Apache-2.0

import Encoding
public import KioskPorts

/// The kiosk's sentences in one language.
public struct PromptCatalogue: Sendable {
    /// BCP 47, for example `en`.
    public let language: String
    private let sentences: [PromptKey: String]

    /// The language's name in the language itself.
    public var name: String { sentence(.languageName) }

    /// - Parameter file: has a sentence for every key; placeholders are written `{service}`.
    init(language: String, file: SentenceFile) {
        self.language = language
        sentences = Dictionary(
            uniqueKeysWithValues: PromptKey.allCases.compactMap { key in
                file.sentences[key.rawValue].map { (key, $0) }
            })
    }

    /// The sentence with its placeholders filled. A value is inserted unchanged, even if it looks like a placeholder.
    public func text(_ prompt: Prompt) -> String {
        var rest = Substring(template(prompt.key))
        var text = ""
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            let name = String(rest[rest.index(after: open)..<close])
            text += PromptPlaceholder(rawValue: name).flatMap { prompt.values[$0] } ?? ""
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    /// The sentence with its placeholders. The key that changes the language is labelled in the other languages, for
    /// people who do not read this one.
    func template(_ key: PromptKey) -> String {
        guard key == .actionLanguage else { return sentence(key) }
        return PromptCatalogue.all.filter { $0.language != language }.map { $0.sentence(key) }.joined(separator: "/")
    }

    private func sentence(_ key: PromptKey) -> String { sentences[key] ?? key.rawValue }
}

extension PromptCatalogue {
    /// A sentence of a label and a value, such as `Domain: {domain}`, in its two parts; any other without a label. For
    /// screens that set them apart.
    public func parts(_ prompt: Prompt) -> (label: String?, text: String) {
        let template = template(prompt.key)
        guard template.hasSuffix("}"), let open = template.lastIndex(of: "{"), open > template.startIndex,
            template.firstIndex(of: "{") == open,
            let gap = PromptPlaceholder(rawValue: String(template[template.index(after: open)...].dropLast())),
            let value = prompt.values[gap]
        else { return (nil, text(prompt)) }
        let label = template[..<open].reversed().drop { $0 == " " }
        guard label.first == ":" else { return (nil, text(prompt)) }
        return (String(label.reversed()), value)
    }
}

extension PromptCatalogue {
    public static let english = embedded("en", PackageResources.en_yaml)

    /// Every language of the kiosk, in the order in which a key rotates them. Settings, setups, the page, the language
    /// key and the tests use this list.
    public static let all = [
        english,
        embedded("de", PackageResources.de_yaml),
        embedded("fr", PackageResources.fr_yaml),
        embedded("es", PackageResources.es_yaml),
        embedded("bg", PackageResources.bg_yaml),
    ]

    private static func embedded(_ language: String, _ bytes: [UInt8]) -> PromptCatalogue {
        do { return PromptCatalogue(language: language, file: try SentenceFile(bytes)) } catch {
            // The file is part of the program, and a test reads it.
            fatalError("Prompts/\(language).yaml: \(error)")
        }
    }
}
