// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// The operator types a sequence of keys in the first seconds after a start, agrees, and types it again: then
// everything on this kiosk is deleted. Every pad has these keys, and nobody presses this sequence by accident.

/// Keys in their required order.
struct KeySequence: Sendable {
    let keys: [KnownKey]
    private var typed = 0

    /// - Returns: nil without a key.
    init?(_ keys: [KnownKey]) {
        guard !keys.isEmpty else { return nil }
        self.keys = keys
    }

    var isComplete: Bool { typed == keys.count }

    func isNext(_ key: KnownKey) -> Bool { !isComplete && keys[typed] == key }

    /// - Returns: whether the key belongs to the sequence: as the next key, or as the first one of a new attempt.
    mutating func hear(_ key: KnownKey) -> Bool {
        guard !isComplete else { return false }
        typed = keys[typed] == key ? typed + 1 : keys[0] == key ? 1 : 0
        return typed > 0
    }

    mutating func forget() { typed = 0 }
}

/// Asks twice, in two ways, whether to delete everything.
struct ResetQuestionScreen: IdleScreen {
    /// The keys that have to be typed again; nil while OK is asked for.
    var sequence: KeySequence?

    var takesCodes: Bool { false }

    func show(_ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.state = .idle(self)
        return [.startTimer(.typing, KioskTiming.entry, .none)]
    }

    func view(_ kiosk: KioskMachine) -> KioskView {
        let cancel = ViewAction(.back, .actionBack)
        return sequence == nil
            ? KioskView(
                .resetQuestion, .ask, title: Prompt(.resetTitle), lines: [Prompt(.resetHelp)], factCount: 1,
                actions: [ViewAction(.enter, .actionDelete), cancel])
            : KioskView(
                .resetQuestion, .ask, title: Prompt(.resetTitle), lines: [Prompt(.resetAgain)], actions: [cancel])
    }

    func pressed(_ key: KnownKey, _ kiosk: inout KioskMachine) -> [KioskAction] {
        guard var sequence else {
            switch key {
            case .enter: return ResetQuestionScreen(sequence: KeySequence(kiosk.resetKeys)).show(&kiosk)
            case .back, .clear: return kiosk.leave()
            case .digit, .pinDigit, .codeKey, .menu, .character: return []
            }
        }
        // A wrong key may be another person's, or a second thought: nothing is deleted.
        guard sequence.isNext(key) else { return kiosk.leave() }
        _ = sequence.hear(key)
        guard sequence.isComplete else { return ResetQuestionScreen(sequence: sequence).show(&kiosk) }
        kiosk.state = .idle(ResettingScreen())
        return [.stopTimer(.typing), .reset]
    }
}

/// Deletes everything; then the kiosk restarts as when it was new.
struct ResettingScreen: IdleScreen {
    var isDone = false

    var takesCodes: Bool { false }

    func view(_ kiosk: KioskMachine) -> KioskView {
        isDone
            ? KioskView(.resetting, .success, title: Prompt(.resetDone))
            : KioskView(.resetting, .working, title: Prompt(.resetting), isBusy: true)
    }

    func pressed(_ key: KnownKey, _ kiosk: inout KioskMachine) -> [KioskAction] { [] }

    func fired(_ timer: KioskTimer, _ kiosk: inout KioskMachine) -> [KioskAction] {
        timer == .notice && isDone ? [.restart] : []
    }
}

extension KioskMachine {
    /// Answers `reset`.
    public mutating func resetEnded(isDone: Bool) -> [KioskAction] {
        guard case .idle(let screen as ResettingScreen) = state, !screen.isDone else { return [] }
        guard isDone else {
            return backToScanning() + ScanScreen(notice: Prompt(.resetFailed)).show(for: KioskTiming.cardNotice, &self)
        }
        state = .idle(ResettingScreen(isDone: true))
        return [.startTimer(.notice, KioskTiming.success, .none)]
    }

    /// Whether keys may belong to the reset sequence. Keys that came faster than a hand types are then ignored.
    public var hearsResetKeys: Bool {
        if case .idle(is ResetQuestionScreen) = state { return true }
        return bootKeys != nil && isScanning
    }

    /// Takes a key in the first seconds.
    ///
    /// - Returns: nil when it does not belong to the sequence.
    mutating func hearBootKey(_ key: KnownKey) -> [KioskAction]? {
        guard var keys = bootKeys, keys.hear(key) else {
            bootKeys?.forget()
            return nil
        }
        bootKeys = keys.isComplete ? nil : keys
        guard keys.isComplete else { return [] }
        restStep = nil
        return [.stopTimer(.boot), .stopTimer(.notice)] + pauseCamera() + ResetQuestionScreen().show(&self)
    }

    /// Forgets the reset keys pressed so far, because keys are missing or were pasted.
    mutating func forgetResetKeys() -> [KioskAction] {
        bootKeys?.forget()
        if case .idle(is ResetQuestionScreen) = state { return leave() }
        return []
    }
}
