// SPDX-License-Identifier: Apache-2.0

/// The projection of a plane: from modules of a symbol to pixels of a frame.
struct Homography {
    /// By rows; the last element is 1 in the fit's own units.
    fileprivate var rows: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)

    func point(_ u: Float, _ v: Float) -> Point {
        let place = SIMD4<Double>(Double(u), Double(v), 1, 0)
        let depth = (rows.2 * place).sum()
        return Point(Float((rows.0 * place).sum() / depth), Float((rows.1 * place).sum() / depth))
    }
}

/// Pairs of places in a symbol and in a frame, and the projection that fits them best by least squares.
struct HomographyFit: ~Copyable {
    private static let most = 128

    private var modules = [Point](repeating: Point(0, 0), count: most)
    private var pixels = [Point](repeating: Point(0, 0), count: most)
    private var weights = [Double](repeating: 0, count: most)
    private var matrix = [Double](repeating: 0, count: 8 * 9)
    private(set) var count = 0

    mutating func begin() { count = 0 }

    mutating func add(_ module: Point, _ pixel: Point, weight: Double = 1) {
        guard count < HomographyFit.most else { return }
        (modules[count], pixels[count], weights[count]) = (module, pixel, weight)
        count += 1
    }

    /// - Parameter dimension: of the symbol, by which places are scaled.
    /// - Returns: nil when the pairs do not say enough.
    mutating func fit(dimension: Int) -> Homography? {
        guard count >= 4 else { return nil }
        let side = Double(dimension) / 2
        var (centreX, centreY, spread) = (0.0, 0.0, 0.0)
        for index in 0..<count {
            centreX += Double(pixels[index].x) / Double(count)
            centreY += Double(pixels[index].y) / Double(count)
        }
        for index in 0..<count {
            spread += abs(Double(pixels[index].x) - centreX) + abs(Double(pixels[index].y) - centreY)
        }
        spread = max(spread / Double(2 * count), 1e-3)
        for index in 0..<72 { matrix[index] = 0 }
        for index in 0..<count {
            let (u, v) = (Double(modules[index].x) / side - 1, Double(modules[index].y) / side - 1)
            let (x, y) = ((Double(pixels[index].x) - centreX) / spread, (Double(pixels[index].y) - centreY) / spread)
            add((u, v, 1, 0, 0, 0, -u * x, -v * x, x), weights[index])
            add((0, 0, 0, u, v, 1, -u * y, -v * y, y), weights[index])
        }
        guard solve() else { return nil }
        // Back to modules and pixels.
        func row(_ a: Double, _ b: Double, _ c: Double) -> SIMD4<Double> { SIMD4(a / side, b / side, c - a - b, 0) }
        let last = row(matrix[6 * 9 + 8], matrix[7 * 9 + 8], 1)
        let first = row(matrix[8], matrix[9 + 8], matrix[2 * 9 + 8])
        let second = row(matrix[3 * 9 + 8], matrix[4 * 9 + 8], matrix[5 * 9 + 8])
        return Homography(rows: (spread * first + centreX * last, spread * second + centreY * last, last))
    }

    private mutating func add(
        _ row: (Double, Double, Double, Double, Double, Double, Double, Double, Double), _ weight: Double
    ) {
        let values: InlineArray<9, Double> = [row.0, row.1, row.2, row.3, row.4, row.5, row.6, row.7, row.8]
        for index in 0..<8 where values[index] != 0 {
            for column in 0..<9 { matrix[index * 9 + column] += weight * values[index] * values[column] }
        }
    }

    /// Gauss's elimination. The solution stands in the last column.
    private mutating func solve() -> Bool {
        for column in 0..<8 {
            var pivot = column
            for row in column..<8 where abs(matrix[row * 9 + column]) > abs(matrix[pivot * 9 + column]) { pivot = row }
            guard abs(matrix[pivot * 9 + column]) > 1e-9 else { return false }
            for place in 0..<9 { matrix.swapAt(column * 9 + place, pivot * 9 + place) }
            let scale = matrix[column * 9 + column]
            for place in 0..<9 { matrix[column * 9 + place] /= scale }
            for row in 0..<8 where row != column {
                let factor = matrix[row * 9 + column]
                if factor != 0 {
                    for place in 0..<9 { matrix[row * 9 + place] -= factor * matrix[column * 9 + place] }
                }
            }
        }
        return true
    }
}
