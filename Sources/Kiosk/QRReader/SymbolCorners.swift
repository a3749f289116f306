// SPDX-License-Identifier: Apache-2.0

/// Three finder patterns that may belong to one symbol, named from its upper left corner.
struct SymbolCorners {
    enum Corner: CaseIterable { case upperLeft, upperRight, lowerLeft }

    /// Modules on a side that are taken for a symbol's: version 1 has 21, version 40 has 177.
    private static let dimensions: (above: Float, below: Float) = (18, 200)
    /// Modules from pattern to pattern: 14 in version 1.
    private static let leastDistance: Float = 8
    /// Tangent of the angle between a side of a pattern and the direction to the next pattern.
    private static let mostTilt: Float = 0.5
    /// The same for a pair, which no third pattern can contradict.
    private static let mostTiltOfPair: Float = 0.35
    /// Share by which width and height may differ.
    private static let mostDifference: Float = 0.25
    /// The greatest ratio of the patterns' sizes: the nearest one is larger.
    private static let mostSizes: Float = 3
    private static let mostSizesOfPair: Float = 2.5
    /// Added to the error for each module on a side. Of sets with a similar error, the smallest is one symbol.
    private static let priceOfSize: Float = 0.002

    private var upperLeft: FinderPattern
    private var upperRight: FinderPattern
    private var lowerLeft: FinderPattern
    /// Modules on a side, by the distances between the patterns in their own modules.
    let dimension: Float
    /// The pattern that was not found, but follows from the two others.
    let inferred: Corner?
    /// The deviation of the three from the patterns of a symbol; 0 is best.
    let error: Float

    var isInverted: Bool { self[.upperLeft].isInverted }

    subscript(corner: Corner) -> FinderPattern {
        get {
            switch corner {
            case .upperLeft: upperLeft
            case .upperRight: upperRight
            case .lowerLeft: lowerLeft
            }
        }
        set {
            switch corner {
            case .upperLeft: upperLeft = newValue
            case .upperRight: upperRight = newValue
            case .lowerLeft: lowerLeft = newValue
            }
        }
    }

    /// - Returns: nil when the three are not corners of a symbol. Mirror images are turned over.
    init?(_ corner: FinderPattern, _ one: FinderPattern, _ other: FinderPattern) {
        guard corner.isInverted == one.isInverted, corner.isInverted == other.isInverted else { return nil }
        let least = min(corner.module, one.module, other.module)
        let largest = max(corner.module, one.module, other.module)
        guard largest < SymbolCorners.mostSizes * least else { return nil }
        let isClockwise = Point.cross(one.centre - corner.centre, other.centre - corner.centre) > 0
        let (right, lower) = isClockwise ? (one, other) : (other, one)
        let (across, down) = (right.centre - corner.centre, lower.centre - corner.centre)
        (upperLeft, upperRight) = (corner.facing(across: across), right.facing(across: across))
        (lowerLeft, inferred) = (lower.facing(down: down), nil)
        let (start, end) = (upperLeft.modules(across), upperRight.modules(across))
        let (top, bottom) = (upperLeft.modules(down), lowerLeft.modules(down))
        guard let width = SymbolCorners.distance(start.x, end.x), let height = SymbolCorners.distance(top.y, bottom.y)
        else { return nil }
        let tilt = max(abs(start.y / start.x), abs(end.y / end.x), abs(top.x / top.y), abs(bottom.x / bottom.y))
        let difference = abs(width - height) / (width + height)
        dimension = (width + height) / 2 + FinderPattern.side
        guard tilt < SymbolCorners.mostTilt, difference < SymbolCorners.mostDifference,
            SymbolCorners.isPossible(dimension)
        else { return nil }
        // The weights are by trial.
        let disagreement = 3 - upperLeft.agreement - upperRight.agreement - lowerLeft.agreement
        error =
            tilt + 2 * difference + 0.15 * (largest / least - 1) + SymbolCorners.priceOfSize * dimension
            + 0.5 * disagreement
    }

