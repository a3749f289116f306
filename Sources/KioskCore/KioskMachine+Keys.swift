// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension KioskMachine {
    /// A digit outside a PIN.
    public mutating func digitPressed(_ digit: UInt8) -> [KioskAction] {
        switch state {
        case .choosing(let session, var entry, _):
            entry.append(digit: digit)
            state = .choosing(session, entry, hint: nil)
            return []
        case .typingIdentity(let session, var entry, _):
            entry.append(digit: digit)
            return keepTyping(session, entry)
        case .awaitingActivation(let session, let identity, _, let isDeleteArmed):
            switch digit {
            case 1: return restartRegistration(session, identity, hint: Prompt(.mailSentAgain))
            case 2: return deletePressed(session, identity, isArmed: isDeleteArmed)
            default: return []
            }
        case .untrusted, .scanning, .connecting, .consenting, .working, .choosingPIN, .judgingPIN, .enteringPIN,
            .authenticating, .coolingDown, .concluding, .stopped:
            return []
        }
    }

    /// A digit of a PIN; which one stays with the interpreter.
    public mutating func pinDigitPressed() -> [KioskAction] {
        guard let typed = state.typedDigits, let session = state.session else { return [] }
        let restart = KioskAction.startTimer(.entry, KioskTiming.entry, session.number)
        guard typed < Pin.lengths.upperBound else { return [restart] }
        setTypedDigits(typed + 1)
        return [.entry(.append), restart]
    }

    /// Keys came faster than a hand types, while a PIN is asked: none of them counts, nor what was typed before.
    public mutating func burstRefused() -> [KioskAction] {
        guard state.typedDigits != nil, let session = state.session else { return [] }
        setTypedDigits(0, hint: .pinKeyByKey)
        // The first of two entries of a new PIN was typed by hand and stays.
        return [.entry(.clear), .startTimer(.entry, KioskTiming.entry, session.number)]
    }

    public mutating func characterPressed(_ character: Character) -> [KioskAction] {
        guard case .typingIdentity(let session, var entry, _) = state else { return [] }
        entry.append(character)
        return keepTyping(session, entry)
    }

    public mutating func enterPressed() -> [KioskAction] {
        switch state {
        case .consenting(let session): return [.consented(session.number)] + identify(session)
        case .choosing(let session, let entry, _):
            return entry.isEmpty ? [] : identityNumberEntered(session, entry)
        case .typingIdentity(let session, let entry, _): return identityEntered(session, entry)
        case .awaitingActivation(let session, let identity, _, _): return confirmRegistration(session, identity)
        case .choosingPIN(let session, let identity, let round, let typed, _):
            guard typed >= minimumPINLength else { return [] }
            state = .judgingPIN(session, identity, round)
            return [.stopTimer(.entry), .entry(round == .first ? .judgeNew : .compareNew)]
        case .enteringPIN(let session, let identity, let typed, _):
            guard typed >= identity.minimumPINLength else { return [] }
            return authenticate(session, identity)
        case .concluding: return backToScanning()
        case .untrusted, .scanning, .connecting, .working, .judgingPIN, .authenticating, .coolingDown, .stopped:
            return []
        }
    }

    public mutating func clearPressed() -> [KioskAction] {
        switch state {
        case .consenting(let session): return declined(session)
        case .choosing(let session, let entry, _):
            state = .choosing(session, TextEntry(capacity: entry.capacity), hint: nil)
            return []
        case .typingIdentity(let session, let entry, _):
            return keepTyping(session, TextEntry(capacity: entry.capacity))
        case .choosingPIN(let session, _, _, _, _), .enteringPIN(let session, _, _, _):
            setTypedDigits(0)
            return [.entry(.clear), .startTimer(.entry, KioskTiming.entry, session.number)]
        case .untrusted, .scanning, .connecting, .working, .awaitingActivation, .judgingPIN, .authenticating,
            .coolingDown, .concluding, .stopped:
            return []
        }
    }

    /// One step back: the last character, and with nothing typed the session.
    public mutating func backPressed() -> [KioskAction] {
        switch state {
        case .choosing(let session, var entry, _) where !entry.isEmpty:
            entry.removeLast()
            state = .choosing(session, entry, hint: nil)
            return []
        case .typingIdentity(let session, var entry, _) where !entry.isEmpty:
            entry.removeLast()
            return keepTyping(session, entry)
        case .choosingPIN(let session, _, _, let typed, _) where typed > 0,
            .enteringPIN(let session, _, let typed, _) where typed > 0:
            setTypedDigits(typed - 1)
            return [.entry(.removeLast), .startTimer(.entry, KioskTiming.entry, session.number)]
        case .choosingPIN(let session, let identity, .second, _, _):
            return [.entry(.wipe)] + choosePIN(session, identity, .first)
        case .connecting(let session), .consenting(let session), .choosing(let session, _, _),
            .typingIdentity(let session, _, _), .awaitingActivation(let session, _, _, _),
            .choosingPIN(let session, _, .first, _, _), .enteringPIN(let session, _, _, _),
            .coolingDown(let session, _):
            return declined(session)
        case .concluding: return backToScanning()
        case .untrusted, .scanning, .working, .judgingPIN, .authenticating, .stopped:
            return []
        }
    }

    /// The next language while nothing else goes on; at the consent, somebody else.
    public mutating func menuPressed() -> [KioskAction] {
        if case .scanning = state {
            languageTurn = (languageTurn + 1) % KioskMachine.languageTurns
            return []
        }
        guard case .consenting(let session) = state, session.offersSomeoneElse else { return [] }
        // Choosing to be somebody is saying yes to the service.
        return [.consented(session.number)] + chooseIdentity(session)
    }

    private mutating func keepTyping(_ session: Session, _ entry: TextEntry) -> [KioskAction] {
        state = .typingIdentity(session, entry, hint: nil)
        return [.startTimer(.session, KioskTiming.typing, session.number)]
    }

    private mutating func setTypedDigits(_ count: Int, hint: PromptKey? = nil) {
        switch state {
        case .choosingPIN(let session, let identity, let round, _, _):
            state = .choosingPIN(session, identity, round, typed: count, hint: hint)
        case .enteringPIN(let session, let identity, _, _):
            state = .enteringPIN(session, identity, typed: count, hint: hint)
        default: break
        }
    }
}

extension KioskMachine.State {
    /// How many digits are typed where a PIN is asked; nil elsewhere.
    fileprivate var typedDigits: Int? {
        switch self {
        case .choosingPIN(_, _, _, let typed, _), .enteringPIN(_, _, let typed, _): typed
        default: nil
        }
    }
}

extension KioskMachine.Session {
    /// When the browser named the user there is nobody else to be.
    var offersSomeoneElse: Bool { details?.namedUser.isEmpty == true && identities.count == 1 }
}
