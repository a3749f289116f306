// SPDX-License-Identifier: Apache-2.0

/// The luma of each module of a symbol, and how certain that makes it dark or light.
struct ModuleSampling: ~Copyable {
    private static let most = SymbolVersion.mostModules * SymbolVersion.mostModules

    private(set) var values = [Float](repeating: 0, count: most)
    private var sharpened = [Float](repeating: 0, count: most)
    private var sums = [Float](repeating: 0, count: (SymbolVersion.mostModules + 1) * (SymbolVersion.mostModules + 1))
    private var pixels = [Point](repeating: Point(0, 0), count: most)
    private var weights = [Float](repeating: 0, count: 4 * 32 * 32)
    private var shifts = [Point](repeating: Point(0, 0), count: 4 * 32 * 32)
    private(set) var contrast: Float = 1

    /// Takes the mean of five places within each module.
    ///
    /// - Parameter scale: pixels of the frame in one of the picture.
    mutating func sample(_ picture: borrowing GreyPicture, _ grid: borrowing SamplingGrid, scale: Float) {
        let side = grid.dimension
        for row in 0..<side {
            for column in 0..<side {
                pixels[row * side + column] = (1 / scale) * grid.point(Float(column) + 0.5, Float(row) + 0.5)
            }
        }
        for row in 0..<side {
            for column in 0..<side {
                let centre = pixels[row * side + column]
                let right =
                    column + 1 < side
                    ? pixels[row * side + column + 1] - centre : centre - pixels[row * side + column - 1]
                let below =
                    row + 1 < side
                    ? pixels[(row + 1) * side + column] - centre : centre - pixels[(row - 1) * side + column]
                let (first, second) = (0.22 * (right + below), 0.22 * (right - below))
                var sum = 2 * picture.value(centre)
                sum += picture.value(centre + first) + picture.value(centre - first)
                sum += picture.value(centre + second) + picture.value(centre - second)
                values[row * side + column] = sum / 6
            }
        }
    }

    /// Ways to judge a module against those around it.
    struct Judgement {
        /// Modules to each side of the window.
        var reach: Int
        /// How much of each neighbour a blurred module has taken.
        var sharpening: Float
        /// Whether the limit lies between the darkest and the lightest, and not at the mean.
        var isBetweenExtremes = false

        static let all = [
            Judgement(reach: 4, sharpening: 0), Judgement(reach: 4, sharpening: 0.12),
            Judgement(reach: 2, sharpening: 0, isBetweenExtremes: true), Judgement(reach: 9, sharpening: 0.05),
            Judgement(reach: 4, sharpening: 0.25), Judgement(reach: 2, sharpening: 0.15),
        ]
    }

    /// - Parameter isInverted: whether light modules stand for dark ones.
    mutating func judge(_ judgement: Judgement, isInverted: Bool, into grid: inout ModuleGrid) {
        let side = grid.dimension
        sharpen(by: judgement.sharpening, side: side)
        takeSums(side: side)
        let all = Float(side * side)
        let mean = sums[side * (side + 1) + side] / all
        var spread: Float = 0
        for index in 0..<side * side { spread += abs(sharpened[index] - mean) }
        spread = max(spread / all, 1)
        contrast = spread
        for row in 0..<side {
            for column in 0..<side {
                let (top, bottom) = (max(row - judgement.reach, 0), min(row + judgement.reach + 1, side))
                let (left, right) = (max(column - judgement.reach, 0), min(column + judgement.reach + 1, side))
                var limit: Float
                if judgement.isBetweenExtremes {
                    var (darkest, lightest) = (Float.infinity, -Float.infinity)
                    for y in top..<bottom {
                        for x in left..<right {
                            darkest = min(darkest, sharpened[y * side + x])
                            lightest = max(lightest, sharpened[y * side + x])
                        }
                    }
                    limit = (darkest + lightest) / 2
                } else {
                    limit = sums[bottom * (side + 1) + right] - sums[top * (side + 1) + right]
                    limit += sums[top * (side + 1) + left] - sums[bottom * (side + 1) + left]
                    limit /= Float((bottom - top) * (right - left))
                }
                let certainty = min(max((limit - sharpened[row * side + column]) / spread, -1), 1)
                grid[row, column] = isInverted ? -certainty : certainty
            }
        }
    }

