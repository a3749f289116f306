// SPDX-License-Identifier: Apache-2.0

import Encoding
public import KioskPorts

/// The kiosk's sentences in one language.
public struct PromptCatalogue: Sendable {
    private let sentences: Sentences<PromptKey>

    init(_ language: String, _ file: [UInt8]) { sentences = Sentences(language, embedded: file) }

    /// BCP 47, for example `en`.
    public var language: String { sentences.language }

    /// The language's name in the language itself.
    public var name: String { sentences[.languageName] }

    /// The sentence with its placeholders filled.
    public func text(_ prompt: Prompt) -> String {
        template(prompt.key).filled { PromptPlaceholder(rawValue: $0).flatMap { prompt.values[$0] } }
    }

    /// The sentence with its placeholders. The key that changes the language is labelled in the other languages, for
    /// people who do not read this one.
    func template(_ key: PromptKey) -> String {
        guard key == .actionLanguage else { return sentences[key] }
        return PromptCatalogue.all.filter { $0.language != language }.map { $0.sentences[key] }.joined(separator: "/")
    }
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
    /// Every language of the kiosk, English first, in the order in which a key rotates them. Settings, profiles, the
    /// page, the language key and the tests use this list.
    public static let all = [
        PromptCatalogue("en", PackageResources.en_yaml),
        PromptCatalogue("de", PackageResources.de_yaml),
        PromptCatalogue("fr", PackageResources.fr_yaml),
        PromptCatalogue("es", PackageResources.es_yaml),
        PromptCatalogue("bg", PackageResources.bg_yaml),
    ]

    public static let english = all[0]
}
