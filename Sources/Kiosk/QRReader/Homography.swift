// SPDX-License-Identifier: Apache-2.0

/// The projection of a plane: from modules of a symbol to pixels of a frame.
struct Homography {
    /// The matrix by rows; the last element is 1 in the fit's own units.
    fileprivate var rows: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)

    static let identity = Homography(rows: (SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0)))

    func point(_ u: Float, _ v: Float) -> Point {
        let place = SIMD4<Double>(Double(u), Double(v), 1, 0)
        let depth = (rows.2 * place).sum()
        return Point(Float((rows.0 * place).sum() / depth), Float((rows.1 * place).sum() / depth))
    }
}

/// A symbol of a known number of modules, flat in space.
struct SymbolProjection {
    var version: SymbolVersion
    var homography: Homography
}

/// Pairs of places in a symbol and in a frame, and the projection that fits them best by least squares.
struct HomographyFit: ~Copyable {
    private static let most = 128
    /// Each pair gives two equations.
    private static let least = unknowns / 2
    /// The number of elements of a projection without the last, which is 1.
    private static let unknowns = 8
    private static let columns = unknowns + 1
    /// A pivot below it is what rounding leaves of 0: the pairs lie on one line.
    private static let leastPivot = 1e-9
    /// Pixels: pairs that lie closer to each other are one place.
    private static let leastSpread = 1e-3

    private var modules = [Point](repeating: Point(0, 0), count: most)
    private var pixels = [Point](repeating: Point(0, 0), count: most)
    private var weights = [Double](repeating: 0, count: most)
    /// The normal equations by rows, with their right sides in the last column.
    private var matrix = [Double](repeating: 0, count: unknowns * columns)
    private(set) var count = 0

    mutating func begin() { count = 0 }

    mutating func add(_ module: Point, _ pixel: Point, weight: Double = 1) {
        guard count < HomographyFit.most else { return }
        (modules[count], pixels[count], weights[count]) = (module, pixel, weight)
        count += 1
    }

    /// - Returns: nil when the pairs do not determine a projection.
    mutating func fit(_ version: SymbolVersion) -> SymbolProjection? {
        guard count >= HomographyFit.least else { return nil }
        // Both planes become squares around 0 of about the side 2, so that no number outweighs the others.
        let half = Double(version.dimension) / 2
        let (centre, spread) = normalization()
        for index in matrix.indices { matrix[index] = 0 }
        for index in 0..<count {
            let (u, v) = (Double(modules[index].x) / half - 1, Double(modules[index].y) / half - 1)
            let (x, y) = ((Double(pixels[index].x) - centre.x) / spread, (Double(pixels[index].y) - centre.y) / spread)
            addEquation([u, v, 1, 0, 0, 0, -u * x, -v * x, x], weight: weights[index])
            addEquation([0, 0, 0, u, v, 1, -u * y, -v * y, y], weight: weights[index])
        }
        guard solve() else { return nil }
        // Back to modules and pixels.
        func row(_ a: Double, _ b: Double, _ c: Double) -> SIMD4<Double> { SIMD4(a / half, b / half, c - a - b, 0) }
        let last = row(solution(6), solution(7), 1)
        let first = row(solution(0), solution(1), solution(2))
        let second = row(solution(3), solution(4), solution(5))
        let rows = (spread * first + centre.x * last, spread * second + centre.y * last, last)
        return SymbolProjection(version: version, homography: Homography(rows: rows))
    }

    /// The mean of the pixels, and their mean distance from it along an axis.
    private func normalization() -> (centre: SIMD2<Double>, spread: Double) {
        var (centre, spread) = (SIMD2<Double>(0, 0), 0.0)
        for index in 0..<count {
            centre.x += Double(pixels[index].x) / Double(count)
            centre.y += Double(pixels[index].y) / Double(count)
        }
        for index in 0..<count {
            spread += abs(Double(pixels[index].x) - centre.x) + abs(Double(pixels[index].y) - centre.y)
        }
        return (centre, max(spread / Double(2 * count), HomographyFit.leastSpread))
    }

    private mutating func addEquation(_ values: InlineArray<9, Double>, weight: Double) {
        let columns = HomographyFit.columns
        for index in 0..<HomographyFit.unknowns where values[index] != 0 {
            for column in 0..<columns { matrix[index * columns + column] += weight * values[index] * values[column] }
        }
    }

    private func solution(_ index: Int) -> Double {
        matrix[index * HomographyFit.columns + HomographyFit.unknowns]
    }

    /// Elimination by Gauss and Jordan with partial pivoting. The solution stands in the last column.
    private mutating func solve() -> Bool {
        let columns = HomographyFit.columns
        for column in 0..<HomographyFit.unknowns {
            var pivot = column
            for row in column..<HomographyFit.unknowns
            where abs(matrix[row * columns + column]) > abs(matrix[pivot * columns + column]) {
                pivot = row
            }
            guard abs(matrix[pivot * columns + column]) > HomographyFit.leastPivot else { return false }
            for place in 0..<columns { matrix.swapAt(column * columns + place, pivot * columns + place) }
            let scale = matrix[column * columns + column]
            for place in 0..<columns { matrix[column * columns + place] /= scale }
            for row in 0..<HomographyFit.unknowns where row != column {
                subtract(column, from: row, factor: matrix[row * columns + column])
            }
        }
        return true
    }

    private mutating func subtract(_ row: Int, from other: Int, factor: Double) {
        guard factor != 0 else { return }
        let columns = HomographyFit.columns
        for place in 0..<columns { matrix[other * columns + place] -= factor * matrix[row * columns + place] }
    }
}
