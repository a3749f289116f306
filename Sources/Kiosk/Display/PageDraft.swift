// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// One attempt to place a view with letters and gaps of one level.
struct PageDraft {
    let design: ScreenDesign
    let view: DisplayView
    let level: Level
    var scene: Scene

    init(_ design: ScreenDesign, _ view: DisplayView, _ level: Level, _ scene: Scene) {
        self.design = design
        self.view = view
        self.level = level
        self.scene = scene
    }

    var gap: Int { design.units(level.gap) }
    var bounds: Rectangle { design.bounds }
    var isPortrait: Bool { design.isPortrait }

    mutating func compose() {
        if !view.document.isEmpty { return document() }
        var keys = Array(view.keys.enumerated())
        let whole = bounds.inset(by: design.units(level.margin))
        let keyboard = design.isTouched ? view.keyboard : nil
        let hasPad = keyboard?.showsLetters == false
        if let keyboard {
            keys.removeAll { keyboard.replaces($0.element.role, isPortrait: isPortrait) }
            let label = hasPad ? keyboard.toLetters : isPortrait ? keyboard.toDigits : ""
            if !label.isEmpty { keys.append((.switching, DisplayView.Key(.other, cap: "", label: label))) }
        }
        if hasPad { return pad(keys) }
        if case .code(let grid) = view.entry, !isPortrait { return code(grid, keys, in: whole) }
        let list = view.stage == .menu ? keys.filter { $0.element.role == .digit } : []
        if !list.isEmpty { keys.removeAll { $0.element.role == .digit } }
        let area = put(KeyBar(self, keys, width: whole.width), belowIn: whole)
        if view.showsPreview {
            preview(in: area)
        } else if !list.isEmpty {
            menu(list, in: area)
        } else if let keyboard, keyboard.showsLetters {
            letters(keyboard, in: area)
        } else if case .code(let grid) = view.entry {
            codeBelow(grid, in: area)
        } else if view.isTold {
            told(in: area)
        } else {
            asked(in: area)
        }
    }

    /// Adds blocks to an area, or lists that they have no room.
    mutating func put(_ blocks: [Block], in area: Rectangle, isCentred: Bool = true) {
        if blocks.height > area.height || area.width < 2 * design.unit.whole {
            scene.leftOut.insert(view.factCount > 0 ? .facts : .words)
        }
        scene.elements += isCentred ? blocks.centred(in: area) : blocks.placed(in: area)
    }

    /// Adds keys at the lower edge of an area.
    ///
    /// - Returns: the area above them.
    private mutating func put(_ bar: KeyBar, belowIn whole: Rectangle) -> Rectangle {
        if !bar.isWhole { scene.leftOut.insert(.words) }
        bar.place(
            in: Rectangle(x: whole.x, y: whole.bottom - bar.height, width: whole.width, height: bar.height), &scene)
        let taken = bar.height + (bar.height > 0 ? design.units(.gap) : 0)
        return Rectangle(x: whole.x, y: whole.y, width: whole.width, height: max(whole.height - taken, 1))
    }

    // MARK: Blocks

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
        let style = [most, most + 1].lazy.compactMap { most in whole.first { lines($0) <= most } }.first
        return block(
            title, style ?? styles[styles.count - 1], .text, width: width, gap: gap, alignment: alignment)
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

    // MARK: Screens

    /// A question or a field: the title above, everything else in the middle of what remains.
    private mutating func asked(in area: Rectangle) {
        let head = headBlock(width: area.width)
        let rest = lineBlocks(width: area.width) + entryBlock(width: area.width) + hintBlock(width: area.width)
        let below = head.height + (rest.isEmpty ? 0 : gap)
        put([head], in: Rectangle(x: area.x, y: area.y, width: area.width, height: area.height), isCentred: false)
        put(
            rest,
            in: Rectangle(x: area.x, y: area.y + below, width: area.width, height: max(area.height - below, 0)))
    }

