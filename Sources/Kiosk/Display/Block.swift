// SPDX-License-Identifier: Apache-2.0

/// A part of a column, whose height is known before its place.
struct Block {
    let height: Int
    /// The gap to the block above it.
    var gap: Int
    let elements: (Rectangle) -> [Shape]
}

extension [Block] {
    var height: Int { enumerated().reduce(0) { $0 + $1.element.height + ($1.offset == 0 ? 0 : $1.element.gap) } }

    /// The blocks from the top of an area.
    func placed(in area: Rectangle) -> [Shape] {
        var y = area.y
        var elements: [Shape] = []
        for (index, block) in enumerated() {
            if index > 0 { y += block.gap }
            elements += block.elements(Rectangle(x: area.x, y: y, width: area.width, height: block.height))
            y += block.height
        }
        return elements
    }

    /// The blocks in the middle between the upper and the lower edge of an area.
    func centred(in area: Rectangle) -> [Shape] {
        let free = Swift.max(area.height - height, 0)
        return placed(in: Rectangle(x: area.x, y: area.y + free / 2, width: area.width, height: area.height - free))
    }
}
