// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Signage

/// The words for a person who listens, view after view.
///
/// A new screen is spoken whole: title, remark, sentences, what is typed, keys. On the same screen only the change is.
struct Narrator: Sendable {
    private let languages: Languages
    private let output: SpeechOutput
    /// The view spoken last; nil without speech.
    private var last: KioskView?

    init(languages: Languages, output: SpeechOutput) {
        self.languages = languages
        self.output = output
    }

    /// - Returns: nil when there is nothing to say.
    mutating func follow(_ view: KioskView) -> Utterance? {
        let before = last
        last = view.speech == nil ? nil : view.atItsKeys
        guard let current = last, let speech = current.speech else {
            guard let before, let speech = before.speech else { return nil }
            let catalogue = languages.catalogue(for: before)
            return Utterance(
                [catalogue.text(Prompt(.speechEnded))], language: catalogue.language, volume: speech.volume, waits: true
            )
        }
        let words = Words(current, catalogue: languages.catalogue(for: current), output: output)
        let sentences = before.flatMap { words.change(since: $0) } ?? words.whole
        guard !sentences.isEmpty else { return nil }
        return Utterance(sentences, language: words.catalogue.language, volume: speech.volume)
    }
}

/// The words of one view.
private struct Words {
    let view: KioskView
    let catalogue: PromptCatalogue
    /// Whether only this person can hear the words.
    let isPrivate: Bool

    init(_ view: KioskView, catalogue: PromptCatalogue, output: SpeechOutput) {
        self.view = view
        self.catalogue = catalogue
        isPrivate = output == .headphones
    }

    var whole: [String] {
        [sentence(view.title)] + remark + view.lines.map(sentence) + document + entry + view.actions.compactMap(key)
    }

    /// - Returns: nil when this is another screen, or a key asked to hear it again.
    func change(since before: KioskView) -> [String]? {
        var (frame, last) = (Words.frame(view), Words.frame(before))
        if view.entry != before.entry {
            // The first letter may take explaining lines and keys away.
            (frame.lines, last.lines) = ([], [])
            (frame.actions, last.actions) = ([], [])
        }
        guard frame == last else { return nil }
        let isNews = view.hint != nil && view.hint != before.hint && view.hint?.key != .serviceBusy
        return (isNews ? remark : []) + (view.entry == before.entry ? [] : change(of: before.entry))
    }

    /// The view without the parts that change while a person stays on a screen. A listener has no use for every
    /// second.
    private static func frame(_ view: KioskView) -> KioskView {
        var frame = view
        frame.lines.removeAll { $0.key == .codeTimeLeft }
        frame.factCount = 0
        frame.hint = nil
        frame.entry = nil
        frame.countdown = nil
        frame.restStep = nil
        frame.isAsleep = false
        return frame
    }

    private var remark: [String] { view.hint.map { [sentence($0)] } ?? [] }

    private var document: [String] {
        guard let document = view.document else { return [] }
        guard isPrivate else { return [hidden] }
        return [document.lines.map { $0.shown + ($0.isWrapped ? "" : "\n") }.joined()]
    }

    private var hidden: String { catalogue.text(Prompt(.spokenHidden)) }
}

// Sentences.
extension Words {
    private func sentence(_ prompt: Prompt) -> String {
        var values = prompt.values
        for (gap, value) in values { values[gap] = spoken(value, in: gap, of: prompt.key) }
        let text = catalogue.text(Prompt(prompt.key, values))
        // The signs that a key gives.
        return prompt.key == .tapAddressHelp ? withSigns(text) : text
    }

    private func spoken(_ value: String, in gap: PromptPlaceholder, of key: PromptKey) -> String {
        switch gap {
        case .user:
            // Lists of services, doors and documents name nobody.
            let isPerson = key != .listEntry || view.stage == .identityChoice
            return isPerson && !isPrivate ? hidden : withSigns(value)
        case .service, .domain, .application, .customer, .name: return withSigns(value)
        case .hash: return spelled(value)
        case .status, .minimum, .number, .seconds, .minutes, .time, .page, .pages: return value
        }
    }

