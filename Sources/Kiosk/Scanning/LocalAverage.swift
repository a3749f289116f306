// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Makes a picture black and white as zxing-cpp's binarizer of that name does: blocks of eight by eight pixels, each
/// against the mean of five by five blocks around it. A block without contrast takes over the threshold of its
/// neighbours.
///
/// The library does not tell how much it has found before it goes to work. So the scanner prepares the picture itself
/// and counts first (``FinderSearch/count(in:atMost:)``).
struct LocalAverage {
    private static let block = 8
    /// Blocks on each side of the one that is judged.
    private static let reach = 2
    /// Smaller pictures have no five blocks on a side.
    private static let smallestSide = (2 * reach + 1) * block
    /// The least difference between the darkest and the brightest pixel of a block with contrast.
    private static let leastContrast: Int32 = 25

    private var points: [Int32] = []

    /// - Returns: false for a picture without contrast.
    mutating func apply(_ frame: borrowing Frame, to target: LumaBuffer) -> Bool {
        let side = LocalAverage.block
        guard min(frame.width, frame.height) >= LocalAverage.smallestSide else {
            return GlobalHistogram.apply(frame, to: target)
        }
        let (width, height, stride) = (frame.width, frame.height, frame.stride)
        let (columns, rows) = ((width + side - 1) / side, (height + side - 1) / side)
        target.resize(width: width, height: height)
        if points.count < columns * rows { points = [Int32](repeating: 0, count: columns * rows) }
        // Taken out for the call: the frame and the points are lent at once.
        var points: [Int32] = []
        swap(&points, &self.points)
        defer { swap(&points, &self.points) }
        frame.withPixels { source in
            for row in 0..<rows {
                for column in 0..<columns {
                    let first = min(row * side, height - side) * stride + min(column * side, width - side)
                    let (mean, darkest, brightest) = LocalAverage.measure(source, at: first, stride)
                    let index = row * columns + column
                    points[index] = mean
                    guard brightest - darkest < LocalAverage.leastContrast else { continue }
                    // A light area, unless its neighbours say that light begins above it.
                    points[index] = darkest / 2
                    guard row > 0, column > 0 else { continue }
                    let around =
                        (points[index - columns] + 2 * points[index - 1] + points[index - columns - 1]) / 4
                    if darkest < around { points[index] = around }
                }
            }
            target.withPixels { target in
                for row in 0..<rows {
                    for column in 0..<columns {
                        let threshold = SIMD8(repeating: LocalAverage.mean(points, column, row, columns, rows))
                        let (x, y) = (min(column * side, width - side), min(row * side, height - side))
                        for line in y..<y + side {
                            let pixels = source.block(at: line * stride + x, as: SIMD8<UInt8>.self)
                            let white = SIMD8<UInt8>(repeating: 255)
                            target.store(white.replacing(with: 0, where: pixels .<= threshold), at: line * width + x)
                        }
                    }
                }
            }
        }
        return true
    }

    @inline(__always)
    private static func measure(
        _ source: Span<UInt8>, at first: Int, _ stride: Int
    ) -> (mean: Int32, darkest: Int32, brightest: Int32) {
        var sum = SIMD8<UInt16>.zero
        var (darkest, brightest) = (SIMD8<UInt8>(repeating: 255), SIMD8<UInt8>.zero)
        for line in 0..<block {
            let pixels = source.block(at: first + line * stride, as: SIMD8<UInt8>.self)
            sum &+= SIMD8<UInt16>(truncatingIfNeeded: pixels)
            darkest = pointwiseMin(darkest, pixels)
            brightest = pointwiseMax(brightest, pixels)
        }
        return (Int32(sum.wrappedSum()) / Int32(block * block), Int32(darkest.min()), Int32(brightest.max()))
    }

    @inline(__always)
    private static func mean(_ points: [Int32], _ column: Int, _ row: Int, _ columns: Int, _ rows: Int) -> UInt8 {
        let left = min(max(column, reach), columns - 1 - reach) - reach
        let top = min(max(row, reach), rows - 1 - reach) - reach
        var sum: Int32 = 0
        for row in top...top + 2 * reach {
            for column in left...left + 2 * reach { sum &+= points[row * columns + column] }
        }
        return UInt8(truncatingIfNeeded: sum / Int32((2 * reach + 1) * (2 * reach + 1)))
    }
}
