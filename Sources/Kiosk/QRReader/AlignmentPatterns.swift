// SPDX-License-Identifier: Apache-2.0

/// Looks for patterns where a grid expects them: alignment patterns, of dark, light and dark squares around each other
/// (ISO/IEC 18004, 6.3.6), and finder patterns that are damaged.
struct AlignmentPatterns: ~Copyable {
    /// Places in a module's side.
    private static let steps = 4
    private static let largestReach = 8
    private static let widest = (2 * largestReach + 7) * steps

    private var patch = [Float](repeating: 0, count: widest * widest)

    /// - Parameters:
    ///   - expected: the middle in modules.
    ///   - reach: modules to each side in which it may lie.
    /// - Returns: how far it lies from there in modules, and how well it agrees, to 1.
    mutating func find(
        _ expected: Point, reach: Int, _ picture: borrowing GreyPicture, _ grid: borrowing SamplingGrid, scale: Float,
        isInverted: Bool, isFinder: Bool = false
    ) -> (shift: Point, agreement: Float) {
        let reach = min(reach, AlignmentPatterns.largestReach)
        let steps = AlignmentPatterns.steps
        let side = isFinder ? 7 : 5
        let width = (2 * reach + side) * steps
        let start = expected - Point(Float(reach) + Float(side) / 2, Float(reach) + Float(side) / 2)
        for row in 0..<width {
            for column in 0..<width {
                let u = start.x + (Float(column) + 0.5) / Float(steps)
                let v = start.y + (Float(row) + 0.5) / Float(steps)
                let value = picture.value((1 / scale) * grid.point(u, v))
                patch[row * width + column] = isInverted ? value : -value
            }
        }
        var best = (row: 0, column: 0, agreement: -Float.infinity, merit: -Float.infinity)
        func look(_ row: Int, _ column: Int) {
            guard (0...2 * reach * steps).contains(row), (0...2 * reach * steps).contains(column) else { return }
            let agreement = agreement(row, column, width, side)
            let distance =
                Point(Float(column - reach * steps), Float(row - reach * steps)).length / Float(reach * steps)
            if agreement - 0.15 * distance > best.merit { best = (row, column, agreement, agreement - 0.15 * distance) }
        }
        for row in stride(from: 0, through: 2 * reach * steps, by: 2) {
            for column in stride(from: 0, through: 2 * reach * steps, by: 2) { look(row, column) }
        }
        let (row, column) = (best.row, best.column)
        for (down, across) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            look(row + down, column + across)
        }
        let shift = Point(Float(best.column), Float(best.row))
        return (1 / Float(steps) * shift - Point(Float(reach), Float(reach)), best.agreement)
    }

    /// The correlation of the pattern with the modules from a place of the patch on.
    private func agreement(_ row: Int, _ column: Int, _ width: Int, _ side: Int) -> Float {
        let steps = AlignmentPatterns.steps
        var (sum, squares, dark, darkCount): (Float, Float, Float, Float) = (0, 0, 0, 0)
        for y in 0..<side {
            for x in 0..<side {
                let place = (row + y * steps + 1) * width + column + x * steps + 1
                let value = patch[place] + patch[place + 1] + patch[place + width] + patch[place + width + 1]
                sum += value
                squares += value * value
                // The light ring is the second one from outside.
                if max(abs(x - side / 2), abs(y - side / 2)) != side / 2 - 1 {
                    dark += value
                    darkCount += 1
                }
            }
        }
        let all = Float(side * side)
        let mean = sum / all
        let variance = squares / all - mean * mean
        guard variance > 16 else { return 0 }
        let share = darkCount / all
        return (dark / all - mean * share) / (variance * share * (1 - share)).squareRoot()
    }
}