    private func key(_ action: ViewAction) -> String? {
        let names = view.keyNames.names(of: action.key).map { name in
            let text = name.text.count == 1 ? spelled(name.text) : name.text
            return name.isHeld ? catalogue.text(Prompt(.keyHeld, [.name: text])) : text
        }
        guard !names.isEmpty else { return nil }
        var label = catalogue.text(action.label)
        if action.label.key == .actionLanguage {
            // A voice without Cyrillic would name letter after letter.
            let words = label.split(separator: "/").filter {
                catalogue.language == "bg" || $0.utf8.allSatisfy { $0 < 0x80 }
            }
            label = words.joined(separator: ", ")
        }
        return catalogue.text(Prompt(.spokenKey, [.name: label, .number: names.joined(separator: ", ")]))
    }

    /// Names the signs in a text from outside: voices pass over the dots of a host, and two hosts would sound alike.
    private func withSigns(_ text: String) -> String {
        let characters = Array(text)
        var words = ""
        for (index, character) in characters.enumerated() {
            let isAtEnd =
                index > 0 && !characters[index - 1].isWhitespace
                && (index + 1 == characters.count || characters[index + 1].isWhitespace)
            switch character {
            case _ where character.isLetter || character.isNumber || character.isWhitespace: words.append(character)
            case "’", "'", "“", "”", "\"", "…": words += " "
            case ".", ",", ";", ":", "!", "?":
                guard isAtEnd else {
                    words += " \(sign(character)) "
                    continue
                }
                if words.last == " " { words.removeLast() }
                words.append(character)
            default: words += " \(sign(character)) "
            }
        }
        return words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Character by character.
    private func spelled(_ text: String) -> String {
        text.filter { !$0.isWhitespace }
            .map { $0.isLetter || $0.isNumber ? String($0) : sign($0) }.joined(separator: ", ")
    }

    private func sign(_ character: Character) -> String {
        let key: PromptKey =
            switch character {
            case ".": .spokenDot
            case "-": .spokenHyphen
            case "_": .spokenUnderscore
            case "@": .spokenAt
            case "+": .spokenPlus
            case "/": .spokenSlash
            case ":": .spokenColon
            case "*": .spokenStar
            case "#": .spokenHash
            default: .spokenSign
            }
        return catalogue.text(Prompt(key))
    }
}

// Typed text and issued codes. Of a PIN the number of digits.
extension Words {
    private var entry: [String] {
        switch view.entry {
        case .masked(0, _), .card, nil: []
        case .masked(let count, _): [number(.spokenDigits, count)]
        case .text(let text): typed(text)
        case .code(let code): typed(CodeText.grouped(code))
        case .digits(let digits): [isPrivate ? spelled(CodeText.grouped(digits)) : hidden]
        }
    }

    private func typed(_ text: String) -> [String] {
        if text.isEmpty { return [] }
        if !isPrivate { return [number(.spokenCharacters, Words.length(text))] }
        return [catalogue.text(Prompt(.spokenTyped, [.name: spelled(text)]))]
    }

    private func change(of before: ViewEntry?) -> [String] {
        switch (before, view.entry) {
        case (_, .masked(let count, _)): [number(.spokenDigits, count)]
        case (.text(let old), .text(let new)): change(from: old, to: new)
        case (.code(let old), .code(let new)): change(from: CodeText.grouped(old), to: CodeText.grouped(new))
        default: entry
        }
    }

    private func change(from old: String, to new: String) -> [String] {
        if new.isEmpty { return [catalogue.text(Prompt(.spokenEmpty))] }
        if !isPrivate { return [number(.spokenCharacters, Words.length(new))] }
        let (old, new) = (old.filter { $0 != " " }, new.filter { $0 != " " })
        let common = zip(old, new).prefix { $0 == $1 }.count
        guard new.count > common else {
            return [catalogue.text(Prompt(.spokenDeleted, [.name: spelled(String(old.dropFirst(common)))]))]
        }
        return [spelled(String(new.dropFirst(common)))]
    }

    private static func length(_ text: String) -> Int { text.count { $0 != " " } }

    private func number(_ key: PromptKey, _ count: Int) -> String {
        catalogue.text(Prompt(key, [.number: "\(count)"]))
    }
}
