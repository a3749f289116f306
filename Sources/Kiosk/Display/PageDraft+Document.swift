// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension PageDraft {
    /// A page of a document over the full width.
    mutating func document() {
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
