// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Signage

/// A view in the words of a language, in the form for the page's script.
struct PageView: Encodable, Sendable {
    struct Line: Encodable {
        let key: String
        /// The label before `text`, such as `Domain:`; nil when the sentence is one piece.
        let label: String?
        let text: String
    }

    struct Entry: Encodable {
        /// The number of typed digits of a PIN; its capacity is the greatest number.
        var count: Int?
        var capacity: Int?
        var text: String?
        /// A QR code: modules on a side with the quiet zone, and the dark ones as the path of a picture of that size.
        var side: Int?
        var path: String?
    }

    /// A row of a document.
    struct Row: Encodable {
        struct Piece: Encodable {
            let text: String
            /// Whether this is a spelled-out character.
            let isMark: Bool
        }

        let pieces: [Piece]
    }

    struct Action: Encodable {
        let key: String
        let label: String
        /// The key's name on the connected keypads.
        let cap: String
        /// See `KioskView.KeyMeaning`.
        let meaning: String?
        /// The language of the label, when it is the name of the language that the key shows next.
        let language: String?
        /// Shown in place of the label, which a screen reader reads.
        let sign: String?
    }

    /// The keyboard of a page with keys.
    struct Keyboard: Encodable {
        /// Rows of digits, letters and signs; nil where digits alone are typed.
        var rows: [String]?
        /// Labels of the keys that show the letters, and the digits alone; nil where the letters always show.
        var toLetters: String?
        var toDigits: String?
        var domains: [String]?
    }

    let language: String
    let stage: String
    let tone: String
    let title: String
    let lines: [Line]
    let document: [Row]?
    let hint: String?
    let entry: Entry?
    let keyboard: Keyboard?
    let isBusy: Bool
    let keys: [Action]
    /// Seconds left.
    let countdown: Double?
    /// The sentence about the seconds left, with `{seconds}` for their number.
    let timeLeft: String?
    let showsPreview: Bool
    /// See `KioskView.restStep`.
    let restStep: Int?
    let hasLargeText: Bool
    let hasHighContrast: Bool
    /// The sentence to show when the kiosk has gone.
    let farewell: String

    /// - Parameters:
    ///   - shownFor: the time since the view was first shown.
    ///   - domains: of e-mail addresses, for a keyboard.
    init(_ view: KioskView, in languages: Languages, shownFor: Duration, domains: [String] = []) {
        let view = view.atItsKeys
        let catalogue = languages.catalogue(for: view)
        language = catalogue.language
        stage = view.stage.rawValue
        tone = view.tone.rawValue
        title = catalogue.text(view.title)
        lines = view.lines.map { line in
            let parts = catalogue.parts(line)
            return Line(key: line.key.rawValue, label: parts.label, text: parts.text)
        }
        document = view.document?.lines.map { line in
            Row(pieces: line.pieces.map { Row.Piece(text: $0.shown, isMark: $0.isMark) })
        }
        hint = view.hint.map(catalogue.text)
        entry = view.entry.map { entry in
            switch entry {
            case .masked(let count, let capacity): Entry(count: count, capacity: capacity)
            case .text(let text): Entry(text: text)
            case .code(let code): Entry(text: CodeText.grouped(code))
            case .digits(let digits): Entry(text: CodeText.toCopy(digits))
            case .card(let text): CardCode(text).map { Entry(side: $0.side, path: $0.path) } ?? Entry()
            }
        }
        keyboard = Keyboard(view, in: catalogue, domains: domains)
        isBusy = view.isBusy
        let next = languages.catalogue(after: view)
        keys = view.actions.map { action in
            let turns = action.label.key == .actionLanguage
            return Action(
                key: PageKey(action.key).name, label: turns ? next.name : catalogue.text(action.label),
                cap: catalogue.text(view.keyNames.names(of: action.key)), meaning: view.meaning(of: action)?.rawValue,
                language: turns ? next.language : nil, sign: KioskView.lookSign(of: action))
        }
        countdown = view.countdown.map { max($0 - shownFor, .zero) / .seconds(1) }
        timeLeft = view.countdown.map { _ in catalogue.text(Prompt(.codeTimeLeft, [.seconds: "{seconds}"])) }
        showsPreview = view.showsPreview
        restStep = view.restStep
        (hasLargeText, hasHighContrast) = (view.look.hasLargeText, view.look.hasHighContrast)
        farewell = catalogue.text(Prompt(.stopped))
    }
}

extension PageView.Keyboard {
    /// - Returns: nil for a view in which nothing is typed.
    init?(_ view: KioskView, in catalogue: PromptCatalogue, domains: [String]) {
        guard let keyboard = DisplayView.Keyboard(view, in: catalogue, domains: domains) else { return nil }
        rows = keyboard.rows.isEmpty ? nil : keyboard.rows
        toLetters = keyboard.toLetters.isEmpty ? nil : keyboard.toLetters
        toDigits = keyboard.toDigits.isEmpty ? nil : keyboard.toDigits
        self.domains = keyboard.domains.isEmpty ? nil : keyboard.domains
    }
}