    /// Something that the person learns: a large sign, the title, a sentence.
    private mutating func told(in area: Rectangle) {
        let side = min(design.units(.sign), area.width / 3)
        let tone = view.tone
        func blocks(_ width: Int, _ alignment: Words.Alignment) -> [Block] {
            [titleBlock(view.title, width: width, alignment: alignment, atMost: isPortrait ? 4 : 3)]
                + lineBlocks(width: width, alignment: alignment) + entryBlock(width: width) + hintBlock(width: width)
        }
        if isPortrait {
            let sign = Block(height: side, gap: 0) { place in
                [.sign(Rectangle(x: place.x + (place.width - side) / 2, y: place.y, width: side, height: side), tone)]
            }
            var texts = blocks(area.width, .centre)
            texts[0].gap = gap * 2
            if ([sign] + texts).height <= area.height { return put([sign] + texts, in: area) }
            return asked(in: area)
        }
        let beside = side + design.units(1.5)
        let texts = blocks(area.width - beside, .left)
        guard texts.height <= area.height else { return asked(in: area) }
        let sign = Rectangle(x: area.x, y: area.y + (area.height - side) / 2, width: side, height: side)
        if side <= area.height { scene.elements.append(.sign(sign, tone)) }
        put(
            texts,
            in: Rectangle(x: area.x + beside, y: area.y, width: area.width - beside, height: area.height))
    }

    /// The camera's picture, and beside or below it what to do.
    private mutating func preview(in area: Rectangle) {
        func texts(_ width: Int) -> [Block] {
            lineBlocks(width: width) + entryBlock(width: width) + hintBlock(width: width)
        }
        let space = design.units(1)
        if isPortrait {
            let head = titleBlock(view.title, width: area.width)
            let rest = texts(area.width)
            let room = area.height - head.height - space - rest.height - (rest.isEmpty ? 0 : space)
            let height = min(room, area.width, bounds.height * 55 / 100)
            if height < area.width * (level.title > 1.5 ? 56 : 45) / 100 { scene.leftOut.insert(.words) }
            let picture = Block(height: max(height, 1), gap: space) { [.preview($0)] }
            var below = rest
            if !below.isEmpty { below[0].gap = space }
            return put([head, picture] + below, in: area)
        }
        let share = level.title > 1.5 ? 57 : 52
        let picture = Rectangle(x: area.x, y: area.y, width: area.width * share / 100, height: area.height)
        scene.elements.append(.preview(picture))
        let column = Rectangle(
            x: picture.right + space, y: area.y, width: area.right - picture.right - space, height: area.height)
        put([titleBlock(view.title, width: column.width)] + texts(column.width), in: column)
    }

    /// Entries in a grid of equal cells that fills the room.
    private mutating func menu(_ list: [(offset: Int, element: DisplayView.Key)], in area: Rectangle) {
        let head = headBlock(width: area.width)
        let above = [head] + lineBlocks(width: area.width) + hintBlock(width: area.width)
        put(above, in: area, isCentred: false)
        let top = above.height + design.units(.gap)
        let room = Rectangle(x: area.x, y: area.y + top, width: area.width, height: max(area.height - top, 1))
        let columns = isPortrait ? [1, 2] : list.count == 4 ? [2, 1] : [3, 2, 1]
        let grids = columns.map { KeyGrid(self, list, columns: $0, in: room) }
        let grid = grids.first(where: \.isWhole) ?? grids[0]
        if !grid.isWhole { scene.leftOut.insert(.keys) }
        grid.place(&scene)
    }

    /// A QR code as large as the short side allows. Words and keys stand beside it.
    private mutating func code(
        _ grid: ModuleGrid, _ keys: [(offset: Int, element: DisplayView.Key)], in whole: Rectangle
    ) {
        let most = min(whole.height, whole.width * 6 / 10) / grid.side
        let draft = self
        // Rather smaller letters than a smaller code.
        let least = level.title > Level.smallest.title ? most * 4 / 5 : 0
        for module in stride(from: most, through: max(least, PageDraft.leastModule), by: -1) {
            self = draft
            let side = module * grid.side
            let column = Rectangle(
                x: whole.x + side + design.units(1.2), y: whole.y, width: whole.width - side - design.units(1.2),
                height: whole.height)
            let area = put(KeyBar(self, keys, width: column.width, isColumn: true), belowIn: column)
            put(texts(area.width), in: area)
            put([picture(grid, module)], in: Rectangle(x: whole.x, y: whole.y, width: side, height: whole.height))
            // A smaller code leaves more room for the words.
            if scene.leftOut.isEmpty || view.lines.isEmpty { return }
        }
        if most < PageDraft.leastModule { scene.leftOut.insert(.code) }
    }

