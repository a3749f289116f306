// SPDX-License-Identifier: Apache-2.0

/// Blocks of eight by eight pixels over a picture. The last ones of a row or a column overlap their neighbours, so that
/// each is whole.
struct BlockGrid {
    static let side = 8

    /// Size of the picture in pixels.
    let width: Int
    let height: Int
    /// Blocks in a row.
    let columns: Int
    let rows: Int

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        columns = (width + BlockGrid.side - 1) / BlockGrid.side
        rows = (height + BlockGrid.side - 1) / BlockGrid.side
    }

    var count: Int { columns * rows }

    /// The first pixel of a block.
    @inline(__always)
    func corner(column: Int, row: Int) -> (x: Int, y: Int) {
        (min(column * BlockGrid.side, width - BlockGrid.side), min(row * BlockGrid.side, height - BlockGrid.side))
    }
}
