// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Makes a picture black and white as zxing-cpp's binarizer of that name does: blocks of eight by eight pixels, each
/// against the mean of five by five blocks around it. A block without contrast takes over the threshold of its
/// neighbours.
///
/// The library does not report the number of patterns before it processes them. So the scanner prepares the picture
/// itself and counts first (``FinderSearch/count(in:atMost:)``).
struct LocalAverage {
    /// Blocks on each side of the one that is made black and white.
    private static let reach = 2
    /// Blocks whose mean is the threshold of the one in their middle, in a row of them.
    private static var around: Int { 2 * reach + 1 }
    /// Smaller pictures have no five blocks on a side.
    private static var smallestSide: Int { around * BlockGrid.side }
    /// The least difference between the darkest and the brightest pixel of a block with contrast.
    private static let leastContrast: Int32 = 25

    /// The level of each block between black and white.
    private var levels: [Int32] = []

    /// - Returns: false for a picture without contrast.
    mutating func apply(_ frame: borrowing Frame, to target: LumaBuffer) -> Bool {
        guard min(frame.width, frame.height) >= LocalAverage.smallestSide else {
            return GlobalHistogram.apply(frame, to: target)
        }
        let grid = BlockGrid(width: frame.width, height: frame.height)
        let stride = frame.stride
        target.resize(width: grid.width, height: grid.height)
        if levels.count < grid.count { levels = [Int32](repeating: 0, count: grid.count) }
        frame.withPixels { source in
            findLevels(source, stride: stride, of: grid)
            target.withPixels { target in compare(source, stride: stride, in: grid, to: &target) }
        }
        return true
    }

    private mutating func findLevels(_ source: Span<UInt8>, stride: Int, of grid: BlockGrid) {
        var levels = levels.mutableSpan
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let (x, y) = grid.corner(column: column, row: row)
                let (mean, darkest, brightest) = LocalAverage.measure(source, at: y * stride + x, stride: stride)
                let index = row * grid.columns + column
                levels[index] = mean
                guard brightest - darkest < LocalAverage.leastContrast else { continue }
                // A light area, unless its neighbours say that light begins above it.
                levels[index] = darkest / 2
                guard row > 0, column > 0 else { continue }
                let above = index - grid.columns
                let neighbours = (levels[above] + 2 * levels[index - 1] + levels[above - 1]) / 4
                if darkest < neighbours { levels[index] = neighbours }
            }
        }
    }

    @_lifetime(target: copy target)
    private func compare(
        _ source: Span<UInt8>, stride: Int, in grid: BlockGrid, to target: inout MutableSpan<UInt8>
    ) {
        let levels = levels.span
        let white = SIMD8<UInt8>(repeating: 255)
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let mean = LocalAverage.mean(of: levels, aroundColumn: column, row: row, in: grid)
                let threshold = SIMD8(repeating: mean)
                let (x, y) = grid.corner(column: column, row: row)
                for line in y..<y + BlockGrid.side {
                    let pixels = source.block(at: line * stride + x, as: SIMD8<UInt8>.self)
                    target.store(white.replacing(with: 0, where: pixels .<= threshold), at: line * grid.width + x)
                }
            }
        }
    }

    /// Measures the block whose first pixel is `first`.
    @inline(__always)
    private static func measure(
        _ source: Span<UInt8>, at first: Int, stride: Int
    ) -> (mean: Int32, darkest: Int32, brightest: Int32) {
        var sum = SIMD8<UInt16>.zero
        var (darkest, brightest) = (SIMD8<UInt8>(repeating: 255), SIMD8<UInt8>.zero)
        for line in 0..<BlockGrid.side {
            let pixels = source.block(at: first + line * stride, as: SIMD8<UInt8>.self)
            sum &+= SIMD8<UInt16>(truncatingIfNeeded: pixels)
            darkest = pointwiseMin(darkest, pixels)
            brightest = pointwiseMax(brightest, pixels)
        }
        let area = Int32(BlockGrid.side * BlockGrid.side)
        return (Int32(sum.wrappedSum()) / area, Int32(darkest.min()), Int32(brightest.max()))
    }

    /// The mean level of the blocks around one, or of the nearest five by five at the picture's edges.
    @inline(__always)
    private static func mean(
        of levels: Span<Int32>, aroundColumn column: Int, row: Int, in grid: BlockGrid
    ) -> UInt8 {
        let left = min(max(column - reach, 0), grid.columns - around)
        let top = min(max(row - reach, 0), grid.rows - around)
        var sum: Int32 = 0
        for row in top..<top + around {
            for column in left..<left + around { sum &+= levels[row * grid.columns + column] }
        }
        return UInt8(truncatingIfNeeded: sum / Int32(around * around))
    }
}

/// Blocks of eight by eight pixels over a picture. The last ones of a row or a column overlap their neighbours, so that
/// each is whole.
private struct BlockGrid {
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
