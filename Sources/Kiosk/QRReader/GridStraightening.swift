// SPDX-License-Identifier: Apache-2.0

/// Moves the nodes of a grid so that edges between modules lie where light and dark meet.
struct GridStraightening: ~Copyable {
    /// Sums over the edges around a node. Edges between columns move it across, edges between rows down.
    private struct Pull {
        var shift = Point(0, 0)
        var weight = Point(0, 0)
    }

    /// The place between two modules at which light and dark meet, in modules from the middle, and the difference of
    /// their luma.
    private struct Edge {
        var shift: Float
        var weight: Float
    }

    private static let most = SamplingGrid.mostNodes * SamplingGrid.mostNodes
    /// Weight of a node's neighbours in its own shift: they hold each other.
    private static let neighbourShare: Float = 0.4
    /// The number of edges of mean contrast that move a node by half of their shift. Fewer edges hardly move it.
    private static let inertia: Float = 3
    /// Parts of the way between the middles in which the edge is looked for.
    private static let parts = 6

    private var pulls = [Pull](repeating: Pull(), count: most)

    /// - Parameters:
    ///   - modules: as they are classified at present.
    ///   - contrast: of the modules.
    mutating func straighten(
        _ grid: inout SamplingGrid, picture: borrowing GreyPicture, samples: borrowing ModuleSampling,
        modules: borrowing ModuleGrid, contrast: Float
    ) {
        let side = grid.dimension
        for index in 0..<grid.nodes * grid.nodes { pulls[index] = Pull() }
        for row in 0..<side {
            for column in 0..<side {
                let index = row * side + column
                let (u, v) = (Float(column), Float(row))
                if column + 1 < side, modules[index] * modules[index + 1] < 0,
                    let edge = edge(picture, samples, between: index, and: index + 1)
                {
                    pull(grid, at: Point(u + 1, v + 0.5), edge, along: Point(1, 0))
                }
                if row + 1 < side, modules[index] * modules[index + side] < 0,
                    let edge = edge(picture, samples, between: index, and: index + side)
                {
                    pull(grid, at: Point(u + 0.5, v + 1), edge, along: Point(0, 1))
                }
            }
        }
        for row in 0..<grid.nodes {
            for column in 0..<grid.nodes {
                let shift = shift(row, column, nodes: grid.nodes, rest: GridStraightening.inertia * contrast)
                grid.displace(row: row, column: column, by: shift)
            }
        }
    }

    /// - Returns: nil when the modules hardly differ.
    private func edge(
        _ picture: borrowing GreyPicture, _ samples: borrowing ModuleSampling, between one: Int, and other: Int
    ) -> Edge? {
        let (start, end) = (samples.pixels[one], samples.pixels[other])
        let (first, last) = (samples.values[one], samples.values[other])
        let limit = (first + last) / 2
        guard abs(last - first) > 1 else { return nil }
        let parts = GridStraightening.parts
        var before = first
        for part in 1...parts {
            let share = Float(part) / Float(parts)
            let value = part == parts ? last : picture.value(start + share * (end - start))
            if (value - limit) * (before - limit) <= 0, value != before {
                let place = share - (value - limit) / (value - before) / Float(parts)
                return Edge(shift: place - 0.5, weight: abs(last - first))
            }
            before = value
        }
        return nil
    }

    /// Shares an edge between the four nodes around it.
    @inline(__always)
    private mutating func pull(
        _ grid: borrowing SamplingGrid, at place: Point, _ edge: Edge, along direction: Point
    ) {
        let cell = grid.cell(place.x, place.y)
        func add(_ node: Int, _ share: Float) {
            let weight = share * edge.weight
            pulls[node].shift = pulls[node].shift + (weight * edge.shift) * direction
            pulls[node].weight = pulls[node].weight + weight * direction
        }
        add(cell.node, (1 - cell.across) * (1 - cell.down))
        add(cell.node + 1, cell.across * (1 - cell.down))
        add(cell.node + grid.nodes, (1 - cell.across) * cell.down)
        add(cell.node + grid.nodes + 1, cell.across * cell.down)
    }

    /// The mean of the shifts of the edges around a node and around its neighbours.
    ///
    /// - Parameter rest: the weight of no shift.
    private func shift(_ row: Int, _ column: Int, nodes: Int, rest: Float) -> Point {
        var (shift, weight) = (Point(0, 0), Point(rest, rest))
        for y in max(row - 1, 0)...min(row + 1, nodes - 1) {
            for x in max(column - 1, 0)...min(column + 1, nodes - 1) {
                let share: Float = y == row && x == column ? 1 : GridStraightening.neighbourShare
                shift = shift + share * pulls[y * nodes + x].shift
                weight = weight + share * pulls[y * nodes + x].weight
            }
        }
        return Point(shift.x / weight.x, shift.y / weight.y)
    }
}
