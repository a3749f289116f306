// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// One key as it is drawn: its name on the keypad, its label, its colours.
struct KeyFace {
    let index: Int
    let key: DisplayView.Key
    private let design: ScreenDesign
    private let label: TextStyle
    private let colours: KeyColours
    /// The key's name on a keypad, which fingers on a panel do not need.
    private let cap: String
    private let padding: Int
    private let capSize: TextSize
    private let capWidth: Int
    private let globe: Int
    private let text: String

    /// - Parameters:
    ///   - isTight: whether it stands in a pad.
    ///   - isThird: whether it is beside the two answers to a question.
    ///   - label: the style of its label, if it is not the usual one.
    init(
        _ index: Int, _ key: DisplayView.Key, _ page: PageDraft, isTight: Bool = false, isThird: Bool = false,
        label: TextStyle? = nil
    ) {
        let design = page.design
        self.index = index
        self.key = key
        self.design = design
        padding = design.units(isTight ? 0.2 : 0.45)
        self.label = label ?? design.keyLabel
        text = Wording.prepared(key.label, self.label, width: design.bounds.width, design.text)
        // A finger needs no name of a key. The number of an entry it may want to say.
        cap = isTight || design.isTouched && key.role != .digit ? "" : KeyFace.signs[key.cap] ?? key.cap
        capSize = cap.isEmpty ? TextSize(width: 0, height: 0) : design.text.size(of: cap, design.quiet, width: nil)
        capWidth = cap.isEmpty ? 0 : max(capSize.width + design.units(0.7), capSize.height)
        globe = key.isLanguage ? self.label.size : 0
        // To leave is no answer where nothing is asked.
        let meaning = key.meaning == .no && !page.view.asksYesOrNo ? nil : key.meaning
        let isFilled = !isThird && (design.isTouched || meaning.map { $0 != .clear } ?? false)
        colours = KeyColours(meaning, isFilled: isFilled, isThird: isThird)
    }

    /// Signs of a keyboard's keys, which are shorter than their names.
    private static let signs = ["Enter": "⏎", "Backspace": "⌫", "Tab": "⇥"]

    private var space: Int { design.units(0.4) }
    private var beside: Int { (capWidth > 0 ? capWidth + space : 0) + (globe > 0 ? globe + space : 0) }

    /// The least width at which the label stands untorn in two lines.
    var leastWidth: Int {
        func width(_ words: [Substring]) -> Int {
            design.text.size(of: words.joined(separator: " "), label, width: nil).width
        }
        let words = text.split(separator: " ")
        let halves = (0..<max(words.count, 1)).map { max(width(Array(words[..<$0])), width(Array(words[$0...]))) }
        return (halves.min() ?? 0) + 1 + 2 * padding + beside
    }

    /// The height that the key needs at a width, and whether it holds its words untorn in two lines.
    func fit(width: Int) -> (height: Int, isWhole: Bool) {
        let room = width - 2 * padding - beside
        guard room > 0 else { return (design.leastKey, false) }
        let size = design.text.size(of: text, label, width: room)
        let line = design.text.size(of: "X", label, width: nil).height
        let isWhole = size.height <= 2 * line + 2 && !design.text.tears(text, label, width: room)
        return (max(design.leastKey, size.height + design.units(0.8)), isWhole)
    }

    /// Whether a place has room for the words, untorn.
    func fits(_ place: Rectangle) -> Bool {
        let room = max(place.width - 2 * padding - beside, 1)
        return fit(width: place.width).isWhole
            && design.text.size(of: text, label, width: room).height <= place.height
    }

    /// - Parameter isListed: whether it is an entry of a list, whose words begin at the left.
    func place(in place: Rectangle, _ scene: inout Scene, isListed: Bool = false) {
        scene.elements.append(.cell(place, fill: colours.fill, edge: colours.edge, radius: design.units(0.5)))
        let room = max(place.width - 2 * padding - beside, 1)
        let size = design.text.size(of: text, label, width: room)
        var x = isListed ? place.x + padding : place.x + (place.width - beside - size.width) / 2
        if capWidth > 0 {
            let square = Rectangle(
                x: x, y: place.y + (place.height - capSize.height - 4) / 2, width: capWidth,
                height: capSize.height + 4)
            scene.elements.append(
                .cell(square, fill: colours.cap, edge: colours.capEdge, radius: design.units(0.25)))
            scene.elements.append(
                .words(
                    square.inset(1, 1),
                    Words(
                        text: cap, style: design.quiet, colour: colours.capText, ground: colours.cap,
                        alignment: .centre)))
            x += capWidth + space
        }
        if globe > 0 {
            scene.elements.append(
                .globe(
                    Rectangle(x: x, y: place.y + (place.height - globe) / 2, width: globe, height: globe),
                    colours.text))
            x += globe + space
        }
        scene.elements.append(
            .words(
                Rectangle(
                    x: x, y: place.y + (place.height - size.height) / 2, width: size.width + 1, height: size.height),
                Words(text: text, style: label, colour: colours.text, ground: colours.fill)))
        scene.keys.append(
            KeyPlace(
                index == .switching ? .otherKeyboard : .ofView(index), x: place.x, y: place.y, width: place.width,
                height: place.height))
    }
}