    /// A QR code below its words.
    private mutating func codeBelow(_ grid: ModuleGrid, in area: Rectangle) {
        let texts = texts(area.width)
        let module = min(area.height - texts.height - gap, area.width) / grid.side
        let least = level.title > Level.smallest.title ? area.width / grid.side * 3 / 4 : 0
        guard module >= max(least, PageDraft.leastModule) else {
            scene.leftOut.insert(.code)
            return
        }
        put(texts + [picture(grid, module)], in: area)
    }

    /// Pixels of a module that a telephone still reads.
    private static let leastModule = 3

    private func texts(_ width: Int) -> [Block] {
        [headBlock(width: width)] + lineBlocks(width: width) + hintBlock(width: width)
    }

    private func picture(_ grid: ModuleGrid, _ module: Int) -> Block {
        let side = module * grid.side
        return Block(height: side, gap: gap) { place in
            [.code(Rectangle(x: place.x + (place.width - side) / 2, y: place.y, width: side, height: side), grid)]
        }
    }

    /// The title, the field and as many lines as have room, above a keyboard over the full width.
    private mutating func letters(_ keyboard: DisplayView.Keyboard, in area: Rectangle) {
        let beside = design.units(0.5)
        let width = bounds.width - 2 * beside
        let entry = entryBlock(width: area.width) + hintBlock(width: area.width)
        let lines = lineBlocks(width: area.width)
        let head = headBlock(width: area.width)
        let pads = [true, false].map { LetterPad(self, keyboard, width: width, hasDomains: $0) }
        // Explaining lines go first, then the domains.
        let choices = pads.flatMap { pad -> [(LetterPad, [Block])] in
            (0...lines.count).reversed().map { count in (pad, [head] + lines.prefix(count) + entry) }
        }
        let fitting = choices.first { pad, above in above.height + gap + pad.leastHeight <= area.height }
        let (pad, above) = fitting ?? (pads[1], [head] + entry)
        // A tighter level may have room for them.
        if !pad.hasDomains, !keyboard.domains.isEmpty, level.title > Level.smallest.title {
            scene.leftOut.insert(.explanations)
        }
        let height = max(pad.height(within: area.height - above.height - gap), 1)
        put(
            above,
            in: Rectangle(x: area.x, y: area.y, width: area.width, height: max(area.height - height - gap, 1)),
            isCentred: false)
        pad.place(in: Rectangle(x: beside, y: area.bottom - height, width: width, height: height), &scene)
    }

    /// The facts, the row of dots, and a pad of digits.
    private mutating func pad(_ keys: [(offset: Int, element: DisplayView.Key)]) {
        // The pad stays at its place whatever words stand beside it: a remark goes with the first digit.
        let frame = bounds.inset(by: design.units(1.2))
        let space = design.units(1.5)
        guard !isPortrait else {
            let area = put(KeyBar(self, keys, width: frame.width), belowIn: frame)
            let height = frame.height * 40 / 100
            let pad = Rectangle(x: frame.x, y: area.bottom - height, width: frame.width, height: height)
            put(
                padFacts(width: area.width),
                in: Rectangle(x: area.x, y: area.y, width: area.width, height: max(pad.y - area.y - gap, 1)))
            return PINPad(self, in: pad).place(&scene)
        }
        let left = Rectangle(
            x: frame.x, y: frame.y, width: frame.width * 52 / 100 - space / 2, height: frame.height)
        let area = put(KeyBar(self, keys, width: left.width, isColumn: true), belowIn: left)
        put(padFacts(width: area.width), in: area)
        let pad = Rectangle(
            x: left.right + space, y: frame.y, width: frame.right - left.right - space, height: frame.height)
        PINPad(self, in: pad).place(&scene)
    }

