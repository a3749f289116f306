// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// Between two persons.
extension KioskMachine {
    mutating func backToScanning() -> [KioskAction] {
        state = .idle(ScanScreen())
        let dropping = dropCard()
        // The next person begins with the kiosk's own language.
        languageTurn = 0
        return dropping + [.stopTimer(.outcome)] + resumeCamera() + wake()
    }

    /// BACK with nothing typed or chosen, or nothing was pressed for a while.
    mutating func leave() -> [KioskAction] {
        let wipe: [KioskAction] = asksForCode ? [.code(.wipe), .stopTimer(.tap)] : []
        return wipe + [.stopTimer(.typing)] + backToScanning()
    }

    // While the camera is paused nothing is seen, which must not pass for codes having left the view.

    mutating func pauseCamera() -> [KioskAction] {
        guard !isCameraPaused else { return [] }
        isCameraPaused = true
        scanHint = nil
        return codes.inView.map { .stopTimer(.view($0)) } + [.pauseCamera]
    }

    mutating func resumeCamera() -> [KioskAction] {
        let inView = codes.inView.map { KioskAction.startTimer(.view($0), KioskTiming.codeLeavesView, .none) }
        guard isCameraPaused else { return inView }
        isCameraPaused = false
        return [.resumeCamera] + inView
    }
}

// The scan screen stands day and night: when it was not used for a while it dims, and moves, so that nothing burns in.
// After a longer one its camera may rest, too: a picture that changes ends that in the scanner, and a key here.
extension KioskMachine {
    var isResting: Bool { restStep != nil }

    /// A person is there. The key that says so does nothing else.
    mutating func wake() -> [KioskAction] {
        restStep = nil
        defer { cameraMayRest = false }
        return (cameraMayRest ? [.wakeCamera] : []) + [.startTimer(.rest, KioskTiming.rest, .none)]
    }

    mutating func rest() -> [KioskAction] {
        guard isScanning else { return [] }
        let step = restStep.map { $0 &+ 1 } ?? 0
        restStep = step
        let unused = KioskTiming.rest + KioskTiming.restMove * step
        let isLongUnused = policy.cameraRest.map { unused >= $0 } ?? false
        defer { cameraMayRest = cameraMayRest || isLongUnused }
        return (isLongUnused && !cameraMayRest ? [.restCamera] : [])
            + [.startTimer(.rest, KioskTiming.restMove, .none)]
    }
}
