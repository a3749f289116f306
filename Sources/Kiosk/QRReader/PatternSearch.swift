// SPDX-License-Identifier: Apache-2.0

/// Looks for a pattern of squares within each other where a grid lets it be expected, by its correlation with the
/// picture.
struct PatternSearch: ~Copyable {
    struct Pattern {
        /// Modules on a side.
        let side: Int
        let isInverted: Bool

        /// Dark, light and dark squares (ISO/IEC 18004, 6.3.6).
        static func alignment(isInverted: Bool) -> Pattern { Pattern(side: 5, isInverted: isInverted) }
        /// Likewise, with a larger middle.
        static func finder(isInverted: Bool) -> Pattern { Pattern(side: 7, isInverted: isInverted) }

        /// The light ring is the second one from outside.
        func isDark(_ x: Int, _ y: Int) -> Bool { max(abs(x - side / 2), abs(y - side / 2)) != side / 2 - 1 }
    }

    /// A place where the pattern was looked for.
    struct Match {
        /// The distance from the expected place, in modules.
        var shift: Point
        /// 1 where light and dark are exactly the pattern's.
        var correlation: Float
    }

    /// Samples along a module's side: the pattern is found to a quarter of a module.
    private static let samples = 4
    /// Modules to each side. If the pattern is farther away, the grid is wrong.
    private static let mostReach = 8
    private static let mostWidth = (2 * mostReach + 7) * samples
    /// Samples from place to place of the first search. The second looks at the places around its best one.
    private static let stride = 2
    /// Subtracted from the correlation in proportion to the distance from the expected place, in full at the border.
    private static let price: Float = 0.15
    /// Variance of a module, which is the sum of four samples, below which the picture shows nothing: a luma of 1.
    private static let leastVariance: Float = 16

    /// Luma of the samples, larger where the picture is darker.
    private var patch = [Float](repeating: 0, count: mostWidth * mostWidth)
    private var width = 0

    /// - Parameters:
    ///   - expected: the pattern's middle in modules.
    ///   - reach: modules to each side in which it may lie.
    mutating func find(
        _ pattern: Pattern, at expected: Point, reach: Int, _ grid: borrowing SamplingGrid,
        _ picture: borrowing GreyPicture
    ) -> Match {
        let reach = min(reach, PatternSearch.mostReach)
        sample(pattern, around: expected, reach: reach, grid, picture)
        let middle = reach * PatternSearch.samples
        var best = (row: 0, column: 0, correlation: -Float.infinity, merit: -Float.infinity)
        func look(_ row: Int, _ column: Int) {
            guard (0...2 * middle).contains(row), (0...2 * middle).contains(column) else { return }
            let correlation = correlation(of: pattern, row, column)
            let distance = Point(Float(column - middle), Float(row - middle)).length / Float(middle)
            let merit = correlation - PatternSearch.price * distance
            if merit > best.merit { best = (row, column, correlation, merit) }
        }
        for row in Swift.stride(from: 0, through: 2 * middle, by: PatternSearch.stride) {
            for column in Swift.stride(from: 0, through: 2 * middle, by: PatternSearch.stride) { look(row, column) }
        }
        let (row, column) = (best.row, best.column)
        for nextRow in row - 1...row + 1 {
            for nextColumn in column - 1...column + 1 where (nextRow, nextColumn) != (row, column) {
                look(nextRow, nextColumn)
            }
        }
        let place = 1 / Float(PatternSearch.samples) * Point(Float(best.column), Float(best.row))
        return Match(shift: place - Point(Float(reach), Float(reach)), correlation: best.correlation)
    }

    private mutating func sample(
        _ pattern: Pattern, around expected: Point, reach: Int, _ grid: borrowing SamplingGrid,
        _ picture: borrowing GreyPicture
    ) {
        width = (2 * reach + pattern.side) * PatternSearch.samples
        let half = Float(reach) + Float(pattern.side) / 2
        let start = expected - Point(half, half)
        for row in 0..<width {
            for column in 0..<width {
                let u = start.x + (Float(column) + 0.5) / Float(PatternSearch.samples)
                let v = start.y + (Float(row) + 0.5) / Float(PatternSearch.samples)
                let value = picture.value(ofFrame: grid.point(u, v))
                patch[row * width + column] = pattern.isInverted ? value : -value
            }
        }
    }

    /// The correlation of the pattern with the modules from a sample on.
    private func correlation(of pattern: Pattern, _ row: Int, _ column: Int) -> Float {
        var (sum, squares, dark, darkCount): (Float, Float, Float, Float) = (0, 0, 0, 0)
        for y in 0..<pattern.side {
            for x in 0..<pattern.side {
                // The four samples in the middle of the module.
                let place =
                    (row + y * PatternSearch.samples + 1) * width + column + x * PatternSearch.samples + 1
                let value = patch[place] + patch[place + 1] + patch[place + width] + patch[place + width + 1]
                sum += value
                squares += value * value
                if pattern.isDark(x, y) {
                    dark += value
                    darkCount += 1
                }
            }
        }
        let all = Float(pattern.side * pattern.side)
        let mean = sum / all
        let variance = squares / all - mean * mean
        guard variance > PatternSearch.leastVariance else { return 0 }
        let share = darkCount / all
        return (dark / all - mean * share) / (variance * share * (1 - share)).squareRoot()
    }
}