    private func padFacts(width: Int) -> [Block] {
        [headBlock(width: width)] + lineBlocks(width: width, hasLabels: false) + entryBlock(width: width)
            + hintBlock(width: width)
    }

    /// A page of a document over the full width.
    private mutating func document() {
        let margin = design.units(1)
        let whole = bounds.inset(by: margin)
        let page = design.documentArea
        let frame = page.inset(-design.units(0.6), -design.units(0.35))
        let keys = KeyBar(self, Array(view.keys.enumerated()), width: whole.width)
        keys.place(
            in: Rectangle(x: whole.x, y: whole.bottom - keys.height, width: whole.width, height: keys.height), &scene)
        let title = fitting(view.title, [1.5, 1.3, 1.2], 700, atLeast: 24, width: whole.width)
        let head = block(view.title, title, .text, width: whole.width, gap: 0)
        let about = view.lines.map { $0.label.isEmpty ? $0.text : "\($0.label) \($0.text)" }.joined(separator: " · ")
        let names =
            about.isEmpty ? [] : [block(about, design.quiet, .quiet, width: whole.width, gap: design.units(0.2))]
        let above = [head] + names
        let top = Rectangle(x: whole.x, y: whole.y, width: whole.width, height: frame.y - whole.y)
        if above.height > top.height { scene.leftOut.insert(.words) }
        scene.elements += above.placed(in: top)
        let low = Rectangle(
            x: whole.x, y: frame.bottom, width: whole.width, height: whole.bottom - keys.height - frame.bottom)
        if !view.hint.isEmpty {
            let hint = block(view.hint, design.quiet, .of(.ask), width: whole.width, gap: 0)
            if hint.height > low.height { scene.leftOut.insert(.words) }
            scene.elements += [hint].centred(in: low)
        }
        if keys.height > design.documentKeys || !keys.isWhole { scene.leftOut.insert(.keys) }
        // The words of the document never look like the kiosk's own: they stand in a frame, in letters of one width.
        scene.elements.append(.cell(frame, fill: .raised, edge: .edge, radius: design.units(0.4)))
        let style = design.rowStyle
        let height = design.text.size(of: "m", style, width: nil).height
        var y = page.y
        for row in view.document {
            var x = page.x
            for piece in row.pieces where !piece.text.isEmpty {
                let width = design.text.size(of: piece.text, style, width: nil).width
                let place = Rectangle(x: x, y: y, width: width + 1, height: height)
                if !page.contains(Rectangle(x: x, y: y, width: width, height: height)) {
                    scene.leftOut.insert(.document)
                }
                scene.elements.append(
                    .words(
                        place,
                        Words(
                            text: piece.text, style: style, colour: piece.isMark ? .of(.trouble) : .text,
                            ground: .raised)))
                x = place.right
            }
            y += height
        }
        if y > page.bottom { scene.leftOut.insert(.document) }
    }
}

extension DisplayView.Keyboard {
    /// Whether a key does not stand below the keyboard.
    fileprivate func replaces(_ role: DisplayView.Key.Role, isPortrait: Bool) -> Bool {
        if showsLetters { return LetterPad.replaces(role, isPortrait: isPortrait) }
        // BACK repeats while it is held, so that CLEAR is needless.
        return role == .enter || role == .back || role == .clear || role == .menu && !toLetters.isEmpty
    }
}

extension DisplayView {
    var isCode: Bool { if case .code = entry { true } else { false } }

    /// Whether the person reads and does nothing but leave.
    var isTold: Bool {
        entry == nil && factCount == 0
            && (isBusy || stage == .outcome || [.success, .failure, .trouble, .working].contains(tone))
    }

    /// Whether the first two keys are the two answers to a question.
    var asksYesOrNo: Bool {
        entry == nil && keys.count >= 2 && keys[0].meaning != nil && [.enter, .back].contains(keys[1].role)
    }
}

extension Double {
    var whole: Int { Int(rounded()) }
}
