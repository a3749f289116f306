// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension PageDraft {
    /// A page of a document over the full width.
    mutating func document() {
        let layout = DocumentLayout(design)
        let keys = KeyBar(self, view.panelKeys, width: layout.whole.width)
        if keys.height > layout.keysHeight || !keys.isWhole { scene.leftOut.insert(.keys) }
        keys.place(atBottomOf: layout.whole, &scene)
        let head = documentHead(width: layout.head.width)
        if head.height > layout.head.height { scene.leftOut.insert(.words) }
        scene.elements += head.placed(in: layout.head)
        if !view.hint.isEmpty {
            let place = layout.hint(aboveKeys: keys.height)
            let hint = block(view.hint, design.quiet, .of(.ask), width: place.width, gap: 0)
            if hint.height > place.height { scene.leftOut.insert(.words) }
            scene.elements += [hint].centred(in: place)
        }
        // The words of the document never look like the kiosk's own: they stand in a frame, in letters of one width.
        scene.elements.append(.cell(layout.frame, fill: .raised, edge: .edge, radius: design.units(0.4)))
        documentRows(in: layout.page)
    }

    /// The title, and the line that names the document.
    private func documentHead(width: Int) -> [Block] {
        let title = fitting(
            view.title, [1.5, 1.3, 1.2], TextStyle.bold, atLeast: ScreenDesign.leastBody, width: width)
        let head = block(view.title, title, .text, width: width, gap: 0)
        let name = view.lines.map { $0.label.isEmpty ? $0.text : "\($0.label) \($0.text)" }.joined(separator: " · ")
        return name.isEmpty ? [head] : [head, block(name, design.quiet, .quiet, width: width, gap: design.units(0.2))]
    }

    private mutating func documentRows(in page: Rectangle) {
        let style = design.rowStyle
        let height = design.text.size(of: "m", style, width: nil).height
        var y = page.y
        for row in view.document {
            var x = page.x
            for piece in row.pieces where !piece.text.isEmpty {
                var place = Rectangle(x: x, y: y, width: 0, height: height)
                place.width = design.text.size(of: piece.text, style, width: nil).width
                if !page.contains(place) { scene.leftOut.insert(.document) }
                // Widths are rounded.
                place.width += 1
                let colour = piece.isMark ? Colour.of(.trouble) : .text
                scene.elements.append(
                    .words(place, Words(text: piece.text, style: style, colour: colour, ground: .raised)))
                x = place.right
            }
            y += height
        }
        if y > page.bottom { scene.leftOut.insert(.document) }
    }
}