    private mutating func sharpen(by amount: Float, side: Int) {
        for row in 0..<side {
            for column in 0..<side {
                let value = values[row * side + column]
                var sum: Float = 0
                sum += row > 0 ? values[(row - 1) * side + column] - value : 0
                sum += row + 1 < side ? values[(row + 1) * side + column] - value : 0
                sum += column > 0 ? values[row * side + column - 1] - value : 0
                sum += column + 1 < side ? values[row * side + column + 1] - value : 0
                sharpened[row * side + column] = value - amount * sum
            }
        }
    }

    private mutating func takeSums(side: Int) {
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

    /// Moves the nodes of a grid so that edges between modules lie where light and dark meet.
    ///
    /// - Parameter certain: the modules as they are judged at present.
    mutating func straighten(
        _ grid: inout SamplingGrid, _ picture: borrowing GreyPicture, _ certain: borrowing ModuleGrid
    ) {
        let side = grid.dimension
        let nodes = grid.nodes
        for index in 0..<nodes * nodes {
            (weights[2 * index], weights[2 * index + 1], shifts[index]) = (0, 0, Point(0, 0))
        }
        for row in 0..<side {
            for column in 0..<side {
                let index = row * side + column
                if column + 1 < side, certain[index] * certain[index + 1] < 0 {
                    let (shift, weight) = edge(picture, index, index + 1)
                    gather(Float(column) + 1, Float(row) + 0.5, shift, weight, nodes, side, isAcross: true)
                }
                if row + 1 < side, certain[index] * certain[index + side] < 0 {
                    let (shift, weight) = edge(picture, index, index + side)
                    gather(Float(column) + 0.5, Float(row) + 1, shift, weight, nodes, side, isAcross: false)
                }
            }
        }
        // Neighbours hold each other, and a node of little weight stays where they say.
        let norm = 3 * contrast
        for row in 0..<nodes {
            for column in 0..<nodes {
                var (across, down, ofAcross, ofDown): (Float, Float, Float, Float) = (0, 0, norm, norm)
                for y in max(row - 1, 0)...min(row + 1, nodes - 1) {
                    for x in max(column - 1, 0)...min(column + 1, nodes - 1) {
                        let share: Float = y == row && x == column ? 1 : 0.4
                        let index = y * nodes + x
                        across += share * shifts[index].x
                        down += share * shifts[index].y
                        ofAcross += share * weights[2 * index]
                        ofDown += share * weights[2 * index + 1]
                    }
                }
                let shift = Point(across / ofAcross, down / ofDown)
                grid.displacements[row * nodes + column] = grid.displacements[row * nodes + column] + shift
            }
        }
    }

    /// Where between two modules light and dark meet, in modules from the middle, and how plain that is.
    private func edge(_ picture: borrowing GreyPicture, _ one: Int, _ other: Int) -> (shift: Float, weight: Float) {
        let (start, end) = (pixels[one], pixels[other])
        let (first, last) = (values[one], values[other])
        let limit = (first + last) / 2
        guard abs(last - first) > 1 else { return (0, 0) }
        var before = first
        for step in 1...6 {
            let share = Float(step) / 6
            let value = step == 6 ? last : picture.value(start + share * (end - start))
            if (value - limit) * (before - limit) <= 0, value != before {
                let place = share - (value - limit) / (value - before) / 6
                return (place - 0.5, abs(last - first))
            }
            before = value
        }
        return (0, 0)
    }

    @inline(__always)
    private mutating func gather(
        _ u: Float, _ v: Float, _ shift: Float, _ weight: Float, _ nodes: Int, _ side: Int, isAcross: Bool
    ) {
        guard weight > 0 else { return }
        let scale = Float(nodes - 1) / Float(side)
        let (column, row) = (min(Int(u * scale), nodes - 2), min(Int(v * scale), nodes - 2))
        let (across, down) = (u * scale - Float(column), v * scale - Float(row))
        for (place, share) in [
            (0, (1 - across) * (1 - down)), (1, across * (1 - down)), (nodes, (1 - across) * down),
            (nodes + 1, across * down),
        ] {
            let index = row * nodes + column + place
            if isAcross {
                shifts[index].x += share * weight * shift
                weights[2 * index] += share * weight
            } else {
                shifts[index].y += share * weight * shift
                weights[2 * index + 1] += share * weight
            }
        }
    }
}
