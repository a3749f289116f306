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
    }

    let language: String
    let stage: String
    let tone: String
    let title: String
    let lines: [Line]
    let document: [Row]?
    let hint: String?
    let entry: Entry?
    let isBusy: Bool
    let keys: [Action]
    /// Seconds left.
    let countdown: Double?
    let showsPreview: Bool
    /// See `KioskView.restStep`.
    let restStep: Int?
    /// The sentence to show when the kiosk has gone.
    let farewell: String

    /// - Parameter shownFor: the time since the view was first shown.
    init(_ view: KioskView, in languages: Languages, shownFor: Duration) {
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
        document = view.document.map { page in
            page.lines.map { line in
                Row(pieces: line.pieces.map { Row.Piece(text: $0.shown, isMark: $0.isMark) })
            }
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
        isBusy = view.isBusy
        keys = view.actions.map { action in
            Action(
                key: PageKey(action.key).name, label: catalogue.text(action.label),
                cap: catalogue.text(view.keyNames.names(of: action.key)), meaning: view.meaning(of: action)?.rawValue)
        }
        countdown = view.countdown.map { max($0 - shownFor, .zero) / .seconds(1) }
        showsPreview = view.showsPreview
        restStep = view.restStep
        farewell = catalogue.text(Prompt(.stopped))
    }
}