/// The keys below a view, in rows of cells.
struct KeyBar {
    private struct Cell {
        let face: KeyFace
        let x: Int
        let width: Int
    }

    private let rows: [[Cell]]
    private let rowHeights: [Int]
    private let gap: Int
    /// Whether no word of a label is torn.
    let isWhole: Bool

    var height: Int { rowHeights.reduce(0, +) + gap * max(rows.count - 1, 0) }

    /// - Parameter isColumn: whether the bar stands beside something else, so that a single key fills it.
    init(
        _ page: PageDraft, _ keys: [(offset: Int, element: DisplayView.Key)], width: Int, isColumn: Bool = false
    ) {
        let isQuestion = page.view.asksYesOrNo && keys.count == page.view.keys.count
        let faces = keys.enumerated().map { place, key in
            KeyFace(key.offset, key.element, page, isThird: isQuestion && place > 1)
        }
        let gap = page.design.units(.gap)
        self.gap = gap
        func fits(_ row: [Cell]) -> Bool { row.allSatisfy { $0.face.fit(width: $0.width).isWhole } }
        let layouts = Layouts(faces: faces, width: width, gap: gap)
        let chosen =
            layouts.all(
                isQuestion: isQuestion, isPortrait: page.isPortrait || isColumn, isAimed: page.view.showsPreview
            )
            .map { $0.map { $0.map { Cell(face: faces[$0.index], x: $0.x, width: $0.width) } } }
        let rows = chosen.first { $0.allSatisfy(fits) } ?? chosen.last ?? []
        self.rows = rows
        rowHeights = rows.map { row in row.map { $0.face.fit(width: $0.width).height }.max() ?? 0 }
        isWhole = rows.allSatisfy(fits)
    }

    /// Places the keys at the lower edge of an area.
    func place(atBottomOf area: Rectangle, _ scene: inout Scene) {
        var y = area.bottom - height
        if y < 0 { scene.leftOut.insert(.keys) }
        for (row, height) in zip(rows, rowHeights) {
            for cell in row {
                cell.face.place(in: Rectangle(x: area.x + cell.x, y: y, width: cell.width, height: height), &scene)
            }
            y += height + gap
        }
    }

    /// The ways to set keys, the best first: cells of a grid, whose places stay empty where there are fewer keys.
    private struct Layouts {
        typealias Row = [(index: Int, x: Int, width: Int)]

        let faces: [KeyFace]
        let width: Int
        let gap: Int

        func all(isQuestion: Bool, isPortrait: Bool, isAimed: Bool) -> [[Row]] {
            let all = faces.indices
            guard let first = faces.first else { return [[]] }
            let isEven = faces.count.isMultiple(of: 2)
            if isPortrait {
                guard faces.count > 1 else { return [grid(1, all)] }
                if isQuestion { return [grid(2, 0..<2) + grid(2, 2..<faces.count, fromRight: true), grid(1, all)] }
                return [isEven ? grid(2, all) : grid(1, 0..<1) + grid(2, 1..<faces.count), grid(1, all)]
            }
            // Going on stands at the left and going back at the right, as beside another key.
            if faces.count == 1 { return [grid(2, all, fromRight: first.key.role != .enter), grid(1, all)] }
            var layouts: [[Row]] = []
            if isQuestion, faces.count > 2 {
                layouts += [answers].compactMap(\.self)
                layouts.append(grid(2, 0..<2) + grid(2, 2..<faces.count, fromRight: true))
            }
            if faces.count <= 4 { layouts.append(grid(faces.count, all)) }
            // The camera's picture needs the room of a second row.
            if isAimed { layouts += [asWide(all)].compactMap(\.self) }
            if faces.count > 4 { layouts.append(grid(3, all)) }
            return layouts + [grid(2, all), grid(1, all)]
        }

        private func grid(_ columns: Int, _ places: Range<Int>, fromRight: Bool = false) -> [Row] {
            let cell = (width - gap * (columns - 1)) / columns
            return stride(from: places.lowerBound, to: places.upperBound, by: columns).map { start in
                let row = start..<min(start + columns, places.upperBound)
                let skipped = fromRight ? columns - row.count : 0
                return row.map { (index: $0, x: ($0 - start + skipped) * (cell + gap), width: cell) }
            }
        }

