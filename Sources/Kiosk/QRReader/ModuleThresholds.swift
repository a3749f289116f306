// SPDX-License-Identifier: Apache-2.0

/// Classifies each module by the modules in the window around it, and computes the certainty that it is dark or light.
struct ModuleThresholds: ~Copyable {
    struct Rule {
        enum Threshold { case mean, midrange }

        /// Modules of the window to each side.
        var reach: Int
        /// The share of each neighbour in a blurred module.
        var sharpening: Float
        var threshold = Threshold.mean

        /// The likeliest, for even light and a sharp picture.
        static let usual = Rule(reach: 4, sharpening: 0)
        /// In the order of trial: some blur, shadows, a large window in even light, much blur, blur and shadows.
        static let all = [
            usual, Rule(reach: 4, sharpening: 0.12), Rule(reach: 2, sharpening: 0, threshold: .midrange),
            Rule(reach: 9, sharpening: 0.05), Rule(reach: 4, sharpening: 0.25), Rule(reach: 2, sharpening: 0.15),
        ]
    }

    /// Rows and columns of a window.
    private struct Window {
        let (top, bottom, left, right): (Int, Int, Int, Int)

        @inline(__always)
        init(_ row: Int, _ column: Int, reach: Int, side: Int) {
            (top, bottom) = (max(row - reach, 0), min(row + reach + 1, side))
            (left, right) = (max(column - reach, 0), min(column + reach + 1, side))
        }
    }

    private static let most = SymbolVersion.mostModules

    private var sharpened = [Float](repeating: 0, count: most * most)
    /// The sums of the modules above and left of each corner of a module.
    private var sums = [Float](repeating: 0, count: (most + 1) * (most + 1))
    private var side = 0
    /// Mean difference between a module and all, in luma.
    private(set) var contrast: Float = 1

    /// - Parameter isInverted: whether light modules stand for dark ones.
    mutating func apply(
        _ rule: Rule, _ samples: borrowing ModuleSampling, isInverted: Bool, into grid: inout ModuleGrid
    ) {
        side = samples.dimension
        sharpen(samples, by: rule.sharpening)
        sumUp()
        measureContrast()
        for row in 0..<side {
            for column in 0..<side {
                let window = Window(row, column, reach: rule.reach, side: side)
                let threshold = rule.threshold == .mean ? mean(window) : midrange(window)
                let certainty = min(max((threshold - sharpened[row * side + column]) / contrast, -1), 1)
                grid[row, column] = isInverted ? -certainty : certainty
            }
        }
    }

    private mutating func measureContrast() {
        let all = Float(side * side)
        let mean = sums[side * (side + 1) + side] / all
        var sum: Float = 0
        for index in 0..<side * side { sum += abs(sharpened[index] - mean) }
        contrast = max(sum / all, 1)
    }

    @inline(__always)
    private func mean(_ window: Window) -> Float {
        let (upper, lower) = (window.top * (side + 1), window.bottom * (side + 1))
        var sum = sums[lower + window.right] - sums[upper + window.right]
        sum += sums[upper + window.left] - sums[lower + window.left]
        return sum / Float((window.bottom - window.top) * (window.right - window.left))
    }

    private func midrange(_ window: Window) -> Float {
        var (darkest, lightest) = (Float.infinity, -Float.infinity)
        for row in window.top..<window.bottom {
            for column in window.left..<window.right {
                darkest = min(darkest, sharpened[row * side + column])
                lightest = max(lightest, sharpened[row * side + column])
            }
        }
        return (darkest + lightest) / 2
    }

    /// Subtracts a share of each of the four neighbours.
    private mutating func sharpen(_ samples: borrowing ModuleSampling, by amount: Float) {
        for row in 0..<side {
            for column in 0..<side {
                let index = row * side + column
                let value = samples.values[index]
                var sum: Float = 0
                sum += row > 0 ? samples.values[index - side] - value : 0
                sum += row + 1 < side ? samples.values[index + side] - value : 0
                sum += column > 0 ? samples.values[index - 1] - value : 0
                sum += column + 1 < side ? samples.values[index + 1] - value : 0
                sharpened[index] = value - amount * sum
            }
        }
    }

    private mutating func sumUp() {
        for column in 0...side { sums[column] = 0 }
        for row in 0..<side {
            var sum: Float = 0
            sums[(row + 1) * (side + 1)] = 0
            for column in 0..<side {
                sum += sharpened[row * side + column]
                sums[(row + 1) * (side + 1) + column + 1] = sums[row * (side + 1) + column + 1] + sum
            }
        }
    }
}
