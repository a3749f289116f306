// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The blocks of a view on a terminal, from top to bottom.
struct ScreenBlocks {
    /// Separates two keys on a row.
    private static let keyGap = "   "

    private let view: KioskView
    private let catalogue: PromptCatalogue
    private let size: ScreenSize

    private var title: [StyledLine] = []
    /// The rows of each line of the view.
    private var explanations: [[StyledLine]] = []
    private var document: [StyledLine] = []
    private var entry: [StyledLine] = []
    private var hint: [StyledLine] = []
    private var keys: [StyledLine] = []

    init(_ view: KioskView, _ catalogue: PromptCatalogue, _ size: ScreenSize) {
        self.view = view
        self.catalogue = catalogue
        self.size = size
        title = wrapped("\(ScreenBlocks.sign(of: view.tone)) \(catalogue.text(view.title))", .title)
        explanations = view.lines.map {
            wrapped(catalogue.text($0), $0.key == .browserElsewhere ? .warning : .plain)
        }
        // The bar separates the document's words from the kiosk's: no document can pretend to show keys.
        document = (view.document?.lines ?? []).map { row("| \($0.shown)", .document) }
        entry = entryRows()
        hint = view.hint.map { wrapped(catalogue.text($0), .hint) } ?? []
        keys = keyRows()
    }

    /// Whether the document or the code needs more columns than there are. Everything else is wrapped.
    var isTooWide: Bool { (document + entry).contains { $0.text.columns > size.columns } }

    /// Whether the blocks need more rows than there are, even without empty ones.
    var isTooHigh: Bool { stacked(airy: false).count > size.rows }

    /// Whether title, facts, hint, entry and keys need more rows than there are.
    var leavesFactsOut: Bool {
        guard view.factCount > 0 else { return false }
        var least = self
        least.explanations = Array(explanations.prefix(view.factCount))
        return least.isTooHigh
    }

    /// - Parameter airy: whether empty rows surround each block.
    func stacked(airy: Bool) -> [StyledLine] {
        let blocks = [title, explanations.flatMap(\.self), document, entry, hint, keys].filter { !$0.isEmpty }
        let gap = airy ? [StyledLine("")] : []
        return gap + blocks.flatMap { $0 + gap }
    }

    /// The idle screen at rest: it moves down the free rows, one a step, and begins again at the top.
    func resting(at step: Int) -> [StyledLine] {
        let picture = stacked(airy: false)
        let above = step % max(size.rows - picture.count + 1, 1)
        return Array(repeating: StyledLine(""), count: above) + picture
    }

    /// Drops explanations, from the last, until the others fit. On the scan screen a fault outlasts the keys.
    mutating func dropExplanations() {
        let isFault = view.stage == .scan && view.tone == .trouble
        while isTooHigh, explanations.count > (isFault ? 1 : 0) { explanations.removeLast() }
        if isFault, isTooHigh { keys = [] }
        while isTooHigh, !explanations.isEmpty { explanations.removeLast() }
    }

    /// Replaces the document, or the code of a card, by a sentence that there is no room: a part of it is useless.
    func withoutDocumentAndCode() -> ScreenBlocks {
        var blocks = self
        if !document.isEmpty { blocks.document = wrapped(catalogue.text(Prompt(.documentNeedsRoom)), .hint) }
        if case .card = view.entry {
            // The operator can get the kiosk's own key in other ways too.
            blocks.entry = view.stage == .setup ? [] : wrapped(catalogue.text(Prompt(.cardNeedsRoom)), .hint)
        }
        return blocks
    }

    private func entryRows() -> [StyledLine] {
        guard let entry = view.entry else { return [] }
        // A QR code in characters stands at the left edge because of its width.
        if case .card(let text) = entry { return CardCode(text)?.rows.map { StyledLine($0, .picture) } ?? [] }
        return wrapped(ConsoleLayout.text(entry), .entry)
    }

    /// Fills each row with the keys that fit, each in one piece and well separated: a key apart from its meaning could
    /// be mistaken for another. In the menu each has a row of its own.
    private func keyRows() -> [StyledLine] {
        var rows: [String] = []
        for action in view.actions {
            let key = ConsoleLayout.text(action, view, catalogue)
            let joined = rows.last.map { $0 + ScreenBlocks.keyGap + key }
            if let joined, view.stage != .menu, joined.columns <= columns {
                rows[rows.count - 1] = joined
            } else {
                rows += key.wrapped(to: columns)
            }
        }
        return rows.map { row($0, .key) }
    }

    /// The columns between the margins.
    private var columns: Int { max(size.columns - 2 * ConsoleLayout.margin(of: size), 1) }

    private func row(_ text: String, _ style: StyledLine.Style) -> StyledLine {
        StyledLine(String(repeating: " ", count: ConsoleLayout.margin(of: size)) + text, style)
    }

    private func wrapped(_ text: String, _ style: StyledLine.Style) -> [StyledLine] {
        text.wrapped(to: columns).map { row($0, style) }
    }

    /// A mark beside the title, so that nothing depends on colour alone.
    private static func sign(of tone: Tone) -> String {
        switch tone {
        case .ready: ">"
        case .working: "..."
        case .ask: "?"
        case .success: "OK:"
        case .failure: "X"
        case .trouble: "!"
        }
    }
}

/// One row of a screen: a text that fits, and its style.
struct StyledLine: Sendable, Hashable {
    enum Style: Sendable { case plain, title, warning, document, hint, key, entry, picture }

    var text: String
    var style: Style

    init(_ text: String, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }
}
