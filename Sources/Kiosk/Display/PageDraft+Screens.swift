// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The screens: where the parts of a view stand.
extension PageDraft {
    /// A question or a field: the title above, everything else in the middle of what remains.
    mutating func asked(in area: Rectangle) {
        let head = headBlock(width: area.width)
        let rest = lineBlocks(width: area.width) + entryBlock(width: area.width) + hintBlock(width: area.width)
        let below = head.height + (rest.isEmpty ? 0 : gap)
        put([head], in: area, isCentred: false)
        put(rest, in: area.dropping(top: below))
    }

    /// Something that the person learns: a large sign, the title, a sentence.
    mutating func told(in area: Rectangle) {
        let side = min(design.units(.sign), area.width / 3)
        let tone = view.tone
        func blocks(_ width: Int, _ alignment: Words.Alignment) -> [Block] {
            [titleBlock(view.title, width: width, alignment: alignment, atMost: isPortrait ? 4 : 3)]
                + lineBlocks(width: width, alignment: alignment) + entryBlock(width: width) + hintBlock(width: width)
        }
        if isPortrait {
            let sign = Block(height: side, gap: 0) { [.sign($0.centred(width: side, height: side), tone)] }
            var texts = blocks(area.width, .centre)
            texts[0].gap = gap * 2
            if ([sign] + texts).height <= area.height { return put([sign] + texts, in: area) }
            return asked(in: area)
        }
        let words = area.columns(first: side, gap: design.units(1.5)).second
        let texts = blocks(words.width, .left)
        guard texts.height <= area.height else { return asked(in: area) }
        let sign = Rectangle(x: area.x, y: area.y + (area.height - side) / 2, width: side, height: side)
        if side <= area.height { scene.elements.append(.sign(sign, tone)) }
        put(texts, in: words)
    }

    /// The camera's picture, and beside or below it what to do.
    mutating func preview(in area: Rectangle) {
        func texts(_ width: Int) -> [Block] {
            lineBlocks(width: width) + entryBlock(width: width) + hintBlock(width: width)
        }
        let space = design.units(1)
        if isPortrait {
            let head = titleBlock(view.title, width: area.width)
            let rest = texts(area.width)
            let least = level.hasLargeTitle ? Percent.leastPreview.large : Percent.leastPreview.small
            let room = area.height - head.height - space - rest.height - (rest.isEmpty ? 0 : space)
            let height = min(room, area.width, bounds.height * Percent.mostForPreview / 100)
            if height < area.width * least / 100 { scene.leftOut.insert(.words) }
            let picture = Block(height: max(height, 1), gap: space) { [.preview($0)] }
            var below = rest
            if !below.isEmpty { below[0].gap = space }
            return put([head, picture] + below, in: area)
        }
        let share = level.hasLargeTitle ? Percent.besideWords.large : Percent.besideWords.small
        let (picture, column) = area.columns(first: area.width * share / 100, gap: space)
        scene.elements.append(.preview(picture))
        put([titleBlock(view.title, width: column.width)] + texts(column.width), in: column)
    }

    /// Entries in a grid of equal cells that fills the room.
    mutating func menu(_ list: [PanelKey], in area: Rectangle) {
        let head = headBlock(width: area.width)
        let above = [head] + lineBlocks(width: area.width) + hintBlock(width: area.width)
        put(above, in: area, isCentred: false)
        let room = area.dropping(top: above.height + design.units(.gap))
        let columns = isPortrait ? [1, 2] : list.count == 4 ? [2, 1] : [3, 2, 1]
        let grids = columns.map { KeyGrid(self, list, columns: $0, in: room) }
        let grid = grids.first(where: \.isWhole) ?? grids[0]
        if !grid.isWhole { scene.leftOut.insert(.keys) }
        grid.place(&scene)
    }

    /// A QR code as large as the short side allows. Words and keys stand beside it.
    mutating func code(_ grid: ModuleGrid, _ keys: [PanelKey], in whole: Rectangle) {
        let most = min(whole.height, whole.width * Percent.mostForCode / 100) / grid.side
        let draft = self
        // Smaller letters are preferred to a smaller code.
        let least = level.title > Level.smallest.title ? most * Percent.leastCode / 100 : 0
        for module in stride(from: most, through: max(least, PageDraft.leastModule), by: -1) {
            self = draft
            let side = module * grid.side
            let (left, column) = whole.columns(first: side, gap: design.units(1.2))
            let area = put(KeyBar(self, keys, width: column.width, isColumn: true), belowIn: column)
            put(texts(area.width), in: area)
            put([picture(grid, module)], in: left)
            // A smaller code leaves more room for the words.
            if scene.leftOut.isEmpty || view.lines.isEmpty { return }
        }
        if most < PageDraft.leastModule { scene.leftOut.insert(.code) }
    }

    /// A QR code below its words.
    mutating func codeBelow(_ grid: ModuleGrid, in area: Rectangle) {
        let texts = texts(area.width)
        let module = min(area.height - texts.height - gap, area.width) / grid.side
        let least = level.title > Level.smallest.title ? area.width / grid.side * Percent.leastCodeBelow / 100 : 0
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
        return Block(height: side, gap: gap) { [.code($0.centred(width: side, height: side), grid)] }
    }

    /// The title, the field and as many lines as have room, above a keyboard over the full width.
    mutating func letters(_ keyboard: DisplayView.Keyboard, in area: Rectangle) {
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
        put(above, in: area.dropping(bottom: height + gap), isCentred: false)
        pad.place(in: Rectangle(x: beside, y: area.bottom - height, width: width, height: height), &scene)
    }

    /// The facts, the row of dots, and a pad of digits.
    mutating func pad(_ keys: [PanelKey]) {
        // The pad has the same place with any words beside it: a remark goes with the first digit.
        let frame = bounds.inset(by: design.units(1.2))
        let space = design.units(1.5)
        guard !isPortrait else {
            let area = put(KeyBar(self, keys, width: frame.width), belowIn: frame)
            let height = frame.height * Percent.pad / 100
            let pad = Rectangle(x: frame.x, y: area.bottom - height, width: frame.width, height: height)
            put(padFacts(width: area.width), in: area.dropping(bottom: height + gap), isCentred: false)
            return PINPad.place(in: pad, of: self, &scene)
        }
        let (left, pad) = frame.columns(first: frame.width * Percent.besidePad / 100 - space / 2, gap: space)
        let area = put(KeyBar(self, keys, width: left.width, isColumn: true), belowIn: left)
        put(padFacts(width: area.width), in: area)
        PINPad.place(in: pad, of: self, &scene)
    }

    private func padFacts(width: Int) -> [Block] {
        [headBlock(width: width)] + lineBlocks(width: width, hasLabels: false) + entryBlock(width: width)
            + hintBlock(width: width)
    }
}

private enum Percent {
    /// The camera's picture in portrait: its share of the panel's height, and its least height as a share of its width.
    static let mostForPreview = 55
    static let leastPreview = (large: 56, small: 45)
    /// The camera's picture in landscape, of the width, beside large or small letters.
    static let besideWords = (large: 57, small: 52)
    /// A code in landscape, of the width.
    static let mostForCode = 60
    /// A code beside or below its words, of the largest one that has room.
    static let leastCode = 80
    static let leastCodeBelow = 75
    /// The pad in portrait, of the height; the words beside it in landscape, of the width.
    static let pad = 40
    static let besidePad = 52
}
