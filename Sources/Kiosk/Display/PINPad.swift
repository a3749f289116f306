// SPDX-License-Identifier: Apache-2.0

import KioskPorts

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
