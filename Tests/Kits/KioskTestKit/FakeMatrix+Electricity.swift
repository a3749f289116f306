// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Synchronization

// Time and levels. The caller holds the lock of the state.
extension FakeMatrix {
    func nextMoment(_ state: State) -> Duration? {
        let matures = state.lines.values.compactMap { line in
            line.unsettledSince.map { $0 + (FakeMatrix.debounce(line) ?? .zero) }
        }
        return (matures + [state.changes.first?.time].compactMap(\.self)).min()
    }

    func advance(_ state: inout State, to time: Duration) {
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

    /// Updates debouncers and edges from the levels.
    func update(_ state: inout State) {
        let active = self.active(&state)
        for (wire, line) in state.lines {
            guard let debounce = FakeMatrix.debounce(line) else { continue }
            let isActive = active.contains(wire)
            // Each change restarts a debouncer. Without a change it never samples.
            if isActive != line.level { state.lines[wire]?.unsettledSince = state.now }
            state.lines[wire]?.level = isActive
            guard let since = state.lines[wire]?.unsettledSince, state.now - since >= debounce else { continue }
            state.lines[wire]?.unsettledSince = nil
            guard isActive != line.settled else { continue }
            state.lines[wire]?.settled = isActive
            state.sequence &+= 1
            state.edges.append(LineEdge(line: wire, isActive: isActive, sequence: state.sequence))
            if state.edges.count > FakeMatrix.edgesKept * size.columns { state.edges.removeFirst() }
        }
    }

    /// - Returns: nil for a line without edge events.
    static func debounce(_ line: Line) -> Duration? {
        if case .input(_, true, let debounce) = line.settings.role { debounce } else { nil }
    }

    static func change(_ closed: inout Set<MatrixPosition>, _ position: MatrixPosition, _ isClosed: Bool) {
        if isClosed { closed.insert(position) } else { closed.remove(position) }
    }

    /// The active lines. Connected wires have one level, and low wins.
    func active(_ state: inout State) -> Set<Int> {
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

    func level(of wires: [Int], _ state: inout State) -> Bool {
        var driven: Set<Bool> = []
        var pulled: Set<Bool> = []
        for wire in wires {
            // The supply is the strongest driver.
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
