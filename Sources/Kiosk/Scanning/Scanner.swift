// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Reads QR codes in frames by several passes, each of another decoder or on another preparation of the frame.
///
/// The first pass that reads a code ends the search, and a few cheap passes then look for further codes. So the result
/// for several codes in view does not depend on which code is read first.
public struct Scanner: ~Copyable, SymbolDecoder {
    private let effort: ScanEffort
    private let picturePlan: [ScanPass]
    private let pictureBudget: Double
    private var runner = PassRunner()
    private var threshold = AdaptiveThreshold()
    private let binary = LumaBuffer()
    private var turn = 0
    private var track: Track?
    /// The next part of a crowded frame to look at.
    private var part = 0
    /// Whether the frame before shows more finder patterns than zxing-cpp gets, of a pattern or of many codes.
    public private(set) var isCrowded = false
    /// Whether what was found last is a mirror image, as far as the decoder that found it can detect.
    public private(set) var isMirrored = false
    /// Sets of three finder patterns that zxing-cpp tried in the frame before.
    var work: Int { runner.work.sets }
    /// Passes that the picture before got.
    private(set) var passes = 0

    public init(effort: ScanEffort) {
        self.init(effort: effort, picturePlan: ScanPlan.picture)
    }

    /// - Parameters:
    ///   - picturePlan: in the order in which the passes are tried; at least one.
    ///   - pictureBudget: the highest cost of a picture, in megapixels that plain zbar reads.
    init(effort: ScanEffort, picturePlan: [ScanPass], pictureBudget: Double = ScanPlan.pictureBudget) {
        precondition(!picturePlan.isEmpty)
        self.effort = effort
        self.picturePlan = picturePlan
        self.pictureBudget = pictureBudget
    }

    public mutating func symbols(in frame: borrowing Frame) -> [Symbol] {
        runner.begin(sets: effort == .untilFound ? ScanPlan.setsOfPicture : ScanPlan.setsOfFrame)
        isCrowded = false
        return sortedByCentre(effort == .untilFound ? searchUntilFound(frame) : searchWithinBudget(frame))
    }

    private mutating func searchUntilFound(_ frame: borrowing Frame) -> [Symbol] {
        let megapixels = Double(frame.width * frame.height) / 1e6
        var spent = 0.0
        passes = 0
        if Crowd.cost * megapixels <= pictureBudget {
            let crowd = searchCrowd(frame)
            if !crowd.isEmpty { return crowd }
        }
        for (index, pass) in picturePlan.enumerated() {
            // The first one is always tried.
            let cost = pass.cost * megapixels * max(1, runner.work.density / ScanPlan.usualDensity)
            guard index == 0 || spent + cost <= pictureBudget else { continue }
            spent += cost
            passes += 1
            var found = runner.symbols(by: pass, in: frame)
            guard !found.isEmpty else { continue }
            isMirrored = runner.isMirrored
            addCompany(to: &found, in: frame)
            // A code that is read so late is probably not the only one, or not in plain view.
            if index > ScanPlan.easy { Scanner.add(runner.symbols(by: ScanPlan.secondOpinion, in: frame), to: &found) }
            return found
        }
        isCrowded = runner.work.isCrowded
        guard isCrowded else { return [] }
        part = 0
        // The small ones were searched for a crowd.
        return searchParts(frame, Crowd.largeRegions(width: frame.width, height: frame.height), atMost: .infinity)
    }

    /// - Returns: the codes of a picture that shows many; none of any other.
    private mutating func searchCrowd(_ frame: borrowing Frame) -> [Symbol] {
        threshold.apply(frame, window: .wide, to: binary)
        let finders = binary.withFrame(captured: frame.captured) { frame in
            FinderSearch.finders(in: frame, atMost: 4 * Crowd.fewest)
        }
        guard finders.count >= Crowd.fewest else { return [] }
        var found: [Symbol] = []
        for region in Crowd.regions(width: frame.width, height: frame.height) {
            Scanner.add(runner.symbols(by: ScanPlan.everyFrame, in: region, of: frame), to: &found)
        }
        return found
    }

