// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension KioskMachine {
    mutating func askPIN(_ session: Session, _ identity: KioskIdentity, hint: Prompt? = nil) -> [KioskAction] {
        show(PINScreen(identity: identity, hint: hint), session)
        return [.startTimer(.entry, KioskTiming.entry, session.number)]
    }
}

/// Asks for the PIN. The interpreter holds the digits.
struct PINScreen: SessionScreen {
    let identity: KioskIdentity
    var typed = 0
    var hint: Prompt?

    var secretEntry: SecretEntry? { .pin }
    var mayHoldDigits: Bool { true }

    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        let facts = session.rules.pinPurpose(session, identity) + session.whoAndWhere(identity)
        return KioskView(
            .pin, .ask, title: session.rules.pinTitle(session, identity), lines: facts + [identity.pinHelp],
            // A task asks for no consent, so the person reads the purpose of the PIN here.
            factCount: session.purpose == .login ? 0 : facts.count,
            hint: hint ?? session.wrongPINWarning(identity),
            entry: .masked(count: typed, capacity: identity.pinCapacity), actions: ViewAction.pin,
            countdown: KioskTiming.entry)
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        var next = self
        let number = session.number
        if let edits = key.edits(ofPIN: &next.typed, capacity: identity.pinCapacity) {
            // A digit beyond the capacity changes nothing.
            if !edits.isEmpty {
                next.hint = nil
                kiosk.show(next, session)
            }
            // Slow typing, or beginning again, shows that somebody is there.
            let prolonged = edits == [.append] ? [KioskAction.startTimer(.session, KioskTiming.session, number)] : []
            return edits.map { .entry($0) } + prolonged + [.startTimer(.entry, KioskTiming.entry, number)]
        }
        switch key {
        case .back: return declined(session, &kiosk)
        case .enter:
            guard typed >= identity.minimumPINLength else {
                next.hint = Prompt(.pinTooShort)
                kiosk.show(next, session)
                return []
            }
            return session.rules.pinTyped(session, identity, &kiosk)
        case .digit, .pinDigit, .codeKey, .clear, .menu, .character: return []
        }
    }

    func keysWereLost(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.show(PINScreen(identity: identity, hint: Prompt(.pinKeyByKey)), session)
        return [.entry(.clear), .startTimer(.entry, KioskTiming.entry, session.number)]
    }

    func fired(
        _ timer: KioskTimer, isOfSession: Bool, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        isOfSession && (timer == .session || timer == .entry) ? timedOut(session, &kiosk) : []
    }
}

extension KnownKey {
    /// Edits a typed PIN by a key.
    ///
    /// - Parameter typed: the number of typed digits.
    /// - Returns: the interpreter's actions, none for a digit beyond the capacity; nil for a key that edits nothing.
    func edits(ofPIN typed: inout Int, capacity: Int) -> [EntryAction]? {
        switch self {
        case .pinDigit where typed < capacity:
            typed += 1
            return [.append]
        case .pinDigit: return []
        case .clear:
            typed = 0
            return [.clear]
        case .back where typed > 0:
            typed -= 1
            return [.removeLast]
        case .digit, .codeKey, .enter, .back, .menu, .character: return nil
        }
    }
}
