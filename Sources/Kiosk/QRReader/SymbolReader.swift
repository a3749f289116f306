// SPDX-License-Identifier: Apache-2.0

/// Reads one symbol from its corners: fits a grid to it, judges its modules, decodes them.
struct SymbolReader: ~Copyable {
    private var fit = HomographyFit()
    private var timing = TimingPatterns()
    private var alignment = AlignmentPatterns()
    private var sampling = ModuleSampling()
    private var grid: SamplingGrid
    private var modules = ModuleGrid()
    var decoder = GridDecoder()
    /// The likeliest symbol of a frame that could not be read, for ``FrameSum``.
    private var unread = ModuleGrid()
    private var unreadOutline = [Point](repeating: Point(0, 0), count: 4)
    private var unreadAgreement: Float = 0
    private var sum = FrameSum()
    /// Known places: what a projection misses them by.
    private var anchors = [(place: Point, shift: Point)](repeating: (Point(0, 0), Point(0, 0)), count: 64)
    private var anchorCount = 0
    /// Agreement of fixed patterns from which on a symbol is followed.
    private static let leastAgreement: Float = 0.4
    /// Modules that were sampled: the work that was done.
    private(set) var work = 0

    /// Whether the symbol that was read is a mirror image.
    private(set) var isMirrored = false
    /// The corners of the symbol that was read, clockwise from its upper left one.
    private(set) var outline = [Point](repeating: Point(0, 0), count: 4)

    init() {
        for (u, v) in [(Float(0), Float(0)), (1, 0), (1, 1), (0, 1)] { fit.add(Point(u, v), Point(u, v)) }
        // A projection that changes nothing: there is one before the first symbol.
        guard let identity = fit.fit(dimension: 2) else { preconditionFailure("four corners fit") }
        grid = SamplingGrid(identity)
    }

    mutating func begin() { (work, unreadAgreement) = (0, 0) }

    /// Whether a symbol is followed from frame to frame that no frame alone shows well enough.
    var isFollowing: Bool { sum.isPromising }

    /// Whether the frame showed a symbol that is followed or can be.
    var hasUnread: Bool { unreadAgreement > 0 }

    /// Adds the frame's unread symbol to those of the frames before.
    /// - Returns: whether ``decoder`` holds a text now.
    mutating func readSum() -> Bool {
        guard unreadAgreement > 0, sum.frames == 0 || sum.follows(unreadOutline, unread.version) else {
            sum.miss()
            return false
        }
        sum.add(unread, unreadOutline)
        guard sum.frames > 1 else { return false }
        guard decoder.decodeEitherWay(&sum.modules, isMirrored: &isMirrored) else {
            sum.modules.transpose()
            return false
        }
        for index in 0..<4 { outline[index] = unreadOutline[index] }
        sum.wipe()
        return true
    }

    /// Forgets the symbol that is followed.
    mutating func stopFollowing() { sum.wipe() }

    /// - Returns: whether ``decoder`` holds a text now.
    mutating func read(_ corners: SymbolCorners, _ pyramid: borrowing Pyramid) -> Bool {
        // The number of modules may be wrong by a version or two: those that the timing patterns like are tried.
        let middle = min(max(Int(((corners.dimension - 17) / 4).rounded()), 1), 40)
        let reach = 1 + middle / 12
        var tried: (Int, Int) = (0, 0)
        for _ in 0..<2 {
            var best:
                (
                    version: Int, agreement: Float, homography: Homography, first: TimingPatterns.Bend,
                    second: TimingPatterns.Bend
                )?
            for number in max(middle - reach, 1)...min(middle + reach, 40) where number != tried.0 && number != tried.1
            {
                let dimension = 17 + 4 * number
                collect(corners, dimension: dimension)
                guard let homography = fit.fit(dimension: dimension) else { continue }
                let level = pyramid.level(module: corners.upperLeft.module)
                let (first, second, agreement) = timingAgreement(corners, pyramid, level, homography, dimension)
                let merit = agreement - 0.02 * abs(Float(dimension) - corners.dimension)
                if merit > best?.agreement ?? -.infinity { best = (number, merit, homography, first, second) }
            }
            guard let best, best.agreement > 0.05 else { return false }
            if read(corners, pyramid, SymbolVersion(number: best.version), best.homography, best.first, best.second) {
                return true
            }
            tried = (best.version, tried.0)
        }
        return false
    }

    /// The twelve corners of the finder patterns.
    private mutating func collect(_ corners: SymbolCorners, dimension: Int) {
        fit.begin()
        let far = Float(dimension) - 3.5
        collect(corners.upperLeft, Point(3.5, 3.5), isInferred: corners.inferred == .upperLeft)
        collect(corners.upperRight, Point(far, 3.5), isInferred: corners.inferred == .upperRight)
        collect(corners.lowerLeft, Point(3.5, far), isInferred: corners.inferred == .lowerLeft)
    }

