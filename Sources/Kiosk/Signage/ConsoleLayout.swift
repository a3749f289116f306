// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Lays a view out on the rows of a terminal.
///
/// Rows are dropped in this order: empty ones, then explanations from the last. Title, hint, entry and keys stay. On
/// the scan screen a fault outlasts the keys. The lines that OK agrees to, a page of a document and the code of a card
/// are shown whole, or the screen says that it is too small.
struct ConsoleLayout: Sendable {
    let languages: Languages

    /// - Returns: at most `size.rows` lines of at most `size.columns` columns.
    func lines(of view: KioskView, size: ScreenSize) -> [StyledLine] {
        let view = view.atItsKeys
        let catalogue = languages.catalogue(for: view)
        let rows = max(size.rows, 0)
        var blocks = ScreenBlocks(view, catalogue, size)
        if blocks.leavesFactsOut { blocks = ScreenBlocks(ConsoleLayout.withoutFacts(view), catalogue, size) }
        if let step = view.restStep { return Array(blocks.resting(at: step).prefix(rows)) }
        let airy = blocks.stacked(airy: true)
        if !blocks.isTooWide, airy.count <= rows { return airy }
        let whole = blocks
        blocks.dropExplanations()
        if blocks.isTooWide || blocks.isTooHigh {
            blocks = whole.withoutDocumentAndCode()
            blocks.dropExplanations()
        }
        return Array(blocks.stacked(airy: false).prefix(rows))
    }

    /// Whether title, facts, hint, entry and keys need more rows than there are.
    func leavesFactsOut(of view: KioskView, size: ScreenSize) -> Bool {
        ScreenBlocks(view.atItsKeys, languages.catalogue(for: view), size).leavesFactsOut
    }

    /// Whether the code of a personal card fits beside title and keys, in every language.
    func hasRoom(for entry: ViewEntry, size: ScreenSize) -> Bool {
        languages.tags.indices.allSatisfy { language in
            var view = KioskView(
                .issuedCard, .success, title: Prompt(.issuedCardTitle), entry: entry,
                actions: [ViewAction(.enter, .actionDone)])
            view.languageTurn = language
            return lines(of: view, size: size).contains { $0.style == .picture }
        }
    }

    /// Replaces the facts and their keys by a sentence that there is no room.
    private static func withoutFacts(_ view: KioskView) -> KioskView {
        var view = view
        view.lines = []
        view.factCount = 0
        view.title = Prompt(.factsNeedRoom)
        view.hint = nil
        view.entry = nil
        view.actions.removeAll { $0.key == .enter }
        return view
    }

    /// The whole view in one line, for a display that shows one line after the other.
    func sentence(of view: KioskView) -> String {
        let view = view.atItsKeys
        let catalogue = languages.catalogue(for: view)
        var parts = [catalogue.text(view.title)] + view.lines.map(catalogue.text)
        if let document = view.document { parts.append(document.lines.map(\.shown).joined(separator: " / ")) }
        if let hint = view.hint { parts.append(catalogue.text(hint)) }
        if case .card = view.entry {
            if view.stage != .setup { parts.append(catalogue.text(Prompt(.cardNeedsRoom))) }
        } else if let entry = view.entry {
            parts.append(ConsoleLayout.text(entry))
        }
        let keys = view.actions.map { ConsoleLayout.text($0, view, catalogue) }.joined(separator: ", ")
        if !keys.isEmpty { parts.append(keys) }
        return parts.joined(separator: " | ")
    }

    static func text(_ action: ViewAction, _ view: KioskView, _ catalogue: PromptCatalogue) -> String {
        "[\(catalogue.text(view.keyNames.names(of: action.key)))] \(catalogue.text(action.label))"
    }

    static func text(_ entry: ViewEntry) -> String {
        switch entry {
        case .masked(let count, let capacity):
            // No more positions than possible digits: a bystander must not see the length of the PIN.
            String(repeating: "*", count: count) + String(repeating: "_", count: max(capacity - count, 0))
        case .text(let text): "> \(text)_"
        case .code(let code): "> \(CodeText.grouped(code))_"
        case .digits(let digits): CodeText.spaced(digits)
        case .card: ""
        }
    }
}
