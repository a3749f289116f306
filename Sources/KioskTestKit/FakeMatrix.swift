// SPDX-License-Identifier: Apache-2.0

import Glibc
public import KioskCore
import Synchronization

/// A matrix of keys made of software, with its wires and a clock of its own: contacts close when a test says, bounce,
/// make ghosts, and wires float, touch, get loose.
///
/// Time stands still but while somebody pauses or waits at its lines: a thousand presses take a moment.
public final class FakeMatrix: ThreadClock {
    /// As many edges as the kernel keeps for each line.
    static let edgesKept = 16

    private struct Change {
        let time: Duration
        let position: MatrixPosition
        let isClosed: Bool
    }

    /// What a line was asked to be, and what it has told of its edges.
    private struct Line {
        var settings: LineSettings
        /// The level behind the debouncer, active or not.
        var settled = false
        /// Since when the line has had the other level.
        var unsettledSince: Duration?
    }

    private struct State {
        var now = Duration.zero
        var changes: [Change] = []
        var closed: Set<MatrixPosition> = []
        var lines: [Int: Line] = [:]
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
    private let state = Mutex(State())

    private let isRealTime: Bool

    /// - Parameter isRealTime: whether pauses and waits take the time that they take.
    public init(_ size: MatrixSize, isRealTime: Bool = false) {
        self.size = size
        self.isRealTime = isRealTime
    }

    // MARK: What a test does.

    /// Presses a key after everything that was told before, with a contact that closes and opens `bounces` times more at
    /// both ends, a millisecond each time.
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

    /// Takes the chip away, or puts it back; who had lines of it has none any more.
    public func set(isGone: Bool) { state.withLock { $0.isGone = isGone } }

    /// Pretends that edges came which nobody took in time.
    public func loseEdges(_ count: UInt32) { state.withLock { $0.sequence &+= count } }

    /// How often two lines drove one wire to different levels.
    public var shortCircuits: Int { state.withLock { $0.shortCircuits } }

    /// Whether nothing is left of what was told.
    public var isAtRest: Bool { state.withLock { $0.changes.isEmpty } }

    public var heldLines: Int { state.withLock { $0.lines.count } }

    // MARK: The clock.

    public func now() -> Duration { state.withLock { $0.now } }

    public func pause(for duration: Duration) {
        let microseconds: Double = duration / .microseconds(1)
        if isRealTime { usleep(UInt32(microseconds)) }
        state.withLock { advance(&$0, to: $0.now + duration) }
    }

    // MARK: The lines.

    public func index(_ wire: MatrixWire) -> Int {
        switch wire {
        case .row(let index): index
        case .column(let index): size.rows + index
        }
    }

    public func configure(_ wires: [Int], _ settings: [LineSettings]) -> Bool {
        state.withLock { state in
            guard !state.isGone else { return false }
            for (wire, settings) in zip(wires, settings) {
                if state.lines[wire]?.settings == settings { continue }
                state.lines[wire] = Line(settings: settings)
            }
            // A debouncer begins with the level that it finds; other lines may have changed theirs.
            let active = self.active(&state)
            for wire in wires {
                if state.lines[wire]?.unsettledSince == nil { state.lines[wire]?.settled = active.contains(wire) }
            }
            update(&state)
            return true
        }
    }

    public func set(_ wires: [Int], _ values: UInt64) -> Bool {
        state.withLock { state in
            guard !state.isGone else { return false }
            for (bit, wire) in wires.enumerated() {
                guard case .output(_, let drive) = state.lines[wire]?.settings.role else { continue }
                state.lines[wire]?.settings.role = .output(isActive: values >> bit & 1 == 1, drive)
            }
            update(&state)
            return true
        }
    }

    public func values(_ wires: [Int]) -> UInt64? {
        state.withLock { state in
            guard !state.isGone else { return nil }
            let active = self.active(&state)
            return wires.enumerated().reduce(0) { values, wire in
                let line = state.lines[wire.element]
                let isActive = line.flatMap(FakeMatrix.debounce) == nil ? active.contains(wire.element) : line?.settled
                return isActive == true ? values | 1 << wire.offset : values
            }
        }
    }

    public func wait(_ wires: [Int], within limit: Duration, orStop stop: Int32) -> LineWait? {
        var end = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
        // Safe: one structure of our own.
        if unsafe poll(&end, 1, isAtRest ? 1 : 0) > 0 { return .stopped }
        return state.withLock { state in
            let deadline = state.now + (isRealTime ? min(limit, .milliseconds(1)) : limit)
            while true {
                guard !state.isGone else { return nil }
                if state.edges.contains(where: { wires.contains($0.line) }) { return .edges }
                guard state.now < deadline else { return .nothing }
                advance(&state, to: min(nextMoment(state) ?? deadline, deadline))
            }
        }
    }

