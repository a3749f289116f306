// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

/// Lays a view out on the rows of a terminal.
///
/// Nothing that the person must decide on is cut. When rows are missing, empty ones go first, then the explaining
/// lines from the last, but never title, hint, entry and keys; only a trouble of the scan screen goes after the keys, which
/// mend nothing. The lines that OK agrees to, and a page of a document,
/// are shown whole, or the screen says that it is too small.
struct ConsoleLayout: Sendable {
    let languages: Languages

    /// - Returns: at most `size.rows` lines of at most `size.columns` columns.
    func lines(of view: KioskView, size: ScreenSize) -> [StyledLine] {
        let view = view.atItsKeys
        let catalogue = languages.catalogue(for: view)
        let margin = ConsoleLayout.margin(of: size)
        let columns = max(size.columns - 2 * margin, 1)
        let indent = String(repeating: " ", count: margin)
        func wrap(_ text: String, _ style: StyledLine.Style) -> [StyledLine] {
            text.wrapped(to: columns).map { StyledLine(indent + $0, style) }
        }
        if leavesFactsOut(of: view, size: size) {
            return lines(of: ConsoleLayout.withoutFacts(view), size: size)
        }
        let title = wrap("\(ConsoleLayout.sign(view)) \(catalogue.text(view.title))", .title)
        var explanations = view.lines.map {
            wrap(catalogue.text($0), $0.key == .browserElsewhere ? .warning : .plain)
        }
        // The bar separates the document's words from the kiosk's: no document can pretend to show keys.
        var document = view.document?.lines.map { StyledLine("\(indent)| \($0.shown)", .document) } ?? []
        let hint = view.hint.map { wrap(catalogue.text($0), .hint) } ?? []
        var entry: [StyledLine]
        var isPicture = false
        if case .card(let text) = view.entry {
            entry = ConsoleLayout.picture(of: text)
            isPicture = true
        } else {
            entry = view.entry.map { wrap(ConsoleLayout.text($0), .entry) } ?? []
        }
        let actions = view.actions.map { ConsoleLayout.text($0, view, catalogue) }
        var keys = ConsoleLayout.rows(of: actions, isList: view.stage == .menu, columns: columns).map {
            StyledLine(indent + $0, .key)
        }
        func stack(isAiry: Bool) -> [StyledLine] {
            let blocks = [title, explanations.flatMap(\.self), document, entry, hint, keys].filter { !$0.isEmpty }
            guard isAiry else { return blocks.flatMap(\.self) }
            return Array(([[StyledLine("")]] + blocks.map { $0 + [StyledLine("")] }).joined())
        }
        if let step = view.restStep {
            // The idle screen moves down the free rows, one a step, and begins again.
            let picture = stack(isAiry: false)
            let above = step % max(size.rows - picture.count + 1, 1)
            return Array((Array(repeating: StyledLine(""), count: above) + picture).prefix(max(size.rows, 0)))
        }
        func saveRows() {
            let isTrouble = view.stage == .scan && view.tone == .trouble
            while stack(isAiry: false).count > size.rows, explanations.count > (isTrouble ? 1 : 0) {
                explanations.removeLast()
            }
            if isTrouble, stack(isAiry: false).count > size.rows { keys = [] }
            while stack(isAiry: false).count > size.rows, !explanations.isEmpty { explanations.removeLast() }
        }
        let airy = stack(isAiry: true)
        let isWideEnough = (document + (isPicture ? entry : [])).allSatisfy { $0.text.columns <= size.columns }
        if isWideEnough, airy.count <= size.rows { return airy }
        let all = explanations
        saveRows()
        if !isWideEnough || stack(isAiry: false).count > size.rows, !document.isEmpty {
            explanations = all
            document = wrap(catalogue.text(Prompt(.documentNeedsRoom)), .hint)
            saveRows()
        }
        if isPicture, !isWideEnough || stack(isAiry: false).count > size.rows {
            explanations = all
            // Half a code is useless. The operator can get the kiosk's own key in other ways too.
            entry = view.stage == .setup ? [] : wrap(catalogue.text(Prompt(.cardNeedsRoom)), .hint)
            saveRows()
        }
        return Array(stack(isAiry: false).prefix(max(size.rows, 0)))
    }

    /// Whether title, facts, hint, entry and keys need more rows than there are.
    func leavesFactsOut(of view: KioskView, size: ScreenSize) -> Bool {
        guard view.factCount > 0 else { return false }
        var least = view
        least.lines = Array(view.lines.prefix(view.factCount))
        least.factCount = 0
        return lines(of: least, size: ScreenSize(columns: size.columns, rows: .max)).count { !$0.text.isEmpty }
            > size.rows
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

    private static func text(_ action: ViewAction, _ view: KioskView, _ catalogue: PromptCatalogue) -> String {
        "[\(catalogue.text(view.keyNames.names(of: action.key)))] \(catalogue.text(action.label))"
    }

    /// Puts as many keys on a row as fit, each in one piece and well separated: a key apart from its meaning could be
    /// taken for another.
    ///
    /// - Parameter isList: whether each has a row of its own.
    private static func rows(of keys: [String], isList: Bool, columns: Int) -> [String] {
        var rows: [String] = []
        for key in keys {
            if !isList, let row = rows.last, row.columns + 3 + key.columns <= columns {
                rows[rows.count - 1] = row + "   " + key
            } else {
                rows += key.wrapped(to: columns)
            }
        }
        return rows
    }

    /// A QR code in characters, at the left edge because of its width.
    private static func picture(of text: SecretBytes) -> [StyledLine] {
        CardCode(text)?.rows.map { StyledLine($0, .picture) } ?? []
    }

    /// A mark beside the title, so that nothing depends on colour alone.
    private static func sign(_ view: KioskView) -> String {
        switch view.tone {
        case .ready: ">"
        case .working: "..."
        case .ask: "?"
        case .success: "OK:"
        case .failure: "X"
        case .trouble: "!"
        }
    }

    private static func text(_ entry: ViewEntry) -> String {
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