    private mutating func collect(_ pattern: FinderPattern, _ place: Point, isInferred: Bool) {
        for (x, y) in [(Float(-3.5), Float(-3.5)), (3.5, -3.5), (3.5, 3.5), (-3.5, 3.5)] {
            fit.add(
                place + Point(x, y), pattern.centre + x * pattern.across + y * pattern.down,
                weight: isInferred ? 0.1 : 1)
        }
    }

    private mutating func timingAgreement(
        _ corners: SymbolCorners, _ pyramid: borrowing Pyramid, _ level: Int, _ homography: Homography, _ dimension: Int
    ) -> (TimingPatterns.Bend, TimingPatterns.Bend, Float) {
        let contrast = contrast(
            of: corners.inferred == .upperLeft ? corners.upperRight : corners.upperLeft, pyramid, level)
        let scale = pyramid.scale(level)
        let first = timing.bend(
            pyramid[level], homography, dimension: dimension, scale: scale, contrast: contrast, isDown: false)
        let second = timing.bend(
            pyramid[level], homography, dimension: dimension, scale: scale, contrast: contrast, isDown: true)
        work += dimension * 15
        return (first, second, (first.agreement + second.agreement) / 2)
    }

    /// Looks for the pattern that was not found where the others let it be expected.
    private mutating func infer(_ corners: inout SymbolCorners, _ pyramid: borrowing Pyramid, _ level: Int) {
        let far = Float(grid.dimension) - 3.5
        let place =
            switch corners.inferred {
            case .upperRight: Point(far, 3.5)
            case .lowerLeft: Point(3.5, far)
            default: Point(3.5, 3.5)
            }
        let found = alignment.find(
            place, reach: 4 + grid.dimension / 16, pyramid[level], grid, scale: pyramid.scale(level),
            isInverted: corners.upperLeft.isInverted, isFinder: true)
        work += 1500
        guard found.agreement > 0.35 else { return }
        let shifted = place + found.shift
        let centre = grid.point(shifted.x, shifted.y)
        switch corners.inferred {
        case .upperRight: corners.upperRight.centre = centre
        case .lowerLeft: corners.lowerLeft.centre = centre
        default: corners.upperLeft.centre = centre
        }
    }

    /// Light ring less dark middle.
    private func contrast(of pattern: FinderPattern, _ pyramid: borrowing Pyramid, _ level: Int) -> Float {
        var (light, dark): (Float, Float) = (0, 0)
        let scale = 1 / pyramid.scale(level)
        for (x, y) in [(Float(1), Float(0)), (0, 1), (-1, 0), (0, -1)] {
            light += pyramid[level].value(scale * (pattern.centre + 2 * x * pattern.across + 2 * y * pattern.down)) / 4
            dark += pyramid[level].value(scale * (pattern.centre + x * pattern.across + y * pattern.down)) / 4
        }
        let contrast = light - dark
        return pattern.isInverted ? min(contrast, -4) : max(contrast, 4)
    }

    private mutating func read(
        _ corners: SymbolCorners, _ pyramid: borrowing Pyramid, _ version: SymbolVersion, _ homography: Homography,
        _ first: TimingPatterns.Bend, _ second: TimingPatterns.Bend
    ) -> Bool {
        var corners = corners
        var homography = homography
        let isInverted = corners.upperLeft.isInverted
        let level = pyramid.level(module: corners.upperLeft.module)
        let dimension = version.dimension
        grid.begin(homography, dimension: dimension)
        if corners.inferred != .none {
            infer(&corners, pyramid, level)
            collect(corners, dimension: dimension)
            guard let better = fit.fit(dimension: dimension) else { return false }
            homography = better
            grid.begin(homography, dimension: dimension)
        }
        bend(first, second)
        anchorCount = 0
        if version.number > 1 {
            let expected = Point(Float(dimension) - 6.5, Float(dimension) - 6.5)
            let found = alignment.find(
                expected, reach: 3 + dimension / 16, pyramid[level], grid, scale: pyramid.scale(level),
                isInverted: isInverted)
            work += 1000
            if found.agreement > 0.6 {
                let place = expected + found.shift
                collect(corners, dimension: dimension)
                fit.add(expected, grid.point(place.x, place.y), weight: 6)
                if let better = fit.fit(dimension: dimension) {
                    grid.begin(better, dimension: dimension)
                    let (first, second, _) = timingAgreement(corners, pyramid, level, better, dimension)
                    bend(first, second)
                }
            }
        }
        if version.number >= 7 { align(version, pyramid, level, isInverted: isInverted) }
        return sampleAndDecode(version, pyramid, level, isInverted: isInverted)
    }

