// SPDX-License-Identifier: Apache-2.0

/// The places of a symbol's modules: a projection of the whole, and the displacement of each part.
struct SamplingGrid: ~Copyable {
    /// Modules from one node of displacements to the next.
    private static let pitch = 6
    static let mostNodes = SymbolVersion.mostModules / pitch + 2

    private(set) var symbol = SymbolProjection(version: SymbolVersion(number: 1), homography: .identity)
    /// The number of nodes on a side.
    private(set) var nodes = 4
    /// Displacements in modules, by rows of nodes.
    private var displacements = [Point](repeating: Point(0, 0), count: mostNodes * mostNodes)

    var dimension: Int { symbol.version.dimension }

    /// Takes a flat symbol.
    mutating func begin(_ symbol: SymbolProjection) {
        self.symbol = symbol
        nodes = (symbol.version.dimension - 1) / SamplingGrid.pitch + 2
        for index in 0..<nodes * nodes { displacements[index] = Point(0, 0) }
    }

    mutating func displace(row: Int, column: Int, by shift: Point) {
        displacements[row * nodes + column] = displacements[row * nodes + column] + shift
    }

    /// Displaces each node by the shift at its place in modules.
    mutating func displace(by shift: (Point) -> Point) {
        let step = Float(dimension) / Float(nodes - 1)
        for row in 0..<nodes {
            for column in 0..<nodes {
                displace(row: row, column: column, by: shift(Point(Float(column) * step, Float(row) * step)))
            }
        }
    }

    /// The pixel of the frame at a place in modules.
    func point(_ u: Float, _ v: Float) -> Point {
        let shift = displacement(u, v)
        return symbol.homography.point(u + shift.x, v + shift.y)
    }

    func point(_ place: Point) -> Point { point(place.x, place.y) }

    private func displacement(_ u: Float, _ v: Float) -> Point {
        let cell = cell(u, v)
        let upper =
            (1 - cell.across) * displacements[cell.node] + cell.across * displacements[cell.node + 1]
        let lower =
            (1 - cell.across) * displacements[cell.node + nodes] + cell.across * displacements[cell.node + nodes + 1]
        return (1 - cell.down) * upper + cell.down * lower
    }

    /// The four nodes around a place.
    struct Cell {
        /// The upper left node: row times nodes on a side, plus column.
        var node: Int
        /// The position between the left and the right nodes, and between the upper and the lower ones, from 0 to 1.
        var across: Float
        var down: Float
    }

    @inline(__always)
    func cell(_ u: Float, _ v: Float) -> Cell {
        let scale = Float(nodes - 1) / Float(dimension)
        let x = min(max(u * scale, 0), Float(nodes - 1))
        let y = min(max(v * scale, 0), Float(nodes - 1))
        let (column, row) = (min(Int(x), nodes - 2), min(Int(y), nodes - 2))
        return Cell(node: row * nodes + column, across: x - Float(column), down: y - Float(row))
    }
}
