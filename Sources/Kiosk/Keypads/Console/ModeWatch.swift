// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Evaluates the checks of a terminal's modes. A single change is reported to the operator, and as lost keys. A
/// terminal whose modes cannot be kept is unavailable until they have stayed unchanged for ``calm``.
struct ModeWatch {
    /// Two changes within this time mean that a program keeps changing the modes. After this time without a change the
    /// terminal is available again.
    static let calm = Duration.seconds(1)

    private let now: () -> ContinuousClock.Instant
    private var lastTrouble: ContinuousClock.Instant?
    /// Whether presses are reported.
    private(set) var isCalm = true

    init(now: @escaping () -> ContinuousClock.Instant = { ContinuousClock.now }) { self.now = now }

    mutating func evaluate(_ look: TerminalLook) -> [KeypadReport] {
        let now = now()
        let isRecent = lastTrouble.map { now - $0 < ModeWatch.calm } ?? false
        switch look {
        case .unchanged:
            guard !isCalm, !isRecent else { return [] }
            isCalm = true
            return [.available]
        case .changed:
            lastTrouble = now
            if isRecent { return becomeUnavailable(.changedModes) }
            let words = "another program changed the terminal's modes; they are set again"
            return isCalm ? [.trouble(words), .keysLost(words)] : []
        case .refused(let error):
            lastTrouble = now
            return becomeUnavailable(error)
        }
    }

    private mutating func becomeUnavailable(_ error: KeypadError) -> [KeypadReport] {
        defer { isCalm = false }
        return isCalm ? [.unavailable("\(error)")] : []
    }
}