    private mutating func bend(_ first: TimingPatterns.Bend, _ second: TimingPatterns.Bend) {
        for row in 0..<grid.nodes {
            for column in 0..<grid.nodes {
                let place = grid.place(row: row, column: column)
                let across = TimingPatterns.sag(place.x, grid.dimension)
                let down = TimingPatterns.sag(place.y, grid.dimension)
                grid.displacements[row * grid.nodes + column] = Point(
                    across * first.along + down * second.across, across * first.across + down * second.along)
            }
        }
    }

    /// Finds the alignment patterns one after the other, each where those that are known let it be expected.
    private mutating func align(
        _ version: SymbolVersion, _ pyramid: borrowing Pyramid, _ level: Int, isInverted: Bool
    ) {
        let far = Float(version.dimension) - 3.5
        for place in [Point(3.5, 3.5), Point(far, 3.5), Point(3.5, far)] { anchor(place, Point(0, 0)) }
        let centres = version.alignmentCentres
        let last = centres.count - 1
        for row in 0...last {
            for column in 0...last
            where (row, column) != (0, 0) && (row, column) != (0, last) && (row, column) != (last, 0) {
                let place = Point(Float(centres[column]) + 0.5, Float(centres[row]) + 0.5)
                let expected = shift(at: place)
                let found = alignment.find(
                    place + expected, reach: 2, pyramid[level], grid, scale: pyramid.scale(level),
                    isInverted: isInverted)
                work += 300
                if found.agreement > 0.6 { anchor(place, expected + found.shift) }
            }
        }
        for row in 0..<grid.nodes {
            for column in 0..<grid.nodes {
                let shift = shift(at: grid.place(row: row, column: column))
                let index = row * grid.nodes + column
                grid.displacements[index] = grid.displacements[index] + shift
            }
        }
    }

    private mutating func anchor(_ place: Point, _ shift: Point) {
        guard anchorCount < anchors.count else { return }
        anchors[anchorCount] = (place, shift)
        anchorCount += 1
    }

    /// Of the known places those near by say most.
    private func shift(at place: Point) -> Point {
        var sum = Point(0, 0)
        var weight: Float = 0
        for index in 0..<anchorCount {
            let distance = place - anchors[index].place
            let square = Point.dot(distance, distance) + 9
            sum = sum + 1 / (square * square) * anchors[index].shift
            weight += 1 / (square * square)
        }
        return weight > 0 ? 1 / weight * sum : sum
    }

    private mutating func sampleAndDecode(
        _ version: SymbolVersion, _ pyramid: borrowing Pyramid, _ level: Int, isInverted: Bool
    ) -> Bool {
        modules.become(version)
        decoder.become(version)
        let scale = pyramid.scale(level)
        for round in 0..<4 {
            sampling.sample(pyramid[level], grid, scale: scale)
            work += version.dimension * version.dimension
            if round == 1 { continue }
            let count = round == 3 ? ModuleSampling.Judgement.all.count : 1
            for (index, judgement) in ModuleSampling.Judgement.all.prefix(count).enumerated() {
                sampling.judge(judgement, isInverted: isInverted, into: &modules)
                if index == 0, modules.agreement(with: decoder.patterns) < 0.15 { return false }
                work += version.dimension * version.dimension + (round == 3 ? 1500 : 0)
                if decodeEitherWay(isLast: round == 3) { return true }
            }
            guard round < 3 else { continue }
            sampling.judge(ModuleSampling.Judgement.all[0], isInverted: isInverted, into: &modules)
            sampling.straighten(&grid, pyramid[level], modules)
        }
        keepUnread(isInverted: isInverted)
        return false
    }

    /// A symbol that is followed comes before others.
    private mutating func keepUnread(isInverted: Bool) {
        sampling.judge(ModuleSampling.Judgement.all[0], isInverted: isInverted, into: &modules)
        takeOutline()
        let agreement = modules.agreement(with: decoder.patterns) + (sum.follows(outline, modules.version) ? 1 : 0)
        guard agreement > max(unreadAgreement, SymbolReader.leastAgreement) else { return }
        unreadAgreement = agreement
        unread.copy(modules)
        for index in 0..<4 { unreadOutline[index] = outline[index] }
    }

    private mutating func decodeEitherWay(isLast: Bool) -> Bool {
        guard decoder.decodeEitherWay(&modules, isPersistent: isLast, isMirrored: &isMirrored) else { return false }
        takeOutline()
        return true
    }

    private mutating func takeOutline() {
        let side = Float(grid.dimension)
        outline[0] = grid.point(0, 0)
        outline[1] = grid.point(side, 0)
        outline[2] = grid.point(side, side)
        outline[3] = grid.point(0, side)
    }
}
