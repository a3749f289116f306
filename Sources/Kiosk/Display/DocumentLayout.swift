// SPDX-License-Identifier: Apache-2.0

/// The places of a document's rows and of what surrounds them. They do not depend on the document.
struct DocumentLayout {
    /// All of it, within the margin.
    let whole: Rectangle
    /// The title, and the line that names the document.
    let head: Rectangle
    /// The frame around the rows.
    let frame: Rectangle
    /// The rows.
    let page: Rectangle
    /// The greatest height of the keys.
    let keysHeight: Int

    init(_ design: ScreenDesign) {
        let sizes = design.isPortrait ? Sizes.portrait : Sizes.landscape
        let gap = design.units(Sizes.gap)
        let lines = design.quiet.size * sizes.linesInTenths / 10
        whole = design.bounds.inset(by: design.units(Sizes.margin))
        keysHeight =
            design.isPortrait
            ? 2 * design.leastKey + design.units(Sizes.besideKeyRows) : design.units(Sizes.keyOfTwoLines)
        frame =
            whole
            .dropping(top: design.units(sizes.title) + gap + lines + gap)
            .dropping(bottom: gap + lines + design.units(Sizes.aboveKeys) + keysHeight)
        page = frame.inset(design.units(Sizes.besideRows), design.units(Sizes.aboveRows))
        head = Rectangle(x: whole.x, y: whole.y, width: whole.width, height: frame.y - whole.y)
    }

    /// The place of the hint, between the frame and keys of a height.
    func hint(aboveKeys height: Int) -> Rectangle {
        Rectangle(x: whole.x, y: frame.bottom, width: whole.width, height: whole.bottom - height - frame.bottom)
    }

    /// Sizes in grid units.
    private struct Sizes {
        static let margin = 1.0
        static let gap = 0.4
        static let aboveKeys = 0.5
        static let besideRows = 0.6
        static let aboveRows = 0.35

        /// Landscape has one row of keys, whose labels may take two lines.
        static let keyOfTwoLines = 4.4
        /// Portrait has two rows of keys, which have gaps.
        static let besideKeyRows = 1.5

        /// A title of one line, names and hints of two.
        static let landscape = Sizes(title: 2.2, linesInTenths: 27)
        /// Twice as many lines.
        static let portrait = Sizes(title: 4.4, linesInTenths: 55)

        let title: Double
        /// The height of the lines above and below the frame, in tenths of their letters' size.
        let linesInTenths: Int
    }
}
