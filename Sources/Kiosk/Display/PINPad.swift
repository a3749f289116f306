// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Digits in the order that the kiosk gives, with the keys that end and undo an entry.
enum PINPad {
    static func place(in area: Rectangle, of page: PageDraft, _ scene: inout Scene) {
        let design = page.design
        let gap = design.units(0.6)
        let width = (area.width - gap * (columns - 1)) / columns
        let height = min((area.height - gap * (rows - 1)) / rows, width)
        guard height >= min(design.leastKey, max(design.fingerKey, design.units(leastKey))) else {
            scene.leftOut.insert(.keys)
            return
        }
        let top = area.y + (area.height - rows * height - gap * (rows - 1)) / 2
        func cell(_ column: Int, _ row: Int) -> Rectangle {
            Rectangle(
                x: area.x + column * (width + gap), y: top + row * (height + gap), width: width, height: height)
        }
        let size = min(design.units(ScreenStyle.Size.digits), height * mostOfHeight / 100)
        let style = TextStyle(size, TextStyle.semibold)
        let last = rows - 1
        for (index, digit) in (page.view.keyboard?.pad ?? DisplayView.Keyboard.usualPad).enumerated() {
            let (row, column) = index.quotientAndRemainder(dividingBy: columns)
            // The last digit stands between BACK and OK.
            let place = row == last ? cell(1, last) : cell(column, row)
            scene.addKey(
                .digit(digit), "\(digit)", style: style, in: place, radius: design.units(0.5), measure: design.text)
        }
        page.placeKey(.back, in: cell(0, last), &scene)
        page.placeKey(.enter, in: cell(2, last), &scene)
    }

    private static let columns = 3
    private static let rows = 4
    /// The least side of a key on panels that do not report their size, in grid units.
    private static let leastKey = 2.4
    /// The largest share of a key's height for its digit, in per cent.
    private static let mostOfHeight = 58
}