    /// Makes a symbol from two found patterns.
    ///
    /// - Parameter missing: the third one.
    /// - Returns: nil when the two do not stand to each other as they would.
    init?(_ one: FinderPattern, _ other: FinderPattern, missing: Corner) {
        guard one.isInverted == other.isInverted, one.module < SymbolCorners.mostSizesOfPair * other.module,
            other.module < SymbolCorners.mostSizesOfPair * one.module,
            let pair = FinderPair(one, other, missing: missing)
        else { return nil }
        var third = pair.first
        third.centre = pair.third
        (upperLeft, upperRight, lowerLeft) =
            switch missing {
            case .upperLeft: (third, pair.first, pair.second)
            case .upperRight: (pair.first, third, pair.second)
            case .lowerLeft: (pair.first, pair.second, third)
            }
        dimension = pair.distance + FinderPattern.side
        inferred = missing
        error = pair.tilt + 1 - one.agreement + 1 - other.agreement + SymbolCorners.priceOfSize * dimension
        guard pair.tilt < SymbolCorners.mostTiltOfPair, SymbolCorners.isPossible(dimension) else { return nil }
    }

    /// The modules between two patterns, measured in the modules of each. Exact for any projection: the mean of both
    /// logarithms.
    fileprivate static func distance(_ one: Float, _ other: Float) -> Float? {
        one > leastDistance && other > leastDistance ? (one * other).squareRoot() : nil
    }

    private static func isPossible(_ dimension: Float) -> Bool {
        dimension > dimensions.above && dimension < dimensions.below
    }
}

/// Two finder patterns of one symbol, named as they stand in it.
private struct FinderPair {
    let first: FinderPattern
    let second: FinderPattern
    /// Modules from a pattern of the symbol to the next one.
    let distance: Float
    /// The deviation of the direction from one to the other from the expected one.
    let tilt: Float
    /// The middle of the third pattern.
    let third: Point

    init?(_ one: FinderPattern, _ other: FinderPattern, missing: SymbolCorners.Corner) {
        let vector = other.centre - one.centre
        // The diagonal from the upper right pattern to the lower left one goes back, and down as far.
        let side = missing == .upperLeft ? Point(vector.x + vector.y, vector.y - vector.x) : vector
        let isAcross = missing == .lowerLeft
        first = isAcross ? one.facing(across: side) : one.facing(down: side)
        second = isAcross ? other.facing(across: side) : other.facing(down: side)
        let (start, end) = (first.modules(vector), second.modules(vector))
        switch missing {
        case .lowerLeft:
            guard let width = SymbolCorners.distance(start.x, end.x) else { return nil }
            (distance, tilt) = (width, max(abs(start.y / start.x), abs(end.y / end.x)))
            third = first.pixel(Point(0, width))
        case .upperRight:
            guard let height = SymbolCorners.distance(start.y, end.y) else { return nil }
            (distance, tilt) = (height, max(abs(start.x / start.y), abs(end.x / end.y)))
            third = first.pixel(Point(height, 0))
        case .upperLeft:
            guard let width = SymbolCorners.distance(-start.x, -end.x),
                let height = SymbolCorners.distance(start.y, end.y)
            else { return nil }
            distance = (width + height) / 2
            tilt = max(abs(start.y / start.x + 1), abs(end.y / end.x + 1)) / 2
            third = 0.5 * (first.centre + second.centre - distance * first.across - distance * second.down)
        }
    }
}

extension SymbolCorners {
    /// Light ring less dark middle, at the pattern in the upper left corner; negative for light symbols on dark.
    func contrast(in picture: borrowing GreyPicture) -> Float {
        // Luma that is left at least: the timing patterns are divided by it.
        let least: Float = 4
        let pattern = self[inferred == .upperLeft ? .upperRight : .upperLeft]
        var (light, dark): (Float, Float) = (0, 0)
        for (x, y) in [(Float(1), Float(0)), (0, 1), (-1, 0), (0, -1)] {
            light += picture.value(ofFrame: pattern.pixel(Point(2 * x, 2 * y))) / 4
            dark += picture.value(ofFrame: pattern.pixel(Point(x, y))) / 4
        }
        return isInverted ? min(light - dark, -least) : max(light - dark, least)
    }
}
