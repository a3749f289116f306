// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The parts of a view, each as high as its words at a width.
extension PageDraft {
    private var body: TextStyle { design.words(level.body, atLeast: ScreenDesign.leastBody) }
    private var quiet: TextStyle { design.words(level.body * 0.8, atLeast: ScreenDesign.leastQuiet) }

    func block(
        _ text: String, _ style: TextStyle, _ colour: Colour, ground: Colour = .ground, width: Int, gap: Int,
        alignment: Words.Alignment = .left
    ) -> Block {
        let text = Wording.prepared(text, style, width: width, design.text)
        let height = design.text.size(of: text, style, width: width).height
        let words = Words(text: text, style: style, colour: colour, ground: ground, alignment: alignment)
        return Block(height: height, gap: gap) { [.words($0, words)] }
    }

    /// The largest of some styles in which no word of a text is torn.
    func fitting(_ text: String, _ sizes: [Double], _ weight: Int, atLeast least: Int, width: Int) -> TextStyle {
        let styles = sizes.map { design.words($0, atLeast: least, weight) }
        let fit = styles.first { style in
            !design.text.tears(Wording.prepared(text, style, width: width, design.text), style, width: width)
        }
        return fit ?? styles[styles.count - 1]
    }

    func titleBlock(
        _ title: String, width: Int, alignment: Words.Alignment = .left, atMost most: Int = 2
    ) -> Block {
        func lines(_ style: TextStyle) -> Int {
            let line = max(design.text.size(of: "X", style, width: nil).height, 1)
            return (design.text.size(of: title, style, width: width).height + line / 2) / line
        }
        let styles = level.titleSizes.map { fitting(title, [$0], TextStyle.bold, atLeast: leastTitle, width: width) }
        let whole = styles.filter { !design.text.tears(title, $0, width: width) }
        let short = [most, most + 1].lazy.compactMap { most in whole.first { lines($0) <= most } }.first
        let style = short ?? styles[styles.count - 1]
        let narrow = balanced(title, style, width: width)
        let words = block(title, style, .text, width: narrow, gap: gap, alignment: alignment)
        return Block(height: words.height, gap: gap) { place in
            let x = alignment == .centre ? place.x + (place.width - narrow) / 2 : place.x
            return words.elements(Rectangle(x: x, y: place.y, width: narrow, height: place.height))
        }
    }

    /// The least width at which a text takes no more lines than at `width`, so that no word is alone in the last.
    private func balanced(_ text: String, _ style: TextStyle, width: Int) -> Int {
        let text = Wording.prepared(text, style, width: width, design.text)
        let height = design.text.size(of: text, style, width: width).height
        var (least, enough) = (min(design.text.widestWord(of: text, style), width), width)
        while enough - least > design.units(0.5) {
            let middle = (least + enough) / 2
            if design.text.size(of: text, style, width: middle).height > height {
                least = middle
            } else {
                enough = middle
            }
        }
        return enough
    }

    /// The sign and the title beside it.
    func headBlock(width: Int) -> Block {
        let side = design.sign(beside: level.title)
        let beside = side + design.units(0.7)
        let title = titleBlock(view.title, width: width - beside)
        let tone = view.tone
        return Block(height: max(side, title.height), gap: 0) { place in
            let sign = Rectangle(
                x: place.x, y: place.y + min((place.height - side) / 2, side / 4), width: side, height: side)
            return [.sign(sign, tone)] + [title].centred(in: place.columns(first: beside).second)
        }
    }

    /// The lines below the title: facts and values large, labels beside or above them.
    ///
    /// - Parameter hasLabels: whether values keep their labels, which are not needed to understand the values.
    func lineBlocks(width: Int, hasLabels: Bool = true, alignment: Words.Alignment = .left) -> [Block] {
        let column = hasLabels && alignment == .left && !isPortrait ? labelColumn(width: width) : nil
        return view.lines.enumerated().map { index, line in
            let look = LineStyle(line, isFact: index < view.factCount, self)
            let label = hasLabels ? line.label : ""
            let room = label.isEmpty ? width : width - (column ?? 0)
            let style = fitting(line.text, look.sizes, look.weight, atLeast: ScreenDesign.leastBody, width: room)
            let value = block(line.text, style, look.colour, width: room, gap: look.gap, alignment: alignment)
            if label.isEmpty { return value }
            guard let column else {
                return above(block(label, quiet, .quiet, width: width, gap: 0, alignment: alignment), value)
            }
            // Both stand on one base line.
            let drop = (style.size - quiet.size) * 105 / 100
            return beside(block(label, quiet, .quiet, width: column, gap: 0), value, column: column, drop: drop)
        }
    }

    /// The width of a column for all labels; nil where they stand above their values.
    private func labelColumn(width: Int) -> Int? {
        let labelled = view.lines.filter { !$0.label.isEmpty }
        let widest = labelled.map { design.text.size(of: $0.label, quiet, width: nil).width }.max() ?? 0
        let column = widest + design.units(0.8)
        // An address beside its label must not be torn where a line of its own would hold it.
        let value = design.words(level.body, atLeast: ScreenDesign.leastBody, TextStyle.semibold)
        let holds = labelled.allSatisfy { design.text.widestWord(of: $0.text, value) <= width - column }
        return column <= width * mostForLabels / 100 && holds ? column : nil
    }

