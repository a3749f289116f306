// SPDX-License-Identifier: Apache-2.0

/// The luma of each module of a symbol: the mean of five places within it, with double weight for the middle.
struct ModuleSampling: ~Copyable {
    private static let most = SymbolVersion.mostModules * SymbolVersion.mostModules
    /// The distance of the four outer places from the middle, as a share of the module's diagonal. The corners are at
    /// 0.5; half as far away a place is still clear of the blurred edges.
    private static let distance: Float = 0.22

    private(set) var dimension = 0
    /// The values by rows.
    private(set) var values = [Float](repeating: 0, count: most)
    /// The middles of the modules in pixels of the picture.
    private(set) var pixels = [Point](repeating: Point(0, 0), count: most)

    mutating func sample(_ picture: borrowing GreyPicture, _ grid: borrowing SamplingGrid) {
        let side = grid.dimension
        dimension = side
        for row in 0..<side {
            for column in 0..<side {
                pixels[row * side + column] = picture.pixel(
                    ofFrame: grid.point(Float(column) + 0.5, Float(row) + 0.5))
            }
        }
        for row in 0..<side {
            for column in 0..<side { values[row * side + column] = mean(row, column, picture) }
        }
    }

    @inline(__always)
    private func mean(_ row: Int, _ column: Int, _ picture: borrowing GreyPicture) -> Float {
        let index = row * dimension + column
        let centre = pixels[index]
        let right = column + 1 < dimension ? pixels[index + 1] - centre : centre - pixels[index - 1]
        let below = row + 1 < dimension ? pixels[index + dimension] - centre : centre - pixels[index - dimension]
        let falling = ModuleSampling.distance * (right + below)
        let rising = ModuleSampling.distance * (right - below)
        var sum = 2 * picture.value(centre)
        sum += picture.value(centre + falling) + picture.value(centre - falling)
        sum += picture.value(centre + rising) + picture.value(centre - rising)
        return sum / 6
    }
}
