// SPDX-License-Identifier: Apache-2.0

/// Reads one symbol from its corners: fits a grid to it, classifies its modules, decodes them.
struct SymbolReader: ~Copyable {
    /// Agreement of the fixed patterns below which the modules are not those of a symbol.
    private static let leastAgreement: Float = 0.15
    /// The agreement from which on a symbol is followed.
    private static let leastAgreementToFollow: Float = 0.4
    /// Versions that are tried with one set of corners.
    private static let versions = 2
    /// Rounds of sampling, with the grid straightened between them.
    private static let rounds = 3
    /// Work of trying doubtful modules both ways.
    private static let workOfPersistence = 1500

    private var location = SymbolLocation()
    private var sampling = ModuleSampling()
    private var thresholds = ModuleThresholds()
    private var modules = ModuleGrid()
    private(set) var decoder = GridDecoder()
    private var sampled = 0
    /// The likeliest symbol of a frame that could not be read, for ``FrameSum``.
    private var unread = ModuleGrid()
    private var unreadOutline = [Point](repeating: Point(0, 0), count: 4)
    private var unreadAgreement: Float = 0
    private var sum = FrameSum()

    /// Whether the symbol that was read is a mirror image.
    private(set) var isMirrored = false
    /// The corners of the symbol that was read, clockwise from its upper left one.
    private(set) var outline = [Point](repeating: Point(0, 0), count: 4)

    mutating func begin() {
        (sampled, unreadAgreement) = (0, 0)
        location.begin()
    }

    /// Modules that were sampled: the work that was done.
    var work: Int { location.work + sampled }

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

    /// Forgets the text.
    mutating func wipe() { decoder.wipe() }

    /// - Returns: whether ``decoder`` holds a text now.
    mutating func read(_ corners: SymbolCorners, _ picture: borrowing GreyPicture) -> Bool {
        var tried: SymbolVersion?
        for _ in 0..<SymbolReader.versions {
            guard let estimate = location.estimate(corners, except: tried, picture) else { return false }
            if location.locate(corners, estimate, picture), readModules(picture, isInverted: corners.isInverted) {
                return true
            }
            tried = estimate.symbol.version
        }
        return false
    }

    private mutating func readModules(_ picture: borrowing GreyPicture, isInverted: Bool) -> Bool {
        let version = location.grid.symbol.version
        let count = version.dimension * version.dimension
        modules.become(version)
        decoder.become(version)
        for round in 1...SymbolReader.rounds {
            let isLast = round == SymbolReader.rounds
            sampling.sample(picture, location.grid)
            // The work of the first straightening is included: it takes about as long as the samples after it.
            sampled += round == 2 ? 2 * count : count
            for (index, rule) in ModuleThresholds.Rule.all.prefix(isLast ? .max : 1).enumerated() {
                classify(rule, isInverted: isInverted)
                if index == 0, modules.agreement(with: decoder.patterns) < SymbolReader.leastAgreement { return false }
                sampled += count + (isLast ? SymbolReader.workOfPersistence : 0)
                if decodeEitherWay(isLast: isLast) { return true }
            }
            // Again: a decoder that failed has mirrored them.
            classify(.usual, isInverted: isInverted)
            if !isLast { location.straighten(picture, sampling, modules, contrast: thresholds.contrast) }
        }
        keepUnread()
        return false
    }

    private mutating func classify(_ rule: ModuleThresholds.Rule, isInverted: Bool) {
        thresholds.apply(rule, sampling, isInverted: isInverted, into: &modules)
    }

    /// A symbol that is followed comes before others.
    private mutating func keepUnread() {
        takeOutline()
        let agreement = modules.agreement(with: decoder.patterns) + (sum.follows(outline, modules.version) ? 1 : 0)
        guard agreement > max(unreadAgreement, SymbolReader.leastAgreementToFollow) else { return }
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
        let side = Float(location.grid.dimension)
        outline[0] = location.grid.point(0, 0)
        outline[1] = location.grid.point(side, 0)
        outline[2] = location.grid.point(side, side)
        outline[3] = location.grid.point(0, side)
    }
}
