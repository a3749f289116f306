// SPDX-License-Identifier: Apache-2.0

// The scan screen stands day and night: after a while without anybody it dims, and moves, so that nothing burns in.
extension KioskMachine {
    var isResting: Bool { restStep != nil }

    /// Somebody is there. The key that says so does nothing else.
    mutating func wake() -> [KioskAction] {
        restStep = nil
        return [.startTimer(.rest, KioskTiming.rest, .none)]
    }

    mutating func rest() -> [KioskAction] {
        guard case .scanning = state else { return [] }
        restStep = restStep.map { $0 &+ 1 } ?? 0
        return [.startTimer(.rest, KioskTiming.restMove, .none)]
    }
}
