// SPDX-License-Identifier: Apache-2.0

/// Finds where the modules of a symbol lie: by the corners of its finder patterns, by its timing patterns, and by its
/// alignment patterns where it has any.
struct SymbolLocation: ~Copyable {
    /// A version, and how well the timing patterns agree with it.
    struct Estimate {
        var symbol: SymbolProjection
        var bends: EdgeBends
        /// Agreement of the timing patterns, less the cost of differing from the measured dimension.
        var merit: Float
    }

    /// The cost of each search, in sampled modules that take as long.
    private enum Work {
        static let alignmentPattern = 300
        static let lastAlignmentPattern = 1000
        static let finderPattern = 1500
        /// For each module on a side.
        static let timingPatterns = 15
    }

    /// Subtracted from the agreement for each module of difference from the measured dimension.
    private static let priceOfModule: Float = 0.02
    private static let leastMerit: Float = 0.05
    /// The weight of an inferred pattern, which may be a few modules off.
    private static let weightOfInferred = 0.1
    /// The weight of the last alignment pattern, which alone represents the fourth corner against twelve points of the
    /// other three.
    private static let weightOfLast = 6.0
    private static let leastCorrelation: Float = 0.6
    /// A damaged finder pattern correlates less than a whole one.
    private static let leastCorrelationOfInferred: Float = 0.35
    /// Modules around the expected place in which a pattern is looked for, and one more for each ``modulesOfReach`` of
    /// the symbol: a tilt shifts the far side of a large symbol by more.
    private static let reachOfInferred = 4
    private static let reachOfLast = 3
    private static let modulesOfReach = 16
    /// The same beside alignment patterns that are known, for any symbol.
    private static let reachOfAlignment = 2

    private var fit = HomographyFit()
    private var timing = TimingPatterns()
    private var search = PatternSearch()
    private var straightening = GridStraightening()
    private(set) var grid = SamplingGrid()
    private var anchors = GridAnchors()
    private(set) var work = 0

    mutating func begin() { work = 0 }

    /// The version near the measured dimension with whose timing patterns the picture agrees best.
    ///
    /// - Parameter tried: a version that was tried in vain.
    mutating func estimate(
        _ corners: SymbolCorners, except tried: SymbolVersion?, _ picture: borrowing GreyPicture
    ) -> Estimate? {
        let middle = SymbolVersion(nearest: corners.dimension).number
        // Versions to each side: one in twelve.
        let reach = 1 + middle / 12
        var best: Estimate?
        for number in middle - reach...middle + reach
        where SymbolVersion.numbers.contains(number) && number != tried?.number {
            guard let symbol = projection(of: SymbolVersion(number: number), corners) else { continue }
            let bends = bends(of: symbol, corners, picture)
            let distance = abs(Float(symbol.version.dimension) - corners.dimension)
            let merit = bends.agreement - SymbolLocation.priceOfModule * distance
            if merit > best?.merit ?? -.infinity { best = Estimate(symbol: symbol, bends: bends, merit: merit) }
        }
        guard let best, best.merit > SymbolLocation.leastMerit else { return nil }
        return best
    }

    /// Fits ``grid`` to a symbol.
    mutating func locate(_ corners: SymbolCorners, _ estimate: Estimate, _ picture: borrowing GreyPicture) -> Bool {
        var corners = corners
        let version = estimate.symbol.version
        grid.begin(estimate.symbol)
        if let inferred = corners.inferred {
            findInferred(inferred, &corners, picture)
            guard let symbol = projection(of: version, corners) else { return false }
            grid.begin(symbol)
        }
        bend(by: estimate.bends)
        let patterns = version.alignmentPatterns.map { Point(Float($0.column) + 0.5, Float($0.row) + 0.5) }
        if let last = patterns.last { fitToAlignmentPattern(at: last, corners, picture) }
        if patterns.count > 1 { fitToAlignmentPatterns(patterns, picture, isInverted: corners.isInverted) }
        return true
    }

    /// Moves the modules by where light and dark meet between them.
    mutating func straighten(
        _ picture: borrowing GreyPicture, _ samples: borrowing ModuleSampling, _ modules: borrowing ModuleGrid,
        contrast: Float
    ) {
        straightening.straighten(&grid, picture: picture, samples: samples, modules: modules, contrast: contrast)
    }

    /// The projection that the twelve corners of the finder patterns give.
    private mutating func projection(of version: SymbolVersion, _ corners: SymbolCorners) -> SymbolProjection? {
        collect(corners, version)
        return fit.fit(version)
    }

