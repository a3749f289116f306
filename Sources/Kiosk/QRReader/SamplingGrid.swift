// SPDX-License-Identifier: Apache-2.0

/// Where the modules of a symbol lie: a projection of the whole, and how far each part of it is displaced.
struct SamplingGrid: ~Copyable {
    /// Modules from one node of displacements to the next.
    static let pitch = 6
    private static let mostNodes = SymbolVersion.mostModules / pitch + 2

    var dimension = 21
    var homography: Homography
    private(set) var nodes = 4
    /// Displacements in modules, by rows of nodes.
    var displacements = [Point](repeating: Point(0, 0), count: mostNodes * mostNodes)

    init(_ homography: Homography) { self.homography = homography }

    mutating func begin(_ homography: Homography, dimension: Int) {
        self.homography = homography
        self.dimension = dimension
        nodes = (dimension - 1) / SamplingGrid.pitch + 2
        for index in 0..<nodes * nodes { displacements[index] = Point(0, 0) }
    }

    /// The place of a node in modules.
    func place(row: Int, column: Int) -> Point {
        let step = Float(dimension) / Float(nodes - 1)
        return Point(Float(column) * step, Float(row) * step)
    }

    /// The pixel of a place in modules.
    func point(_ u: Float, _ v: Float) -> Point {
        let shift = displacement(u, v)
        return homography.point(u + shift.x, v + shift.y)
    }

    func displacement(_ u: Float, _ v: Float) -> Point {
        let scale = Float(nodes - 1) / Float(dimension)
        let x = min(max(u * scale, 0), Float(nodes - 1))
        let y = min(max(v * scale, 0), Float(nodes - 1))
        let (column, row) = (min(Int(x), nodes - 2), min(Int(y), nodes - 2))
        let (across, down) = (x - Float(column), y - Float(row))
        let place = row * nodes + column
        let upper = (1 - across) * displacements[place] + across * displacements[place + 1]
        let lower = (1 - across) * displacements[place + nodes] + across * displacements[place + nodes + 1]
        return (1 - down) * upper + down * lower
    }
}