    private mutating func searchWithinBudget(_ frame: borrowing Frame) -> [Symbol] {
        let tracked = track
        if let tracked, tracked.run < Track.longestRun {
            if let found = searchAgain(tracked, in: frame) { return found }
        }
        // The pass that read the code last is likely to read it in the whole frame, too.
        var passes = [ScanPlan.everyFrame] + ScanPlan.inTurn[turn]
        turn = (turn + 1) % ScanPlan.inTurn.count
        if runner.isFollowing, !passes.contains(.own) { passes.append(.own) }
        if let tracked {
            passes.removeAll { $0 == tracked.pass }
            passes.insert(tracked.pass, at: 0)
        }
        for pass in passes {
            var found = runner.symbols(by: pass, in: frame)
            guard let first = found.first else { continue }
            isMirrored = runner.isMirrored
            runner.stopFollowing()
            track = Track(pass, first.sighting)
            addCompany(to: &found, in: frame)
            return found
        }
        track?.misses += 1
        if let track, track.misses >= Track.patience { self.track = nil }
        isCrowded = runner.work.isCrowded
        guard isCrowded else { return [] }
        let (width, height) = (frame.width, frame.height)
        let parts = Crowd.largeRegions(width: width, height: height) + Crowd.regions(width: width, height: height)
        return searchParts(frame, parts, atMost: ScanPlan.partsOfFrame)
    }

    /// Looks at the next parts of a frame that shows too many finder patterns: there may be fewer around a code.
    ///
    /// - Parameter limit: areas of the whole frame that the parts have together.
    private mutating func searchParts(
        _ frame: borrowing Frame, _ regions: [Track.Region], atMost limit: Double
    ) -> [Symbol] {
        var rest = limit * Double(frame.width * frame.height)
        for _ in regions {
            let region = regions[part % regions.count]
            rest -= Double(region.width * region.height)
            guard rest >= 0 else { break }
            part = (part + 1) % regions.count
            let found = runner.symbols(by: ScanPlan.everyFrame, in: region, of: frame)
            guard let first = found.first else { continue }
            isMirrored = runner.isMirrored
            track = Track(ScanPlan.everyFrame, first.sighting)
            return found
        }
        return []
    }

    /// Looks where the code was.
    private mutating func searchAgain(_ tracked: Track, in frame: borrowing Frame) -> [Symbol]? {
        let region = tracked.region(width: frame.width, height: frame.height)
        guard region.width > 0, region.height > 0 else { return nil }
        let found = runner.symbols(by: tracked.pass, in: region, of: frame)
        guard let first = found.first else { return nil }
        var next = Track(tracked.pass, first.sighting)
        next.run = tracked.run + 1
        track = next
        return found
    }

    /// Adds what stands beside the symbols that were found, of either polarity.
    private mutating func addCompany(to found: inout [Symbol], in frame: borrowing Frame) {
        let scale: ScanPass.Scale = max(frame.width, frame.height) > Enlargement.largestSide ? .half : .full
        for isInverted in [false, true] {
            let pass = ScanPass(.zxing(.localAverage), scale: scale, isInverted: isInverted)
            Scanner.add(runner.symbols(by: pass, in: frame), to: &found)
        }
    }

    private static func add(_ symbols: [Symbol], to found: inout [Symbol]) {
        for symbol in symbols where !found.contains(where: { $0.payload == symbol.payload }) { found.append(symbol) }
    }
}

/// The number of passes that a frame gets.
public enum ScanEffort: Sendable, Equatable {
    /// A few passes a frame within ``ScanPlan/budget``, others with the next: for cameras, where a frame that was
    /// missed is followed by a similar one. Where a code was just read is looked at first.
    case withinBudget
    /// Pass after pass until one finds: for pictures, where each frame is shown once.
    case untilFound
}
