// SPDX-License-Identifier: Apache-2.0

/// Three finder patterns that may belong to one symbol, named from its upper left corner.
struct SymbolCorners {
    var upperLeft: FinderPattern
    var upperRight: FinderPattern
    var lowerLeft: FinderPattern
    /// Modules on a side, by the distances between the patterns in their own modules.
    var dimension: Float
    /// The pattern that was not found, but follows from the two others.
    var inferred = Inferred.none
    enum Inferred { case none, upperLeft, upperRight, lowerLeft }
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

extension SymbolCorners {
    /// A symbol of which two patterns were found.
    ///
    /// - Parameter missing: the third one.
    /// - Returns: nil when the two do not stand to each other as they would.
    init?(_ one: FinderPattern, _ other: FinderPattern, missing: Inferred) {
        guard one.isInverted == other.isInverted, one.module < 2.5 * other.module, other.module < 2.5 * one.module
        else { return nil }
        let vector = other.centre - one.centre
        let (first, second): (FinderPattern, FinderPattern)
        let tilt: Float
        switch missing {
        case .lowerLeft: (first, second) = (one.facing(across: vector), other.facing(across: vector))
        case .upperRight: (first, second) = (one.facing(down: vector), other.facing(down: vector))
        default:
            // From the upper right to the lower left one: back, and down as far.
            let turned = Point(vector.x + vector.y, vector.y - vector.x)
            (first, second) = (one.facing(down: turned), other.facing(down: turned))
        }
        let (start, end) = (first.modules(vector), second.modules(vector))
        switch missing {
        case .lowerLeft:
            guard start.x > 8, end.x > 8 else { return nil }
            dimension = (start.x * end.x).squareRoot() + 7
            tilt = max(abs(start.y / start.x), abs(end.y / end.x))
            (upperLeft, upperRight, lowerLeft) = (first, second, first)
            lowerLeft.centre = first.centre + (dimension - 7) * first.down
        case .upperRight:
            guard start.y > 8, end.y > 8 else { return nil }
            dimension = (start.y * end.y).squareRoot() + 7
            tilt = max(abs(start.x / start.y), abs(end.x / end.y))
            (upperLeft, upperRight, lowerLeft) = (first, first, second)
            upperRight.centre = first.centre + (dimension - 7) * first.across
        default:
            guard start.x < -8, end.x < -8, start.y > 8, end.y > 8 else { return nil }
            dimension = ((start.x * end.x).squareRoot() + (start.y * end.y).squareRoot()) / 2 + 7
            tilt = max(abs(start.y / start.x + 1), abs(end.y / end.x + 1)) / 2
            (upperLeft, upperRight, lowerLeft) = (first, first, second)
            upperLeft.centre =
                0.5 * (first.centre + second.centre - (dimension - 7) * first.across - (dimension - 7) * second.down)
        }
        inferred = missing
        error = tilt + 1 - one.agreement + 1 - other.agreement + 0.002 * dimension
        guard tilt < 0.35, dimension > 18, dimension < 200 else { return nil }
    }
}
