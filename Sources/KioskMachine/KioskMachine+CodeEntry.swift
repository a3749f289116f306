// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// An access code typed by hand, for a camera that cannot read: which service, then the code. There is no session yet, and
// the camera goes on looking: a code that it reads after all is as good.
extension KioskMachine {
    /// Whether keys belong to an access code, or to one that activates, now: the interpreter edits it, tells ``codeEdited()``, and forwards only OK,
    /// MENU, and BACK when nothing is typed.
    public var asksForCode: Bool {
        switch state {
        case .typingCode, .typingActivation: true
        default: false
        }
    }

    /// Whether the digits of a number pad are tapped for letters in the access code.
    public var tapsCodeLetters: Bool {
        switch state {
        case .typingCode(_, let tapsLetters, _), .typingActivation(_, _, let tapsLetters, _): tapsLetters
        default: false
        }
    }

    /// The code was changed by a key.
    public mutating func codeEdited() -> [KioskAction] {
        if case .typingActivation(let session, let userID, let tapsLetters, _) = state {
            state = .typingActivation(session, userID: userID, tapsLetters: tapsLetters, hint: nil)
            let typing = KioskAction.startTimer(.session, KioskTiming.activation, session.number)
            return tapsLetters ? [typing, .startTimer(.tap, KioskTiming.tap, .none)] : [typing]
        }
        guard case .typingCode(let service, let tapsLetters, _) = state else { return [] }
        state = .typingCode(service: service, tapsLetters: tapsLetters, hint: nil)
        let typing = KioskAction.startTimer(.typing, KioskTiming.typing, .none)
        return tapsLetters ? [typing, .startTimer(.tap, KioskTiming.tap, .none)] : [typing]
    }

    /// Answer of `submit`.
    ///
    /// - Parameter reading: nil when what was typed is no access code.
    public mutating func codeTyped(_ reading: CodeReading?) -> [KioskAction] {
        guard case .typingCode(let service, let tapsLetters, _) = state else { return [] }
        let typing = KioskAction.startTimer(.typing, KioskTiming.typing, .none)
        guard let reading, case .login(let domain) = reading.verdict else {
            state = .typingCode(service: service, tapsLetters: tapsLetters, hint: .codeMistyped)
            return [typing]
        }
        guard !codes.used.contains(reading.digest) else {
            state = .typingCode(service: service, tapsLetters: tapsLetters, hint: .codeAlreadyUsed)
            return [.refused(.alreadyUsed), .code(.wipe), typing]
        }
        return openSession(code: reading.digest, domain: domain, isTyped: true)
    }

    /// BACK with nothing typed or chosen, or nobody there.
    mutating func leaveCode() -> [KioskAction] {
        let wipe: [KioskAction] = asksForCode ? [.code(.wipe), .stopTimer(.tap)] : []
        return wipe + [.stopTimer(.typing)] + backToScanning()
    }
}