    private func above(_ label: Block, _ value: Block) -> Block {
        let pair = [label, Block(height: value.height, gap: 0, elements: value.elements)]
        return Block(height: pair.height, gap: value.gap) { pair.placed(in: $0) }
    }

    /// - Parameters:
    ///   - column: the width for the label.
    ///   - drop: the distance by which the label begins lower than the value.
    private func beside(_ label: Block, _ value: Block, column: Int, drop: Int) -> Block {
        Block(height: max(value.height, label.height + drop), gap: value.gap) { place in
            let (first, second) = place.columns(first: column)
            return [label].placed(in: first.dropping(top: drop)) + [value].placed(in: second)
        }
    }

    /// A remark in a cell of its own, with a stripe in the colour of trouble.
    func hintBlock(width: Int) -> [Block] {
        guard !view.hint.isEmpty else { return [] }
        let (across, down) = (design.units(0.8), design.units(level.gap * 0.7))
        let stripe = max(design.units(0.25), 3)
        let words = block(view.hint, body, .text, ground: .raised, width: width - 2 * across - stripe, gap: 0)
        let radius = design.units(0.3)
        return [
            Block(height: words.height + 2 * down, gap: gap) { place in
                let (edge, inner) = place.columns(first: stripe)
                return [
                    .cell(place, fill: .raised, edge: .raised, radius: radius),
                    .cell(edge, fill: .of(.trouble), edge: .of(.trouble), radius: stripe / 2),
                ] + words.elements(inner.inset(across, down))
            }
        ]
    }

    /// The field of typed text, the digits to copy, or the typed digits of a PIN.
    func entryBlock(width: Int) -> [Block] {
        switch view.entry {
        case nil, .code: return []
        case .masked(let count, let capacity):
            let step = min(design.units(level.body * 2.1), (width - design.units(1.6)) / max(capacity, 1))
            let dots = max(step * 2 / 3, 1)
            return [
                well(height: dots) { place in
                    .dots(place.centred(width: max(step * capacity, 1), height: dots), count: count, capacity: capacity)
                }
            ]
        case .digits(let digits):
            let digits = digits.replacing(" ", with: "\u{2007}")
            let room = width - design.units(1.6)
            let style = fitting(
                digits, [level.title * 2.2, level.title * 1.8, 2.4, 2], TextStyle.bold, atLeast: leastDigits,
                width: room)
            let words = Words(text: digits, style: style, colour: .text, ground: .raised, alignment: .centre)
            return [well(height: design.text.size(of: digits, style, width: room).height) { .words($0, words) }]
        case .text(let typed): return [fieldBlock(typed, width: width)]
        }
    }

    /// A place for something large, in a frame over the full width.
    private func well(height: Int, _ element: @escaping (Rectangle) -> Shape) -> Block {
        let down = design.units(max(level.gap * 0.8, 0.35))
        let (inside, radius) = (design.units(0.8), design.units(0.5))
        return Block(height: height + 2 * down, gap: gap) { place in
            [.cell(place, fill: .raised, edge: .edge, radius: radius), element(place.inset(inside, down))]
        }
    }

    private func fieldBlock(_ typed: String, width: Int) -> Block {
        let inside = design.units(0.8)
        let caret = max(design.units(0.12), 2)
        let room = width - 2 * inside - 2 * caret
        let style = fitting(
            typed, level.factSizes, TextStyle.semibold, atLeast: ScreenDesign.leastBody, width: room)
        let text = Wording.prepared(typed, style, width: room, design.text)
        let size = design.text.size(of: text.isEmpty ? "0" : text, style, width: room)
        let isOneLine = design.text.size(of: text, style, width: nil).width <= room
        let down = design.units(0.55)
        let radius = design.units(0.4)
        return Block(height: size.height + 2 * down, gap: gap) { place in
            var elements: [Shape] = [.cell(place, fill: .raised, edge: .of(.ready), radius: radius)]
            let words = Rectangle(x: place.x + inside, y: place.y + down, width: room, height: size.height)
            if !typed.isEmpty {
                elements.append(.words(words, Words(text: text, style: style, colour: .text, ground: .raised)))
            }
            if isOneLine {
                let end = typed.isEmpty ? 0 : design.text.size(of: text, style, width: nil).width + caret
                elements.append(
                    .caret(
                        Rectangle(
                            x: min(words.x + end, place.right - inside), y: words.y + size.height / 8, width: caret,
                            height: size.height * 3 / 4)))
            }
            return elements
        }
    }
}

/// The largest share of the width for a column of labels, in per cent.
private let mostForLabels = 35
/// Pixels of the smallest title, and of the smallest digits to copy.
private let leastTitle = 26
private let leastDigits = 36

/// The look of a line below the title: of a fact, of another value, or of a sentence.
private struct LineStyle {
    /// The sizes to choose from, the best first.
    let sizes: [Double]
    let weight: Int
    let colour: Colour
    let gap: Int

    init(_ line: DisplayView.Line, isFact: Bool, _ page: PageDraft) {
        let isValue = isFact || !line.label.isEmpty
        sizes = isFact ? page.level.factSizes : [page.level.body]
        weight = isValue ? TextStyle.semibold : TextStyle.regular
        colour =
            switch line.kind {
            case .domain: .of(page.view.tone)
            case .warning: .of(.trouble)
            case .plain, .quiet, .advice: isValue ? .text : .quiet
            }
        gap = isValue ? page.gap * 2 / 3 : page.gap
    }
}
