// SPDX-License-Identifier: Apache-2.0

import Glibc
public import KioskPorts
import Synchronization

/// A matrix of keys made of software, with its wires and a clock of its own: contacts close when a test says, bounce,
/// make ghosts, and wires float, touch, get loose.
///
/// Time stands still but while a caller pauses or waits at its lines: a thousand presses take a moment.
public final class FakeMatrix: ThreadClock {
    /// As many edges as the kernel keeps for each line.
    static let edgesKept = 16

    struct Change {
        let time: Duration
        let position: MatrixPosition
        let isClosed: Bool
    }

    /// The settings that a line was asked to have, and the edges that it has told of.
    struct Line {
        var settings: LineSettings
        /// The level behind the debouncer, active or not.
        var settled = false
        /// The level before it, as of the last change that was noticed.
        var level = false
        /// Since when that level has been so, until the debouncer has looked at it.
        var unsettledSince: Duration?
    }

    struct State {
        var now = Duration.zero
        var changes: [Change] = []
        var closed: Set<MatrixPosition> = []
        var lines: [Int: Line] = [:]
        /// The key that closes between a debouncer's first look at its line and its first edge.
        var surprise: (position: MatrixPosition, held: Duration)?
        var edges: [LineEdge] = []
        var sequence: UInt32 = 0
        var noise: UInt64 = 0
        var shorts: [(Int, Int)] = []
        var levels: [Int: Bool] = [:]
        var withoutPull: Set<Int> = []
        var loose: Set<Int> = []
        var isGone = false
        var shortCircuits = 0
    }

    public let size: MatrixSize
    let state = Mutex(State())

    let isRealTime: Bool

    /// - Parameter isRealTime: whether pauses and waits take the time that they take.
    public init(_ size: MatrixSize, isRealTime: Bool = false) {
        self.size = size
        self.isRealTime = isRealTime
    }

    /// Presses a key after everything that was told before, with a contact that closes and opens `bounces` times more
    /// at both ends, a millisecond each time.
    public func press(
        _ position: MatrixPosition, held: Duration = .milliseconds(80), gap: Duration = .milliseconds(80),
        bounces: Int = 0
    ) {
        state.withLock { state in
            var time = max(state.now, state.changes.last?.time ?? .zero) + gap
            for isClosed in [true, false] {
                for bounce in 0...(2 * bounces) {
                    state.changes.append(
                        Change(time: time, position: position, isClosed: isClosed == (bounce % 2 == 0)))
                    if bounce < 2 * bounces { time += .milliseconds(1) }
                }
                time += held
            }
        }
    }

    /// Presses a key in the worst moment: when a debouncer has taken its line's level and does not listen
    /// for edges yet.
    public func pressWhileArming(_ position: MatrixPosition, held: Duration) {
        state.withLock { $0.surprise = (position, held) }
    }

    /// Closes or opens a contact at once.
    public func set(_ position: MatrixPosition, isClosed: Bool) {
        state.withLock { state in
            FakeMatrix.change(&state.closed, position, isClosed)
            update(&state)
        }
    }

    /// Joins two wires for good.
    public func connect(_ one: MatrixWire, _ other: MatrixWire) {
        state.withLock { $0.shorts.append((index(one), index(other))) }
    }

    /// Ties a wire to the supply or to ground.
    public func tie(_ wire: MatrixWire, isHigh: Bool) { state.withLock { $0.levels[index(wire)] = isHigh } }

    /// Takes a line's pull resistor away.
    public func removePull(_ wire: MatrixWire) { _ = state.withLock { $0.withoutPull.insert(index(wire)) } }

    /// Takes a wire off its pin; the pin's pull resistor stays.
    public func loosen(_ wire: MatrixWire) { _ = state.withLock { $0.loose.insert(index(wire)) } }

    /// Takes the chip away, or puts it back. While it is gone its lines cannot be used.
    public func set(isGone: Bool) { state.withLock { $0.isGone = isGone } }

    /// Pretends that edges came which the keypad did not take in time.
    public func loseEdges(_ count: UInt32) { state.withLock { $0.sequence &+= count } }

    /// How often two lines drove one wire to different levels.
    public var shortCircuits: Int { state.withLock { $0.shortCircuits } }

    /// Whether nothing is left of what was told.
    public var isAtRest: Bool { state.withLock { $0.changes.isEmpty } }

    public var heldLines: Int { state.withLock { $0.lines.count } }

    public func now() -> Duration { state.withLock { $0.now } }

    public func pause(for duration: Duration) {
        let microseconds: Double = duration / .microseconds(1)
        if isRealTime { usleep(UInt32(microseconds)) }
        state.withLock { advance(&$0, to: $0.now + duration) }
    }
}
