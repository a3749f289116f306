// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

// Text that the machine may know: an e-mail address, and what finds one of several.
extension KioskMachine {
    mutating func typeIdentity(
        _ session: Session, proposal: String = "", hint: Prompt? = nil
    ) -> [KioskAction] {
        let entry = TextEntry(capacity: EmailAddress.maximumLength, text: proposal, tapsLetters: true)
        // An address is no PIN: the camera may look, for a code that carries it.
        return keepTyping(session, entry, hint: hint) + resumeCamera()
    }

    mutating func keepTyping(_ session: Session, _ entry: TextEntry, hint: Prompt? = nil) -> [KioskAction] {
        state = .typingIdentity(session, entry, hint: hint)
        let typing = KioskAction.startTimer(.session, KioskTiming.typing, session.number)
        return entry.isTapPending ? [typing, .startTimer(.tap, KioskTiming.tap, session.number)] : [typing]
    }

    mutating func keepChoosing(_ session: Session, _ entry: TextEntry, page: Int) -> [KioskAction] {
        state = .choosing(session, entry, hint: nil, page: page)
        return entry.isTapPending ? [.startTimer(.tap, KioskTiming.tap, session.number)] : []
    }

    /// A code in front of the camera while an address is typed. The code of the login page may still be there: that one is
    /// not what is meant.
    mutating func textSeen(_ session: Session, _ entry: TextEntry, _ reading: CodeReading) -> [KioskAction] {
        guard let address = reading.address else {
            if case .login = reading.verdict { return [] }
            return keepTyping(session, entry, hint: Prompt(.qrNotAnAddress))
        }
        var entry = entry
        entry.replace(with: address.text)
        return keepTyping(session, entry, hint: Prompt(.qrAddressRead))
    }

    mutating func identityEntered(_ session: Session, _ entry: TextEntry) -> [KioskAction] {
        guard let address = EmailAddress(entry.text) else {
            return keepTyping(session, entry, hint: Prompt(.emailInvalid))
        }
        let isKnown =
            session.purpose.endsWithRegistration
            ? session.hasRegistered(address.text)
            : session.identities.contains { $0.userID.isSameUserID(as: address.text) }
        guard !isKnown else { return keepTyping(session, entry, hint: Prompt(.identityExists)) }
        if session.purpose.endsWithRegistration { return beginActivation(session, address.text) }
        let wait = beginWaiting(session)
        state = .working(session, .startingRegistration(userID: address.text))
        return wait + pauseCamera() + [
            .startTimer(.session, KioskTiming.session, session.number),
            .perform(.startRegistration(userID: address.text), session.number),
        ]
    }

    mutating func acceptTap(session number: SessionNumber) -> [KioskAction] {
        switch state {
        case .typingIdentity(let session, var entry, let hint) where session.number == number:
            entry.acceptTap()
            state = .typingIdentity(session, entry, hint: hint)
            return []
        case .choosing(let session, var entry, let hint, let page) where session.number == number:
            entry.acceptTap()
            state = .choosing(session, entry, hint: hint, page: page)
            return []
        case .typingCode where number == .none, .typingActivation where number == .none: return [.code(.acceptTap)]
        default: return []
        }
    }
}
