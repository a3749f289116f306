// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LoginValues

/// The expectations of a script about a view: `wait outcome, title blocked, lines nextUnblock`.
///
/// | Clause | True when |
/// |---|---|
/// | `wait STAGE` | the kiosk is at this stage |
/// | `title PROMPT`, `hint PROMPT`, `tone TONE`, `facts COUNT` | it is this one |
/// | `lines PROMPT + PROMPT`, `keys enter actionOK + back actionBack` | these are all, in this order |
/// | `line PROMPT`, `offers KEY LABEL` | one of them is this |
/// | `no PROMPT` | no line is this, with any values |
/// | `entry 2 of 6`, `entry text ab`, `entry code 42` | this is typed or shown; also `digits`, `card`, `empty` |
///
/// A prompt is its key and values, as `documentPage(1;3)`; `none` says that there is nothing.
public struct ViewClauses: Sendable {
    /// The first words of clauses.
    public static let verbs: Set = [
        "wait", "title", "lines", "line", "no", "hint", "tone", "entry", "keys", "offers", "facts",
    ]

    private let clauses: [(verb: String, wanted: String)]

    public init(_ text: String) {
        clauses = text.split(separator: ", ").map { clause in
            let verb = clause.prefix { $0 != " " }
            return (String(verb), String(clause.dropFirst(verb.count + 1)))
        }
    }

    /// The first clause that is not true of a view; nil when all are.
    public func fault(in view: KioskView) -> String? {
        clauses.first { !ViewClauses.isTrue($0.verb, $0.wanted, of: view) }.map { "\($0.verb) \($0.wanted)" }
    }

    private static func isTrue(_ verb: String, _ wanted: String, of view: KioskView) -> Bool {
        let lines = view.lines.map(\.words)
        let keys = view.actions.map(\.words)
        let all = wanted == "none" ? [] : wanted.split(separator: " + ").map(String.init)
        switch verb {
        case "wait": return view.stage.rawValue == wanted
        case "title": return view.title.words == wanted
        case "lines": return lines == all
        case "line": return lines.contains(wanted)
        case "no": return !lines.contains { $0 == wanted || $0.hasPrefix("\(wanted)(") }
        case "hint": return view.hint?.words ?? "none" == wanted
        case "tone": return view.tone.rawValue == wanted
        case "entry": return view.entryWords == wanted
        case "keys": return keys == all
        case "offers": return keys.contains(wanted)
        case "facts": return "\(view.factCount)" == wanted
        default: return false
        }
    }
}

extension KioskView {
    /// The view in the words of clauses.
    public var clauses: String {
        """
        wait \(stage), tone \(tone), title \(title.words), hint \(hint?.words ?? "none")
        lines \(lines.map(\.words).joined(separator: " + "))
        entry \(entryWords), keys \(actions.map(\.words).joined(separator: " + "))
        """
    }

    fileprivate var entryWords: String {
        switch entry {
        case nil: "none"
        case .masked(let count, let capacity): "\(count) of \(capacity)"
        case .text(let text): text.isEmpty ? "empty" : "text \(text)"
        case .code(let text): "code\(text.shown)"
        case .digits(let text): "digits\(text.shown)"
        case .card(let text): "card\(text.shown)"
        }
    }
}

extension Prompt {
    fileprivate var words: String {
        let values = values.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
        return values.isEmpty ? "\(key)" : "\(key)(\(values.joined(separator: ";")))"
    }
}

extension ViewAction {
    fileprivate var words: String {
        guard case .digit(let digit) = key else { return "\(key) \(label.words)" }
        return "\(digit) \(label.words)"
    }
}

extension SecretBytes {
    /// The text behind a space; empty when there is none, as in every view of the machine.
    fileprivate var shown: String {
        withBytes { bytes in
            bytes.isEmpty ? "" : " " + String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }
}
