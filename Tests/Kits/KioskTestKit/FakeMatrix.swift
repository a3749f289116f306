// SPDX-License-Identifier: Apache-2.0

import Glibc
public import KioskPorts
import Synchronization

/// A simulated key matrix with wires and a clock. A test closes contacts, lets them bounce and makes ghosts. Wires
/// float, touch and come loose.
///
/// Time passes only while a caller pauses or waits at its lines, so a thousand presses take a moment.
public final class FakeMatrix: ThreadClock {
    /// The number of edges that the kernel keeps for each line.
    static let edgesKept = 16

    struct Change {
        let time: Duration
        let position: MatrixPosition
        let isClosed: Bool
    }

    /// A line's requested settings, and its reported edges.
    struct Line {
        var settings: LineSettings
        /// The level after the debouncer, active or not.
        var settled = false
        /// The level before it, at the last noticed change.
        var level = false
        /// The time since which that level is stable, until the debouncer has sampled it.
        var unsettledSince: Duration?
    }

    struct State {
        var now = Duration.zero
        var changes: [Change] = []
        var closed: Set<MatrixPosition> = []
        var lines: [Int: Line] = [:]
        /// A key that closes between a debouncer's first sample and its first edge.
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

    /// - Parameter isRealTime: whether pauses and waits take real time.
    public init(_ size: MatrixSize, isRealTime: Bool = false) {
        self.size = size
        self.isRealTime = isRealTime
    }

    /// Queues the press of a key after all queued events. The contact bounces `bounces` more times at both ends, a
    /// millisecond each.
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

    /// Presses a key at the worst moment, when a debouncer has sampled its line and does not listen for edges yet.
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

    /// Connects two wires permanently.
    public func connect(_ one: MatrixWire, _ other: MatrixWire) {
        state.withLock { $0.shorts.append((index(one), index(other))) }
    }

    /// Connects a wire to the supply or to ground.
    public func tie(_ wire: MatrixWire, isHigh: Bool) { state.withLock { $0.levels[index(wire)] = isHigh } }

    /// Removes a line's pull resistor.
    public func removePull(_ wire: MatrixWire) { _ = state.withLock { $0.withoutPull.insert(index(wire)) } }

    /// Disconnects a wire from its pin. The pin's pull resistor stays.
    public func loosen(_ wire: MatrixWire) { _ = state.withLock { $0.loose.insert(index(wire)) } }

    /// Removes the chip, or puts it back. While it is missing its lines cannot be used.
    public func set(isGone: Bool) { state.withLock { $0.isGone = isGone } }

    /// Pretends that edges came which the keypad was too slow to read.
    public func loseEdges(_ count: UInt32) { state.withLock { $0.sequence &+= count } }

    /// Number of times that two lines drove one wire to different levels.
    public var shortCircuits: Int { state.withLock { $0.shortCircuits } }

    /// Whether no queued event is left.
    public var isAtRest: Bool { state.withLock { $0.changes.isEmpty } }

    public var heldLines: Int { state.withLock { $0.lines.count } }

    public func now() -> Duration { state.withLock { $0.now } }

    public func pause(for duration: Duration) {
        let microseconds: Double = duration / .microseconds(1)
        if isRealTime { usleep(UInt32(microseconds)) }
        state.withLock { advance(&$0, to: $0.now + duration) }
    }
}
