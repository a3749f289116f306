// SPDX-License-Identifier: Apache-2.0

/// Looks for alignment patterns where a grid expects them: a dark ring of five modules around a light one around a dark
/// module (ISO/IEC 18004, 6.3.6).
struct AlignmentPatterns: ~Copyable {
    /// Places in a module's side.
    private static let steps = 4
    private static let largestReach = 8
    private static let widest = (2 * largestReach + 5) * steps

    private var patch = [Float](repeating: 0, count: widest * widest)

    /// - Parameters:
    ///   - expected: the middle in modules.
    ///   - reach: modules to each side in which it may lie.
    /// - Returns: how far it lies from there in modules, and how well it agrees, to 1.
    mutating func find(
        _ expected: Point, reach: Int, _ picture: borrowing GreyPicture, _ grid: borrowing SamplingGrid, scale: Float,
        isInverted: Bool
    ) -> (shift: Point, agreement: Float) {
        let reach = min(reach, AlignmentPatterns.largestReach)
        let steps = AlignmentPatterns.steps
        let width = (2 * reach + 5) * steps
        let start = Point(expected.x - Float(reach) - 2.5, expected.y - Float(reach) - 2.5)
        for row in 0..<width {
            for column in 0..<width {
                let u = start.x + (Float(column) + 0.5) / Float(steps)
                let v = start.y + (Float(row) + 0.5) / Float(steps)
                let value = picture.value((1 / scale) * grid.point(u, v))
                patch[row * width + column] = isInverted ? value : -value
            }
        }
        var best = (shift: Point(0, 0), agreement: -Float.infinity, merit: -Float.infinity)
        for row in 0...2 * reach * steps {
            for column in 0...2 * reach * steps {
                let agreement = agreement(row, column, width)
                let shift = Point(
                    Float(column) / Float(steps) - Float(reach), Float(row) / Float(steps) - Float(reach))
                let merit = agreement - 0.15 * shift.length / Float(max(reach, 1))
                if merit > best.merit { best = (shift, agreement, merit) }
            }
        }
        return (best.shift, best.agreement)
    }

    /// The correlation of the pattern with the 25 modules from a place of the patch on.
    private func agreement(_ row: Int, _ column: Int, _ width: Int) -> Float {
        let steps = AlignmentPatterns.steps
        var (sum, squares, dark): (Float, Float, Float) = (0, 0, 0)
        for y in 0..<5 {
            for x in 0..<5 {
                let place = (row + y * steps + 1) * width + column + x * steps + 1
                let value = patch[place] + patch[place + 1] + patch[place + width] + patch[place + width + 1]
                sum += value
                squares += value * value
                let isLight = max(abs(x - 2), abs(y - 2)) == 1
                if !isLight { dark += value }
            }
        }
        // Of 25 modules 17 are dark.
        let mean = sum / 25
        let variance = squares / 25 - mean * mean
        guard variance > 16 else { return 0 }
        let covariance = dark / 25 - mean * 17 / 25
        return covariance / (variance * Float(17 * 8) / 625).squareRoot()
    }
}
