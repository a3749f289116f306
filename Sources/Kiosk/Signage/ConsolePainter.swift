// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Makes the bytes that turn one picture on a terminal into the next.
///
/// The cursor goes home, each row is overwritten and its rest erased, and so are the rows below: nothing is blank in
/// between, so nothing flickers. Unchanged rows are not sent.
struct ConsolePainter: Sendable {
    private static let escape = "\u{1B}["

    let layout: ConsoleLayout
    let usesColour: Bool
    private var shown: [StyledLine]?
    private var shownSize: ScreenSize?
    private var shownTone: Tone?
    private var shownDim = false
    /// Whether the terminal shows nothing of text that comes without the painter: the echo of a digit, if another
    /// program has switched it on.
    private var isConcealed = false

    init(layout: ConsoleLayout, usesColour: Bool) {
        self.layout = layout
        self.usesColour = usesColour
    }

    /// Switches to the alternate screen and hides the cursor.
    static let opening = escape + "?1049h" + escape + "?25l" + escape + "2J"
    /// Restores the terminal.
    static let closing = escape + "0m" + escape + "?25h" + escape + "?1049l"

    /// Conceals text, or writes black on black where a terminal cannot.
    private static let concealing = escape + "8;30;40m"

    /// Makes the next picture whole: the terminal may not show what it was sent.
    mutating func forget() { shown = nil }

    /// - Returns: empty when nothing changes.
    mutating func paint(_ view: KioskView, size: ScreenSize) -> String {
        let lines = layout.lines(of: view, size: size)
        let isDim = view.restStep != nil
        let isFresh = shown == nil || shownSize != size || shownDim != isDim
        let tone = usesColour ? view.tone : nil
        var text = isFresh ? ConsolePainter.escape + "2J" : ""
        for row in 0..<max(lines.count, isFresh ? 0 : shown?.count ?? 0) {
            let line = row < lines.count ? lines[row] : nil
            let before = row < (shown?.count ?? 0) ? shown?[row] : nil
            let isSame = !isFresh && line == before && (![.title, .warning].contains(line?.style) || tone == shownTone)
            if !isSame {
                text +=
                    "\(ConsolePainter.escape)\(row + 1);1H" + styled(line, tone, isDim: isDim) + ConsolePainter.escape
                    + "K"
            }
        }
        (shown, shownSize, shownTone, shownDim) = (lines, size, tone, isDim)
        // Input is concealed also while the terminal's modes cannot be kept and the fault is shown instead of the
        // entry: a person may go on typing.
        let conceals = if case .masked = view.entry { true } else { view.stage.asksForPIN }
        if text.isEmpty, conceals == isConcealed { return text }
        let beginning = isConcealed ? ConsolePainter.escape + "0m" : ""
        isConcealed = conceals
        return beginning + text + (conceals ? ConsolePainter.concealing : "")
    }

    private func styled(_ line: StyledLine?, _ tone: Tone?, isDim: Bool) -> String {
        guard let line else { return "" }
        let code =
            switch line.style {
            case _ where isDim: "2"
            case .plain, .document: ""
            case .title, .warning: ConsolePainter.colour(tone)
            case .hint: "1"
            case .key: tone == nil ? "" : "36"
            case .entry: "1"
            // Dark on light in every colour scheme of the terminal: many cameras read no other code.
            case .picture: tone == nil ? "7" : "30;107"
            }
        return code.isEmpty
            ? line.text : "\(ConsolePainter.escape)\(code)m\(line.text)\(ConsolePainter.escape)0m"
    }

    private static func colour(_ tone: Tone?) -> String {
        switch tone {
        case nil, .ready, .ask: "1"
        case .working: "1;34"
        case .success: "1;32"
        case .failure: "1;31"
        case .trouble: "1;33"
        }
    }
}
