// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Asks for a new PIN twice. The interpreter holds the digits, and checks them when an entry is complete.
struct NewPINScreen: SessionScreen {
    enum Round: Sendable, Hashable { case first, second }

    let identity: KioskIdentity
    var round = Round.first
    var typed = 0
    var hint: PromptKey?
    /// Whether the interpreter is checking digits, which the machine must not know.
    var isChecking = false
    /// Whether shares wait for the PIN; otherwise it replaces an old one.
    var isForShares = true

    var secretEntry: SecretEntry? { isChecking ? nil : .pin }
    var mayHoldDigits: Bool { true }
    var identityWithShares: KioskIdentity? { isForShares ? identity : nil }

    /// Begins with the first round again.
    private func first(hint: PromptKey? = nil) -> NewPINScreen {
        NewPINScreen(identity: identity, hint: hint, isForShares: isForShares)
    }

    func show(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.show(self, session)
        return [
            .startTimer(.session, KioskTiming.activation, session.number),
            .startTimer(.entry, KioskTiming.entry, session.number),
        ]
    }

    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        let minimum = identity.minimumNewPINLength(kiosk.policy)
        let help = Prompt(minimum == identity.pinCapacity ? .newPINHelpExact : .newPINHelp, [.minimum: "\(minimum)"])
        // A new PIN that replaces an old one is sent together with it.
        let later = isForShares ? [] : [Prompt(.currentPINCheckedLater)]
        let titles = session.rules.newPINTitles(identity)
        return KioskView(
            round == .first ? .newPIN : .newPINAgain, .ask,
            title: Prompt(round == .first ? titles.first : titles.again),
            lines: session.whoAndWhere(identity) + [help] + later, hint: hint.map { Prompt($0) },
            entry: .masked(count: typed, capacity: identity.pinCapacity), actions: ViewAction.pin,
            countdown: KioskTiming.entry)
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        guard !isChecking else { return [] }
        var next = self
        if let edits = key.edits(ofPIN: &next.typed, capacity: identity.pinCapacity) {
            // A digit beyond the capacity changes nothing.
            if !edits.isEmpty {
                next.hint = nil
                kiosk.show(next, session)
            }
            return edits.map { .entry($0) } + [.startTimer(.entry, KioskTiming.entry, session.number)]
        }
        switch key {
        case .back:
            guard round == .second else { return declined(session, &kiosk) }
            return [.entry(.wipe)] + first().show(session, &kiosk)
        case .enter: return entered(session, &kiosk)
        case .digit, .pinDigit, .codeKey, .clear, .menu, .character: return []
        }
    }

    private func entered(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        var next = self
        guard typed >= identity.minimumNewPINLength(kiosk.policy) else {
            next.hint = .pinTooShort
            kiosk.show(next, session)
            return []
        }
        next.hint = nil
        next.isChecking = true
        kiosk.show(next, session)
        return [.stopTimer(.entry), .entry(round == .first ? .checkNew : .compareNew)]
    }

    func checked(
        _ result: NewPINResult, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        guard isChecking, round == .first else { return [] }
        let (round, hint): (Round, PromptKey?) =
            switch (result, kiosk.policy.weakPINs) {
            case (.good, _): (.second, nil)
            case (.easyToGuess, .warn): (.second, .newPINWeak)
            case (.easyToGuess, .refuse): (.first, .newPINTooWeak)
            case (.allZeros, _): (.first, .newPINAllZeros)
            case (.unchanged, _): (.first, .newPINUnchanged)
            }
        return (round == .first ? [.entry(.wipe)] : [])
            + NewPINScreen(identity: identity, round: round, hint: hint, isForShares: isForShares)
            .show(session, &kiosk)
    }

    func compared(areEqual: Bool, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        guard isChecking, round == .second else { return [] }
        guard areEqual else {
            return [.entry(.wipe)]
                + first(hint: .newPINMismatch).show(session, &kiosk)
        }
        return session.rules.pinChosen(session, identity, &kiosk)
    }

    func keysWereLost(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        guard !isChecking else { return [] }
        kiosk.show(
            NewPINScreen(identity: identity, round: round, hint: .pinKeyByKey, isForShares: isForShares), session)
        // The first of two entries was typed by hand and stays.
        return [.entry(.clear), .startTimer(.entry, KioskTiming.entry, session.number)]
    }

    func fired(
        _ timer: KioskTimer, isOfSession: Bool, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        let isOver = timer == .session || timer == .entry && !isChecking
        return isOver && isOfSession ? timedOut(session, &kiosk) : []
    }
}
