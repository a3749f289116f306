// SPDX-License-Identifier: Apache-2.0

import Glibc
public import KioskPorts
import Synchronization

// The effects of lines on wires, for ``FakeLines`` and for tests that stand in for a kernel. Nil and false mean that
// the chip is missing.
extension FakeMatrix {
    public func index(_ wire: MatrixWire) -> Int {
        switch wire {
        case .row(let index): index
        case .column(let index): size.rows + index
        }
    }

    /// Whether one of the lines is in use.
    public func isHeld(_ wires: [Int]) -> Bool {
        state.withLock { state in wires.contains { state.lines[$0] != nil } }
    }

    public func configure(_ wires: [Int], _ settings: [LineSettings]) -> Bool {
        state.withLock { state in
            guard !state.isGone else { return false }
            for (wire, settings) in zip(wires, settings) {
                if state.lines[wire]?.settings == settings { continue }
                state.lines[wire] = Line(settings: settings)
            }
            // A debouncer begins with the present level, which another line may have changed.
            let found = self.active(&state)
            for wire in wires where state.lines[wire]?.unsettledSince == nil {
                state.lines[wire]?.settled = found.contains(wire)
            }
            if let (position, held) = state.surprise,
                wires.contains(where: { state.lines[$0].flatMap(FakeMatrix.debounce) ?? .zero > .zero })
            {
                state.surprise = nil
                state.closed.insert(position)
                let end = state.now + held
                let place = state.changes.firstIndex { $0.time > end } ?? state.changes.endIndex
                state.changes.insert(Change(time: end, position: position, isClosed: false), at: place)
            }
            let active = self.active(&state)
            for wire in wires { state.lines[wire]?.level = active.contains(wire) }
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
        // Safe: one local structure.
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
            // The next request counts from 1 again.
            state.sequence = 0
        }
    }
}
