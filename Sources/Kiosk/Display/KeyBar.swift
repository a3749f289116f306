// SPDX-License-Identifier: Apache-2.0

import KioskPorts

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
    init(_ page: PageDraft, _ keys: [PanelKey], width: Int, isColumn: Bool = false) {
        let isQuestion = page.view.asksYesOrNo && keys.count == page.view.keys.count
        let faces = keys.enumerated().map { place, key in
            KeyFace(key, page, isThird: isQuestion && place > 1)
        }
        let gap = page.design.units(.gap)
        self.gap = gap
        func fits(_ row: [Cell]) -> Bool { row.allSatisfy { $0.face.fit(width: $0.width).isWhole } }
        let layouts = Layouts(faces: faces, width: width, gap: gap).all(
            isQuestion: isQuestion, isPortrait: page.isPortrait || isColumn, isAimed: page.view.showsPreview)
        let rows = layouts.first { $0.allSatisfy(fits) } ?? layouts.last ?? []
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
        typealias Row = [Cell]

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
            if faces.count == 1 { return [grid(2, all, fromRight: first.key.content.role != .enter), grid(1, all)] }
            var layouts: [[Row]] = []
            if isQuestion, faces.count > 2 {
                if let answers { layouts.append([answers]) }
                layouts.append(grid(2, 0..<2) + grid(2, 2..<faces.count, fromRight: true))
            }
            if faces.count <= 4 { layouts.append(grid(faces.count, all)) }
            // The camera's picture needs the room of a second row.
            if isAimed, let asWide { layouts.append([asWide]) }
            if faces.count > 4 { layouts.append(grid(3, all)) }
            return layouts + [grid(2, all), grid(1, all)]
        }

        private func grid(_ columns: Int, _ places: Range<Int>, fromRight: Bool = false) -> [Row] {
            let cell = (width - gap * (columns - 1)) / columns
            return stride(from: places.lowerBound, to: places.upperBound, by: columns).map { start in
                let row = start..<min(start + columns, places.upperBound)
                let skipped = fromRight ? columns - row.count : 0
                return row.map { Cell(face: faces[$0], x: ($0 - start + skipped) * (cell + gap), width: cell) }
            }
        }

        /// Cells as wide as their labels; nil when one row has no room for them.
        private var asWide: Row? {
            let least = faces.map(\.leastWidth)
            let free = width - gap * (faces.count - 1) - least.reduce(0, +)
            guard free >= 0 else { return nil }
            var x = 0
            return zip(faces, least).map { face, least in
                let cell = least + free / faces.count
                defer { x += cell + gap }
                return Cell(face: face, x: x, width: cell)
            }
        }

        /// Two answers that weigh the same, and a smaller third key beside them; nil when one row has no room for them.
        private var answers: Row? {
            guard faces.count == 3 else { return nil }
            let third = max(faces[2].leastWidth + gap, width / 5)
            let answer = (width - third - 2 * gap) / 2
            guard answer >= third, answer >= max(faces[0].leastWidth, faces[1].leastWidth) else { return nil }
            return [
                Cell(face: faces[0], x: 0, width: answer), Cell(face: faces[1], x: answer + gap, width: answer),
                Cell(face: faces[2], x: 2 * (answer + gap), width: third),
            ]
        }
    }
}

/// The entries of a menu: equal cells that fill their area.
struct KeyGrid {
    private let cells: [(face: KeyFace, place: Rectangle)]
    let isWhole: Bool

    init(_ page: PageDraft, _ keys: [PanelKey], columns: Int, in area: Rectangle) {
        let gap = page.design.units(max(page.level.gap, 0.4))
        let rows = (keys.count + columns - 1) / columns
        let width = (area.width - gap * (columns - 1)) / columns
        let height = min((area.height - gap * (rows - 1)) / max(rows, 1), page.design.units(6))
        let top = area.y + max(area.height - rows * height - (rows - 1) * gap, 0) / 2
        cells = keys.enumerated().map { index, key in
            let (row, column) = index.quotientAndRemainder(dividingBy: columns)
            let place = Rectangle(
                x: area.x + column * (width + gap), y: top + row * (height + gap), width: width, height: max(height, 1))
            return (face: KeyFace(key, page), place: place)
        }
        isWhole = cells.allSatisfy { cell in
            let fit = cell.face.fit(width: width)
            return fit.isWhole && fit.height <= height
        }
    }

    func place(_ scene: inout Scene) {
        for cell in cells { cell.face.place(in: cell.place, &scene, isListed: true) }
    }
}
