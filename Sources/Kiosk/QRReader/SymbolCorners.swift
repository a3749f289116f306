// SPDX-License-Identifier: Apache-2.0

/// Three finder patterns that may belong to one symbol, named from its upper left corner.
struct SymbolCorners {
    var upperLeft: FinderPattern
    var upperRight: FinderPattern
    var lowerLeft: FinderPattern
    /// Modules on a side, by the distances between the patterns in their own modules.
    var dimension: Float
    /// How little the three look like those of a symbol; 0 is best.
    var error: Float

    /// - Returns: nil when the three are no corners of a symbol. Mirror images are turned over.
    init?(_ corner: FinderPattern, _ one: FinderPattern, _ other: FinderPattern) {
        guard corner.isInverted == one.isInverted, corner.isInverted == other.isInverted else { return nil }
        let sizes = (corner.module, one.module, other.module)
        let (least, largest) = (min(sizes.0, sizes.1, sizes.2), max(sizes.0, sizes.1, sizes.2))
        guard largest < 3 * least else { return nil }
        let isClockwise = Point.cross(one.centre - corner.centre, other.centre - corner.centre) > 0
        let (right, lower) = isClockwise ? (one, other) : (other, one)
        let (across, down) = (right.centre - corner.centre, lower.centre - corner.centre)
        upperLeft = corner.facing(across: across)
        upperRight = right.facing(across: across)
        lowerLeft = lower.facing(down: down)
        let first = (upperLeft.modules(across), upperRight.modules(across))
        let second = (upperLeft.modules(down), lowerLeft.modules(down))
        guard first.0.x > 8, first.1.x > 8, second.0.y > 8, second.1.y > 8 else { return nil }
        // Exact for any projection: the distance is the mean of both scales' logarithms.
        let (width, height) = ((first.0.x * first.1.x).squareRoot(), (second.0.y * second.1.y).squareRoot())
        let tilt = max(
            abs(first.0.y / first.0.x), abs(first.1.y / first.1.x), abs(second.0.x / second.0.y),
            abs(second.1.x / second.1.y))
        let difference = abs(width - height) / (width + height)
        dimension = (width + height) / 2 + 7
        guard tilt < 0.5, difference < 0.25, dimension > 18, dimension < 200 else { return nil }
        error = tilt + 2 * difference + 0.15 * (largest / least - 1) + 0.002 * dimension
        error += 0.5 * (3 - upperLeft.agreement - upperRight.agreement - lowerLeft.agreement)
    }
}

extension FinderPattern {
    /// The same pattern, named so that ``across`` goes along `direction`.
    func facing(across direction: Point) -> FinderPattern {
        let place = modules(direction)
        if abs(place.x) >= abs(place.y) { return place.x > 0 ? self : turned(2) }
        return place.y > 0 ? turned(1) : turned(3)
    }

    /// The same pattern, named so that ``down`` goes along `direction`.
    func facing(down direction: Point) -> FinderPattern { facing(across: direction).turned(3) }
}
