// SPDX-License-Identifier: Apache-2.0

/// The modules of one symbol, summed over the frames of a camera until they are certain enough.
///
/// Glare moves, noise differs, and a hand that shakes is sharp now and then: several frames together may be readable
/// when none of them is. A symbol of another version, size or place begins a new sum.
struct FrameSum: ~Copyable {
    /// The factor of the old sum at each new frame; a sixth is left after eight.
    private static let fading: Float = 0.8
    /// Frames without the symbol after which it is forgotten.
    private static let patience = 3
    /// Frames in a row that are read for the symbol's sake; then it is looked for as seldom as before it was seen.
    private static let mostFrames = 40
    /// The greatest growth of a symbol's area from frame to frame, and the least cosine of its rotation.
    private static let mostGrowth: Float = 2
    private static let leastCosine: Float = 0.7
    /// The greatest movement of its middle, as a share of its diagonal.
    private static let mostMovement: Float = 0.5

    var modules = ModuleGrid()
    /// The corners of the symbol in the newest frame, clockwise from its upper left one.
    private var outline = [Point](repeating: Point(0, 0), count: 4)
    /// Frames in the sum.
    private(set) var frames = 0
    private var misses = 0

    /// Whether a symbol with these corners can be the followed one.
    func follows(_ corners: [Point], _ version: SymbolVersion) -> Bool {
        guard frames > 0, version.number == modules.version.number else { return false }
        let (old, new) = (outline[2] - outline[0], corners[2] - corners[0])
        let (oldSquare, newSquare) = (Point.dot(old, old), Point.dot(new, new))
        guard newSquare < FrameSum.mostGrowth * oldSquare, oldSquare < FrameSum.mostGrowth * newSquare,
            Point.dot(old, new) > FrameSum.leastCosine * (oldSquare * newSquare).squareRoot()
        else { return false }
        let moved = 0.5 * (corners[0] + corners[2]) - 0.5 * (outline[0] + outline[2])
        return Point.dot(moved, moved) < FrameSum.mostMovement * FrameSum.mostMovement * oldSquare
    }

    /// Whether the next frame should be read for the symbol's sake.
    var isPromising: Bool { (1..<FrameSum.mostFrames).contains(frames) }

    /// Adds the modules of a frame. Sharper frames weigh more.
    mutating func add(_ frame: borrowing ModuleGrid, _ corners: [Point]) {
        if !follows(corners, frame.version) { begin(frame.version) }
        let count = frame.dimension * frame.dimension
        var certainty: Float = 0
        for index in 0..<count { certainty += abs(frame[index]) }
        certainty /= Float(count)
        let weight = certainty * certainty
        for index in 0..<count { modules[index] = FrameSum.fading * modules[index] + weight * frame[index] }
        for index in 0..<4 { outline[index] = corners[index] }
        frames = min(frames + 1, FrameSum.mostFrames)
        misses = 0
    }

    /// A frame did not show the symbol.
    mutating func miss() {
        guard frames > 0 else { return }
        misses += 1
        if misses >= FrameSum.patience { wipe() }
    }

    /// Forgets the symbol.
    mutating func wipe() {
        guard frames > 0 else { return }
        begin(modules.version)
    }

    private mutating func begin(_ version: SymbolVersion) {
        for index in 0..<modules.dimension * modules.dimension { modules[index] = 0 }
        modules.become(version)
        for index in 0..<modules.dimension * modules.dimension { modules[index] = 0 }
        (frames, misses) = (0, 0)
    }
}