        /// Cells as wide as their labels; nil when one row has no room for them.
        private func asWide(_ places: Range<Int>) -> [Row]? {
            let least = places.map { faces[$0].leastWidth }
            let free = width - gap * (places.count - 1) - least.reduce(0, +)
            guard free >= 0 else { return nil }
            var x = 0
            return [
                places.map { index in
                    let cell = least[index] + free / places.count
                    defer { x += cell + gap }
                    return (index: index, x: x, width: cell)
                }
            ]
        }

        /// Two answers that weigh the same, and a smaller third key beside them; nil when one row has no room for them.
        private var answers: [Row]? {
            guard faces.count == 3 else { return nil }
            let third = max(faces[2].leastWidth + gap, width / 5)
            let answer = (width - third - 2 * gap) / 2
            guard answer >= third, answer >= max(faces[0].leastWidth, faces[1].leastWidth) else { return nil }
            return [
                [
                    (index: 0, x: 0, width: answer), (index: 1, x: answer + gap, width: answer),
                    (index: 2, x: 2 * (answer + gap), width: third),
                ]
            ]
        }
    }
}

/// The entries of a menu: equal cells that fill their area.
struct KeyGrid {
    private let faces: [KeyFace]
    private let columns: Int
    private let area: Rectangle
    private let gap: Int
    private let cell: (width: Int, height: Int)
    let isWhole: Bool

    init(
        _ page: PageDraft, _ keys: [(offset: Int, element: DisplayView.Key)], columns: Int, in area: Rectangle
    ) {
        faces = keys.map { KeyFace($0.offset, $0.element, page) }
        self.columns = columns
        self.area = area
        let gap = page.design.units(max(page.level.gap, 0.4))
        self.gap = gap
        let rows = (keys.count + columns - 1) / columns
        let most = page.design.units(6)
        let cell = (
            width: (area.width - gap * (columns - 1)) / columns,
            height: min((area.height - gap * (rows - 1)) / max(rows, 1), most)
        )
        self.cell = cell
        isWhole = faces.allSatisfy { face in
            let fit = face.fit(width: cell.width)
            return fit.isWhole && fit.height <= cell.height
        }
    }

    func place(_ scene: inout Scene) {
        let rows = (faces.count + columns - 1) / columns
        let top = area.y + max(area.height - rows * cell.height - (rows - 1) * gap, 0) / 2
        for (index, face) in faces.enumerated() {
            face.place(
                in: Rectangle(
                    x: area.x + index % columns * (cell.width + gap), y: top + index / columns * (cell.height + gap),
                    width: cell.width, height: max(cell.height, 1)), &scene, isListed: true)
        }
    }
}

/// Digits in the order that the kiosk gives, with the keys that end and undo an entry.
struct PINPad {
    private let page: PageDraft
    private let area: Rectangle

    init(_ page: PageDraft, in area: Rectangle) {
        self.page = page
        self.area = area
    }

    func place(_ scene: inout Scene) {
        let design = page.design
        let gap = design.units(0.6)
        let width = (area.width - 2 * gap) / 3
        let height = min((area.height - 3 * gap) / 4, width)
        guard height >= min(design.leastKey, max(design.fingerKey, design.units(2.4))) else {
            scene.leftOut.insert(.keys)
            return
        }
        let top = area.y + (area.height - 4 * height - 3 * gap) / 2
        func cell(_ column: Int, _ row: Int) -> Rectangle {
            Rectangle(
                x: area.x + column * (width + gap), y: top + row * (height + gap), width: width, height: height)
        }
        let style = TextStyle(min(design.units(2.4), height * 58 / 100), 600)
        let colours = KeyColours(nil, isFilled: true)
        for (index, digit) in (page.view.keyboard?.pad ?? DisplayView.Keyboard.usualPad).enumerated() {
            let place = index == 9 ? cell(1, 3) : cell(index % 3, index / 3)
            scene.elements.append(.cell(place, fill: colours.fill, edge: colours.edge, radius: design.units(0.5)))
            let size = design.text.size(of: "\(digit)", style, width: place.width)
            scene.elements.append(
                .words(
                    Rectangle(
                        x: place.x + 2, y: place.y + (place.height - size.height) / 2, width: place.width - 4,
                        height: size.height),
                    Words(
                        text: "\(digit)", style: style, colour: colours.text, ground: colours.fill, alignment: .centre)
                ))
            scene.keys.append(
                KeyPlace(.digit(digit), x: place.x, y: place.y, width: place.width, height: place.height))
        }
        page.placeBack(in: cell(0, 3), &scene)
        page.placeKey(.enter, in: cell(2, 3), &scene)
    }
}
