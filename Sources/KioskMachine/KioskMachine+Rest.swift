// SPDX-License-Identifier: Apache-2.0

// The scan screen stands day and night: after a while without anybody it dims, and moves, so that nothing burns in.
// After a longer one its camera may rest, too: a picture that changes ends that in the scanner, and a key here.
extension KioskMachine {
    var isResting: Bool { restStep != nil }

    /// Somebody is there. The key that says so does nothing else.
    mutating func wake() -> [KioskAction] {
        restStep = nil
        defer { cameraMayRest = false }
        return (cameraMayRest ? [.wakeCamera] : []) + [.startTimer(.rest, KioskTiming.rest, .none)]
    }

    mutating func rest() -> [KioskAction] {
        guard case .scanning = state else { return [] }
        let step = restStep.map { $0 &+ 1 } ?? 0
        restStep = step
        let unused = KioskTiming.rest + KioskTiming.restMove * step
        let isLongUnused = policy.cameraRest.map { unused >= $0 } ?? false
        defer { cameraMayRest = cameraMayRest || isLongUnused }
        return (isLongUnused && !cameraMayRest ? [.restCamera] : [])
            + [.startTimer(.rest, KioskTiming.restMove, .none)]
    }
}