    private mutating func collect(_ corners: SymbolCorners, _ version: SymbolVersion) {
        fit.begin()
        for corner in SymbolCorners.Corner.allCases {
            let middle = version.finderCentre(corner)
            let weight = corner == corners.inferred ? SymbolLocation.weightOfInferred : 1
            for (x, y) in [(Float(-1), Float(-1)), (1, -1), (1, 1), (-1, 1)] {
                let place = Point(x * FinderPattern.reach, y * FinderPattern.reach)
                fit.add(middle + place, corners[corner].pixel(place), weight: weight)
            }
        }
    }

    private mutating func bends(
        of symbol: SymbolProjection, _ corners: SymbolCorners, _ picture: borrowing GreyPicture
    ) -> EdgeBends {
        work += symbol.version.dimension * Work.timingPatterns
        return timing.bends(of: symbol, picture, contrast: corners.contrast(in: picture))
    }

    private mutating func bend(by bends: EdgeBends) {
        let dimension = grid.dimension
        grid.displace { bends.displacement(at: $0, dimension: dimension) }
    }

    /// Looks for the pattern that was not found where the others let it be expected.
    private mutating func findInferred(
        _ corner: SymbolCorners.Corner, _ corners: inout SymbolCorners, _ picture: borrowing GreyPicture
    ) {
        let expected = grid.symbol.version.finderCentre(corner)
        let found = search.find(
            .finder(isInverted: corners.isInverted), at: expected,
            reach: SymbolLocation.reachOfInferred + grid.dimension / SymbolLocation.modulesOfReach, grid, picture)
        work += Work.finderPattern
        guard found.correlation > SymbolLocation.leastCorrelationOfInferred else { return }
        corners[corner].centre = grid.point(expected + found.shift)
    }

    /// Fits the grid to the last alignment pattern, in the corner that has no finder pattern.
    private mutating func fitToAlignmentPattern(
        at expected: Point, _ corners: SymbolCorners, _ picture: borrowing GreyPicture
    ) {
        let version = grid.symbol.version
        let found = search.find(
            .alignment(isInverted: corners.isInverted), at: expected,
            reach: SymbolLocation.reachOfLast + grid.dimension / SymbolLocation.modulesOfReach, grid, picture)
        work += Work.lastAlignmentPattern
        guard found.correlation > SymbolLocation.leastCorrelation else { return }
        collect(corners, version)
        fit.add(expected, grid.point(expected + found.shift), weight: SymbolLocation.weightOfLast)
        guard let symbol = fit.fit(version) else { return }
        grid.begin(symbol)
        bend(by: bends(of: symbol, corners, picture))
    }

    /// Finds the alignment patterns one after the other, each where those that are known let it be expected, and fits
    /// the grid to them.
    private mutating func fitToAlignmentPatterns(
        _ patterns: [Point], _ picture: borrowing GreyPicture, isInverted: Bool
    ) {
        let version = grid.symbol.version
        anchors.begin()
        for corner in SymbolCorners.Corner.allCases { anchors.add(version.finderCentre(corner), shift: Point(0, 0)) }
        for middle in patterns {
            let expected = anchors.shift(at: middle)
            let found = search.find(
                .alignment(isInverted: isInverted), at: middle + expected, reach: SymbolLocation.reachOfAlignment, grid,
                picture)
            work += Work.alignmentPattern
            guard found.correlation > SymbolLocation.leastCorrelation else { continue }
            anchors.add(middle, shift: expected + found.shift)
        }
        let anchors = anchors
        grid.displace { anchors.shift(at: $0) }
    }
}

/// Places of a symbol whose shift from the grid is known.
private struct GridAnchors {
    /// Modules around an anchor within which it weighs about the same.
    private static let reach: Float = 3

    private var all: [(place: Point, shift: Point)] = []

    mutating func begin() { all.removeAll(keepingCapacity: true) }

    mutating func add(_ place: Point, shift: Point) { all.append((place, shift)) }

    /// The mean shift of the anchors, by the fourth power of their nearness.
    func shift(at place: Point) -> Point {
        var sum = Point(0, 0)
        var weight: Float = 0
        for anchor in all {
            let distance = place - anchor.place
            let square = Point.dot(distance, distance) + GridAnchors.reach * GridAnchors.reach
            sum = sum + 1 / (square * square) * anchor.shift
            weight += 1 / (square * square)
        }
        return weight > 0 ? 1 / weight * sum : sum
    }
}
