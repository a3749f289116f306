// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// The idle kiosk, between two persons.
extension KioskMachine {
    mutating func backToScanning() -> [KioskAction] {
        state = .idle(ScanScreen())
        let dropping = dropCard()
        // The next person begins with the kiosk's own language.
        languageTurn = 0
        speech = nil
        chosenLook = nil
        return dropping + [.stopTimer(.outcome)] + resumeCamera() + wake()
    }

    /// Leaves the screen after BACK with nothing typed or chosen, or after a while without a key.
    mutating func leave() -> [KioskAction] {
        let wipe: [KioskAction] = asksForCode ? [.code(.wipe), .stopTimer(.tap)] : []
        return wipe + [.stopTimer(.typing)] + backToScanning()
    }

    // While the camera is paused, codes must not be treated as having left the view.

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

// The scan screen is on day and night. Unused for a while it dims, and moves, so that nothing burns in. After a longer
// while the camera may rest too, until the scanner sees a change or a key is pressed.
extension KioskMachine {
    var isResting: Bool { restStep != nil }

    /// Wakes the screen for a person. The key that does so has no other effect.
    mutating func wake() -> [KioskAction] {
        restStep = nil
        defer { cameraMayRest = false }
        return (cameraMayRest ? [.wakeCamera] : []) + [.startTimer(.rest, KioskTiming.rest, .none)]
    }

    mutating func rest() -> [KioskAction] {
        guard isScanning else { return [] }
        let step = restStep.map { $0 &+ 1 } ?? 0
        restStep = step
        speech = nil
        chosenLook = nil
        let unused = KioskTiming.rest + KioskTiming.restMove * step
        let isLongUnused = policy.cameraRest.map { unused >= $0 } ?? false
        defer { cameraMayRest = cameraMayRest || isLongUnused }
        return (isLongUnused && !cameraMayRest ? [.restCamera] : [])
            + [.startTimer(.rest, KioskTiming.restMove, .none)]
    }
}
