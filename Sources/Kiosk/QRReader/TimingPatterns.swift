// SPDX-License-Identifier: Apache-2.0

/// The bends of a symbol's upper and of its left edge, as a bottle has them.
struct EdgeBends {
    /// The distance of an edge's middle from the straight line, in modules along the edge and across it.
    struct Bend {
        var along: Float = 0
        var across: Float = 0
        /// The agreement of the timing pattern beside the edge, up to 1.
        var agreement: Float = -.infinity
    }

    var upper = Bend()
    var left = Bend()

    var agreement: Float { (upper.agreement + left.agreement) / 2 }

    /// The displacement of a place of a symbol.
    func displacement(at place: Point, dimension: Int) -> Point {
        let (across, down) = (EdgeBends.sag(place.x, dimension), EdgeBends.sag(place.y, dimension))
        return Point(across * upper.along + down * left.across, across * upper.across + down * left.along)
    }

    /// The share of a bend at a place along an edge: all of it in the middle, nothing in the finder patterns, whose
    /// places are known.
    static func sag(_ place: Float, _ dimension: Int) -> Float {
        // The middle of the two last modules of a finder pattern.
        let inset: Float = 5
        let share = min(max((place - inset) / (Float(dimension) - 2 * inset), 0), 1)
        return 4 * share * (1 - share)
    }
}

/// Follows the two timing patterns of a symbol: modules in turn dark and light between the finder patterns (ISO/IEC
/// 18004, 6.3.5). They give the number of modules and the bends of the edges beside them.
struct TimingPatterns: ~Copyable {
    enum Edge { case upper, left }

    /// Modules from one bend that is tried to the next.
    private static let step: Float = 0.5
    /// Steps along an edge: up to one module, because the pattern repeats itself after two.
    private static let stepsAlong = 2
    /// Subtracted from the agreement for each module of bend, so that a straight symbol stays straight.
    private static let price: Float = 0.03
    /// The middle of the timing pattern, from the edge: it is in the seventh row, or column.
    private static let line: Float = 6.5
    /// Modules of a finder pattern on a side: the timing patterns lie between them.
    private static let finderSide = Int(FinderPattern.side)

    private var values = [Float](repeating: 0, count: SymbolVersion.mostModules)

    /// - Parameter contrast: between light and dark modules; negative for light symbols on dark.
    mutating func bends(
        of symbol: SymbolProjection, _ picture: borrowing GreyPicture, contrast: Float
    ) -> EdgeBends {
        EdgeBends(
            upper: bend(of: .upper, in: symbol, picture, contrast: contrast),
            left: bend(of: .left, in: symbol, picture, contrast: contrast))
    }

    /// The bend with which the timing pattern beside an edge agrees best.
    private mutating func bend(
        of edge: Edge, in symbol: SymbolProjection, _ picture: borrowing GreyPicture, contrast: Float
    ) -> EdgeBends.Bend {
        let dimension = symbol.version.dimension
        var best = EdgeBends.Bend()
        var merit = -Float.infinity
        let stepsAcross = symbol.version.number <= 3 ? 4 : 6
        for across in -stepsAcross...stepsAcross {
            for along in -TimingPatterns.stepsAlong...TimingPatterns.stepsAlong {
                var bend = EdgeBends.Bend(
                    along: Float(along) * TimingPatterns.step, across: Float(across) * TimingPatterns.step)
                sample(edge, bentBy: bend, of: symbol, in: picture)
                bend.agreement = agreement(dimension: dimension, contrast: contrast)
                let value = bend.agreement - TimingPatterns.price * (abs(bend.along) + abs(bend.across))
                if value > merit { (best, merit) = (bend, value) }
            }
        }
        return best
    }

    /// Takes the luma of each module of a timing pattern, and of its neighbours in the finder patterns.
    private mutating func sample(
        _ edge: Edge, bentBy bend: EdgeBends.Bend, of symbol: SymbolProjection, in picture: borrowing GreyPicture
    ) {
        let dimension = symbol.version.dimension
        for index in TimingPatterns.finderSide - 1...dimension - TimingPatterns.finderSide {
            let place = Float(index) + 0.5
            let sag = EdgeBends.sag(place, dimension)
            let (along, across) = (place + sag * bend.along, TimingPatterns.line + sag * bend.across)
            let pixel =
                switch edge {
                case .upper: symbol.homography.point(along, across)
                case .left: symbol.homography.point(across, along)
                }
            values[index] = picture.value(ofFrame: pixel)
        }
    }

    /// The mean difference of each module from its neighbours, as a share of the contrast.
    private func agreement(dimension: Int, contrast: Float) -> Float {
        var sum: Float = 0
        let modules = TimingPatterns.finderSide..<dimension - TimingPatterns.finderSide
        for index in modules {
            let difference = (values[index - 1] + values[index + 1] - 2 * values[index]) / (2 * contrast)
            sum += min(max(index % 2 == 0 ? difference : -difference, -1), 1)
        }
        return sum / Float(modules.count)
    }
}