    public func takeEdges(_ wires: [Int]) -> [LineEdge]? {
        state.withLock { state in
            guard !state.isGone else { return nil }
            defer { state.edges.removeAll { wires.contains($0.line) } }
            return state.edges.compactMap { edge in
                wires.firstIndex(of: edge.line).map {
                    LineEdge(line: $0, isActive: edge.isActive, sequence: edge.sequence)
                }
            }
        }
    }

    public func release(_ wires: [Int]) {
        state.withLock { state in
            for wire in wires { state.lines[wire] = nil }
            state.edges.removeAll { wires.contains($0.line) }
            // Who asks next counts from 1 again.
            state.sequence = 0
        }
    }

    // MARK: Electricity.

    private func nextMoment(_ state: State) -> Duration? {
        let matures = state.lines.values.compactMap { line in
            line.unsettledSince.map { $0 + (FakeMatrix.debounce(line) ?? .zero) }
        }
        return (matures + [state.changes.first?.time].compactMap(\.self)).min()
    }

    private func advance(_ state: inout State, to time: Duration) {
        while let moment = nextMoment(state), moment <= time {
            state.now = max(state.now, moment)
            if let change = state.changes.first, change.time <= moment {
                state.changes.removeFirst()
                FakeMatrix.change(&state.closed, change.position, change.isClosed)
            }
            update(&state)
        }
        state.now = max(state.now, time)
    }

    /// Lets debouncers and edges follow the levels.
    private func update(_ state: inout State) {
        let active = self.active(&state)
        for (wire, line) in state.lines {
            guard let debounce = FakeMatrix.debounce(line) else { continue }
            let isActive = active.contains(wire)
            guard isActive != line.settled else {
                state.lines[wire]?.unsettledSince = nil
                continue
            }
            let since = line.unsettledSince ?? state.now
            state.lines[wire]?.unsettledSince = since
            guard state.now - since >= debounce else { continue }
            state.lines[wire]?.settled = isActive
            state.lines[wire]?.unsettledSince = nil
            state.sequence &+= 1
            state.edges.append(LineEdge(line: wire, isActive: isActive, sequence: state.sequence))
            if state.edges.count > FakeMatrix.edgesKept * size.columns { state.edges.removeFirst() }
        }
    }

    /// - Returns: nil for a line that tells no edges.
    private static func debounce(_ line: Line) -> Duration? {
        if case .input(_, true, let debounce) = line.settings.role { debounce } else { nil }
    }

    private static func change(_ closed: inout Set<MatrixPosition>, _ position: MatrixPosition, _ isClosed: Bool) {
        if isClosed { closed.insert(position) } else { closed.remove(position) }
    }

    /// The lines that are active: what is connected has one level, low wins.
    private func active(_ state: inout State) -> Set<Int> {
        let count = size.rows + size.columns
        var nets = Array(0..<count)
        let joints =
            state.closed.map { ($0.row, size.rows + $0.column) }
            .filter { !state.loose.contains($0.0) && !state.loose.contains($0.1) } + state.shorts
        for (one, other) in joints where nets[one] != nets[other] {
            let (kept, gone) = (nets[one], nets[other])
            nets = nets.map { $0 == gone ? kept : $0 }
        }
        var active: Set<Int> = []
        for net in Set(nets) {
            let wires = (0..<count).filter { nets[$0] == net }
            let isHigh = level(of: wires, &state)
            active.formUnion(wires.filter { isHigh != (state.lines[$0]?.settings.isActiveLow ?? false) })
        }
        return active
    }

    private func level(of wires: [Int], _ state: inout State) -> Bool {
        var driven: Set<Bool> = []
        var pulled: Set<Bool> = []
        for wire in wires {
            // Nothing drives harder than the supply itself.
            if let level = state.levels[wire] { return level }
            guard let settings = state.lines[wire]?.settings else { continue }
            switch settings.role {
            case .output(let isActive, let drive):
                let isHigh = isActive != settings.isActiveLow
                if drive == .pushPull || drive == (isHigh ? .openSource : .openDrain) { driven.insert(isHigh) }
            case .input(let bias, _, _) where !state.withoutPull.contains(wire):
                if bias != .disabled { pulled.insert(bias == .pullUp) }
            case .input: break
            }
        }
        if driven.count == 2 { state.shortCircuits += 1 }
        if !driven.isEmpty { return !driven.contains(false) }
        if !pulled.isEmpty { return pulled.contains(true) }
        state.noise = state.noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state.noise >> 40 & 1 == 1
    }
}
