// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The parts of a view, each as high as its words at a width.
extension PageDraft {
    private var body: TextStyle { design.words(level.body, atLeast: 24) }
    private var quiet: TextStyle { design.words(level.body * 0.8, atLeast: 20) }

    func block(
        _ text: String, _ style: TextStyle, _ colour: Colour, ground: Colour = .ground, width: Int, gap: Int,
        alignment: Words.Alignment = .left
    ) -> Block {
        let text = Wording.prepared(text, style, width: width, design.text)
        let height = design.text.size(of: text, style, width: width).height
        return Block(height: height, gap: gap) { place in
            [
                .words(
                    place, Words(text: text, style: style, colour: colour, ground: ground, alignment: alignment))
            ]
        }
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
        let sizes = [level.title, 2.1, 1.8, 1.5, 1.3].filter { $0 <= level.title }
        func lines(_ style: TextStyle) -> Int {
            let line = max(design.text.size(of: "X", style, width: nil).height, 1)
            return (design.text.size(of: title, style, width: width).height + line / 2) / line
        }
        let styles = sizes.map { fitting(title, [$0], 700, atLeast: 26, width: width) }
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
            let words = Rectangle(
                x: place.x + beside, y: place.y + (place.height - title.height) / 2, width: place.width - beside,
                height: title.height)
            return [.sign(sign, tone)] + title.elements(words)
        }
    }

    /// The lines below the title: facts and values large, labels beside or above them.
    ///
    /// - Parameter hasLabels: whether values keep their labels, which say what is plain to see.
    func lineBlocks(width: Int, hasLabels: Bool = true, alignment: Words.Alignment = .left) -> [Block] {
        let lines = view.lines.map { hasLabels ? $0 : DisplayView.Line($0.text, kind: $0.kind) }
        let labels = lines.filter { !$0.label.isEmpty }
        let widest = labels.map { design.text.size(of: $0.label, quiet, width: nil).width }.max() ?? 0
        let column = widest + design.units(0.8)
        // An address beside its label must not be torn where a line of its own would hold it.
        let value = design.words(level.body, atLeast: 24, 600)
        let holds = labels.allSatisfy { design.text.widestWord(of: $0.text, value) <= width - column }
        let isBeside = !isPortrait && alignment == .left && column <= width * 35 / 100 && holds
        return lines.enumerated().map { index, line in
            let isFact = index < view.factCount
            let colour: Colour =
                switch line.kind {
                case .domain: .of(view.tone)
                case .warning: .of(.trouble)
                case .plain, .quiet, .advice: isFact || !view.lines[index].label.isEmpty ? .text : .quiet
                }
            let isValue = isFact || !view.lines[index].label.isEmpty
            let valueWidth = !line.label.isEmpty && isBeside ? width - column : width
            let sizes = isFact ? [level.fact, 1.6, 1.45, 1.25].filter { $0 <= level.fact } : [level.body]
            let style = fitting(line.text, sizes, isValue ? 600 : 400, atLeast: 24, width: valueWidth)
            let gap = isValue ? self.gap * 2 / 3 : self.gap
            let value = block(line.text, style, colour, width: valueWidth, gap: gap, alignment: alignment)
            guard !line.label.isEmpty else { return value }
            if isBeside {
                let label = block(line.label, quiet, .quiet, width: column, gap: gap)
                // On one base line.
                let drop = (style.size - quiet.size) * 105 / 100
                return Block(height: max(value.height, label.height + drop), gap: gap) { place in
                    label.elements(
                        Rectangle(x: place.x, y: place.y + drop, width: column, height: label.height))
                        + value.elements(
                            Rectangle(
                                x: place.x + column, y: place.y, width: place.width - column, height: value.height))
                }
            }
            let label = block(line.label, quiet, .quiet, width: width, gap: gap, alignment: alignment)
            return Block(height: label.height + value.height, gap: gap) { place in
                label.elements(Rectangle(x: place.x, y: place.y, width: place.width, height: label.height))
                    + value.elements(
                        Rectangle(x: place.x, y: place.y + label.height, width: place.width, height: value.height))
            }
        }
    }

    /// A remark in a cell of its own, with a stripe in the colour of trouble.
    func hintBlock(width: Int) -> [Block] {
        guard !view.hint.isEmpty else { return [] }
        let (across, down) = (design.units(0.8), design.units(level.gap * 0.7))
        let stripe = max(design.units(0.25), 3)
        let words = block(
            view.hint, body, .text, ground: .raised, width: width - 2 * across - stripe, gap: 0)
        let radius = design.units(0.3)
        return [
            Block(height: words.height + 2 * down, gap: gap) { place in
                let inner = Rectangle(
                    x: place.x + across + stripe, y: place.y + down, width: place.width - 2 * across - stripe,
                    height: words.height)
                return [
                    .cell(place, fill: .raised, edge: .raised, radius: radius),
                    .cell(
                        Rectangle(x: place.x, y: place.y, width: stripe, height: place.height), fill: .of(.trouble),
                        edge: .of(.trouble), radius: stripe / 2),
                ] + words.elements(inner)
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
                    let total = max(step * capacity, 1)
                    return .dots(
                        Rectangle(x: place.x + (place.width - total) / 2, y: place.y, width: total, height: dots),
                        count: count, capacity: capacity)
                }
            ]
        case .digits(let digits):
            let digits = digits.replacing(" ", with: "\u{2007}")
            let room = width - design.units(1.6)
            let style = fitting(
                digits, [level.title * 2.2, level.title * 1.8, 2.4, 2], 700, atLeast: 36, width: room)
            return [
                well(height: design.text.size(of: digits, style, width: room).height) { place in
                    .words(
                        place, Words(text: digits, style: style, colour: .text, ground: .raised, alignment: .centre))
                }
            ]
        case .text(let typed): return [fieldBlock(typed, width: width)]
        }
    }

    /// A place for something large, in a frame over the full width.
    private func well(height: Int, _ element: @escaping (Rectangle) -> Shape) -> Block {
        let down = design.units(max(level.gap * 0.8, 0.35))
        let (inside, radius) = (design.units(0.8), design.units(0.5))
        return Block(height: height + 2 * down, gap: gap) { place in
            [
                .cell(place, fill: .raised, edge: .edge, radius: radius),
                element(
                    Rectangle(
                        x: place.x + inside, y: place.y + down, width: max(place.width - 2 * inside, 1), height: height)
                ),
            ]
        }
    }

    private func fieldBlock(_ typed: String, width: Int) -> Block {
        let inside = design.units(0.8)
        let caret = max(design.units(0.12), 2)
        let room = width - 2 * inside - 2 * caret
        let style = fitting(
            typed, [level.fact, 1.6, 1.45, 1.25].filter { $0 <= max(level.fact, 1.6) }, 600, atLeast: 24, width: room)
        let text = Wording.prepared(typed, style, width: room, design.text)
        let size = design.text.size(of: text.isEmpty ? "0" : text, style, width: room)
        let isOneLine = design.text.size(of: text, style, width: nil).width <= room
        let down = design.units(0.55)
        let radius = design.units(0.4)
        return Block(height: size.height + 2 * down, gap: gap) { place in
            var elements: [Shape] = [.cell(place, fill: .raised, edge: .of(.ready), radius: radius)]
            let words = Rectangle(
                x: place.x + inside, y: place.y + down, width: room, height: size.height)
            if !typed.isEmpty {
                elements.append(
                    .words(words, Words(text: text, style: style, colour: .text, ground: .raised)))
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
