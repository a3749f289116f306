// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// One key as it is drawn: its name on the keypad, its label, its colours.
struct KeyFace {
    let index: Int
    let key: DisplayView.Key
    private let design: ScreenDesign
    private let label: TextStyle
    private let padding: Int
    private let capSize: TextSize
    private let capWidth: Int
    private let globe: Int
    private let text: String

    init(_ index: Int, _ key: DisplayView.Key, _ design: ScreenDesign, isTight: Bool = false) {
        self.index = index
        self.key = key
        self.design = design
        padding = design.units(isTight ? 0.2 : 0.6)
        label = design.keyLabel
        text = Wording.prepared(key.label, design.keyLabel, width: design.bounds.width, design.text)
        capSize =
            key.cap.isEmpty ? TextSize(width: 0, height: 0) : design.text.size(of: key.cap, design.quiet, width: nil)
        capWidth = key.cap.isEmpty ? 0 : max(capSize.width + design.units(0.7), capSize.height)
        globe = key.isLanguage ? label.size : 0
    }

    private var space: Int { design.units(0.45) }
    private var beside: Int { (capWidth > 0 ? capWidth + space : 0) + (globe > 0 ? globe + space : 0) }

    /// The height that the key needs at a width, and whether it holds its words untorn in two lines.
    func fit(width: Int) -> (height: Int, isWhole: Bool) {
        let room = width - 2 * padding - beside
        guard room > 0 else { return (design.units(.key), false) }
        let size = design.text.size(of: text, label, width: room)
        let line = design.text.size(of: "X", label, width: nil).height
        let isWhole = size.height <= 2 * line + 2 && !design.text.tears(text, label, width: room)
        return (max(design.units(.key), design.leastKey, size.height + design.units(0.8)), isWhole)
    }

    func place(in place: Rectangle, _ scene: inout Scene) {
        let colours = KeyColours(key.meaning)
        scene.elements.append(.cell(place, fill: colours.fill, edge: colours.edge, radius: design.units(0.5)))
        let room = max(place.width - 2 * padding - beside, 1)
        let size = design.text.size(of: text, label, width: room)
        var x = place.x + (place.width - beside - size.width) / 2
        if capWidth > 0 {
            let cap = Rectangle(
                x: x, y: place.y + (place.height - capSize.height - 4) / 2, width: capWidth,
                height: capSize.height + 4)
            scene.elements.append(
                .cell(
                    cap, fill: colours.fill, edge: key.meaning == .clear ? .ground : .quiet, radius: design.units(0.25))
            )
            scene.elements.append(
                .words(
                    cap.inset(1, 1),
                    Words(
                        text: key.cap, style: design.quiet, colour: colours.text, ground: colours.fill,
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
            KeyPlace(.ofView(index), x: place.x, y: place.y, width: place.width, height: place.height))
    }
}

/// The keys below a view, in rows of equal cells.
struct KeyBar {
    private let rows: [[KeyFace]]
    private let rowHeights: [Int]
    private let gap: Int
    private let width: Int
    /// Whether no word of a label is torn.
    let isWhole: Bool

    var height: Int { rowHeights.reduce(0, +) + gap * max(rows.count - 1, 0) }

    init(_ page: PageDraft, _ keys: [(offset: Int, element: DisplayView.Key)], width: Int) {
        let design = page.design
        let faces = keys.map { KeyFace($0.offset, $0.element, design) }
        let gap = design.units(.gap)
        self.gap = gap
        self.width = width
        func cell(_ count: Int) -> Int { (width - gap * (count - 1)) / max(count, 1) }
        func fits(_ row: [KeyFace]) -> Bool { row.allSatisfy { $0.fit(width: cell(row.count)).isWhole } }
        func rows(of columns: Int, _ faces: [KeyFace]) -> [[KeyFace]] {
            stride(from: 0, to: faces.count, by: columns).map { Array(faces[$0..<min($0 + columns, faces.count)]) }
        }
        var layouts: [[[KeyFace]]] = []
        let most = page.isPortrait ? 2 : 4
        if !faces.isEmpty, faces.count <= most || !page.isPortrait && faces.count <= 4 { layouts.append([faces]) }
        if page.view.asksYesOrNo, faces.count > 2 {
            // Yes and no stand side by side in the first row, whatever else there is.
            let rest = Array(faces[2...])
            layouts += (1...max(rest.count, 1)).reversed().map { [Array(faces[..<2])] + rows(of: $0, rest) }
        }
        layouts += stride(from: min(most, faces.count), to: 0, by: -1).map { rows(of: $0, faces) }
        let chosen = faces.isEmpty ? [] : layouts.first { $0.allSatisfy(fits) } ?? rows(of: 1, faces)
        self.rows = chosen
        rowHeights = chosen.map { row in row.map { $0.fit(width: cell(row.count)).height }.max() ?? 0 }
        isWhole = chosen.allSatisfy(fits)
    }

    func place(in area: Rectangle, _ scene: inout Scene) {
        if area.y < 0 { scene.leftOut.insert(.keys) }
        var y = area.y
        for (row, height) in zip(rows, rowHeights) {
            let cell = (width - gap * (row.count - 1)) / row.count
            for (column, face) in row.enumerated() {
                face.place(
                    in: Rectangle(x: area.x + column * (cell + gap), y: y, width: cell, height: height), &scene)
            }
            y += height + gap
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
        faces = keys.map { KeyFace($0.offset, $0.element, page.design) }
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
                    width: cell.width, height: max(cell.height, 1)), &scene)
        }
    }
}

/// Digits at fixed places, with the keys that end and undo an entry.
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
        guard height >= design.units(2.4) else {
            scene.leftOut.insert(.keys)
            return
        }
        let top = area.y + (area.height - 4 * height - 3 * gap) / 2
        func cell(_ column: Int, _ row: Int) -> Rectangle {
            Rectangle(
                x: area.x + column * (width + gap), y: top + row * (height + gap), width: width, height: height)
        }
        let style = TextStyle(min(design.units(2.2), height * 58 / 100), 600)
        for digit in 0...9 {
            let place = digit == 0 ? cell(1, 3) : cell((digit - 1) % 3, (digit - 1) / 3)
            scene.elements.append(.cell(place, fill: .raised, edge: .edge, radius: design.units(0.5)))
            let size = design.text.size(of: "\(digit)", style, width: place.width)
            scene.elements.append(
                .words(
                    Rectangle(
                        x: place.x + 2, y: place.y + (place.height - size.height) / 2, width: place.width - 4,
                        height: size.height),
                    Words(text: "\(digit)", style: style, colour: .text, ground: .raised, alignment: .centre)))
            scene.keys.append(
                KeyPlace(.digit(digit), x: place.x, y: place.y, width: place.width, height: place.height))
        }
        for (index, key) in page.view.keys.enumerated() where key.role == .enter {
            let place = cell(2, 3)
            let plain = DisplayView.Key(key.role, cap: "", label: key.label, meaning: key.meaning)
            let face = KeyFace(index, plain, design, isTight: true)
            let fit = face.fit(width: place.width)
            if !fit.isWhole || fit.height > max(place.height, design.leastKey) { scene.leftOut.insert(.words) }
            face.place(in: place, &scene)
        }
    }
}
