// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

extension KioskMachine {
    /// - Parameter proposal: a text that is already typed.
    mutating func typeIdentity(
        _ session: Session, proposal: String = "", hint: Prompt? = nil
    ) -> [KioskAction] {
        let entry = TextEntry(capacity: EmailAddress.maximumLength, text: proposal, tapsLetters: true)
        // No PIN is typed here, so the camera may look for a code with the address.
        return IdentityEntryScreen(entry: entry, hint: hint).show(session, &self) + resumeCamera()
    }
}

/// The e-mail address of a newcomer, typed or in a QR code.
struct IdentityEntryScreen: TextScreen {
    var entry: TextEntry
    var hint: Prompt?

    var wantedReadings: WantedReadings { .address }

    func show(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.show(self, session)
        let typing = KioskAction.startTimer(.session, KioskTiming.typing, session.number)
        return entry.isTapPending ? [typing, .startTimer(.tap, KioskTiming.tap, session.number)] : [typing]
    }

    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        var lines = [Prompt(session.verifiesAddress ? .identityEntryHelpMail : session.rules.identityEntryHelp)]
        if entry.tapsLetters, !entry.hasKeyboard { lines.append(Prompt(.tapAddressHelp)) }
        if kiosk.isCameraWorking { lines.append(Prompt(.qrAddressHelp)) }
        return KioskView(
            .identityEntry, .ask, title: Prompt(.identityEntryTitle), lines: lines, hint: hint,
            entry: .text(entry.text),
            // Offers no key for letters once a keyboard was used.
            actions: ViewAction.typing + (entry.hasKeyboard ? [] : [.pad(tapsLetters: entry.tapsLetters)]))
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        var next = self
        next.hint = nil
        switch key {
        case .digit(let digit): next.entry.press(digit)
        case .character(let character): next.entry.append(character)
        case .clear: next.entry.removeAll()
        case .back where entry.isEmpty: return declined(session, &kiosk)
        case .back: next.entry.removeLast()
        case .menu:
            next.hint = hint
            next.entry.switchPad()
        case .enter: return entered(session, &kiosk)
        case .pinDigit, .codeKey: return []
        }
        return next.show(session, &kiosk)
    }

    private func entered(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        var refused = self
        guard let address = EmailAddress(entry.text) else {
            refused.hint = Prompt(.emailInvalid)
            return refused.show(session, &kiosk)
        }
        let isKnown =
            session.rules.endsWithRegistration
            ? session.hasRegistered(address.text)
            : session.identities.contains { $0.userID.isSameUserID(as: address.text) }
        guard !isKnown else {
            refused.hint = Prompt(.identityExists)
            return refused.show(session, &kiosk)
        }
        var session = session
        session.typedUser = address.text
        session.renewBlocked(address.text)
        return session.rules.register(address.text, session, &kiosk)
    }

    /// Ignores the login page's code, which may still be in view.
    func seen(_ reading: CodeReading, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        var next = self
        if let address = reading.address {
            next.entry.replace(with: address.text)
            next.hint = Prompt(.qrAddressRead)
        } else {
            if case .login = reading.decision { return [] }
            next.hint = Prompt(.qrNotAnAddress)
        }
        return next.show(session, &kiosk)
    }
}
