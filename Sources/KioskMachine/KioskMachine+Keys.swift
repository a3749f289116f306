// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

extension KioskMachine {
    /// A digit outside a PIN and outside an access code.
    public mutating func digitPressed(_ digit: UInt8) -> [KioskAction] {
        switch state {
        case .scanning:
            if isResting { return wake() }
            switch digit {
            case 0 where !isClockSet, 1 where !isClockSet: return []
            case 0: return chooseService(for: .login)
            case 1: return openMenu()
            case 2: return nextLanguage()
            default: return []
            }
        case .menu(let page, _): return menuEntryChosen(Int(digit), page: page)
        case .choosingService(let errand, var entry, _, let page):
            entry.press(digit)
            return keepChoosingService(errand, entry, page: page)
        case .choosing(let session, var entry, _, let page):
            entry.press(digit)
            return keepChoosing(session, entry, page: page)
        case .typingIdentity(let session, var entry, _):
            entry.press(digit)
            return keepTyping(session, entry)
        case .choosingDocument(let session, let identity, var entry, _, let page):
            entry.press(digit)
            return keepChoosingDocument(session, identity, entry, page: page)
        case .awaitingActivation(let session, let identity, _, let isDeleteArmed):
            switch digit {
            case 1: return restartRegistration(session, identity, hint: Prompt(.mailSentAgain))
            case 2: return deletePressed(session, identity, isArmed: isDeleteArmed)
            default: return []
            }
        case .showingIdentity(let session, let identity, let isDeleteArmed):
            return digit == 2 ? deleteShownPressed(session, identity, isArmed: isDeleteArmed) : []
        case .concluding(let conclusion): return digit == 1 ? logOut(conclusion) : []
        case .untrusted, .typingCode, .typingActivation, .connecting, .consenting, .working, .choosingPIN, .judgingPIN,
            .enteringPIN, .authenticating, .coolingDown, .showingCode, .reading, .askingToSign, .loggingOut, .stopped:
            return []
        }
    }

    /// A digit of a PIN; which one stays with the interpreter.
    public mutating func pinDigitPressed() -> [KioskAction] {
        guard let typed = state.typedDigits, let session = state.session else { return [] }
        let restart = KioskAction.startTimer(.entry, KioskTiming.entry, session.number)
        guard typed < state.pinCapacity else { return [restart] }
        setTypedDigits(typed + 1)
        return [.entry(.append), restart]
    }

    /// Keys came faster than a hand types, or were lost, while a PIN is asked: none of them counts, nor what was typed
    /// before.
    public mutating func pinDigitsRefused() -> [KioskAction] {
        guard state.typedDigits != nil, let session = state.session else { return [] }
        setTypedDigits(0, hint: .pinKeyByKey)
        // The first of two entries of a new PIN was typed by hand and stays.
        return [.entry(.clear), .startTimer(.entry, KioskTiming.entry, session.number)]
    }

    /// The keypad came or went. It is told on the scan screen. What was typed of a PIN is wiped when it goes: the next key
    /// may come from another hand.
    public mutating func keypadChanged(isWorking: Bool) -> [KioskAction] {
        isKeypadWorking = isWorking
        return isWorking ? [] : pinDigitsRefused()
    }

    public mutating func characterPressed(_ character: Character) -> [KioskAction] {
        switch state {
        case .scanning: return isResting ? wake() : []
        case .choosing(let session, var entry, _, let page):
            entry.append(character)
            return keepChoosing(session, entry, page: page)
        case .typingIdentity(let session, var entry, _):
            entry.append(character)
            return keepTyping(session, entry)
        default: return []
        }
    }

    public mutating func enterPressed() -> [KioskAction] {
        // The person cannot agree to what is not on the screen.
        if view.factCount > 0, screenLeavesFactsOut { return [] }
        switch state {
        case .scanning: return isResting ? wake() : []
        case .choosingService(let errand, let entry, _, let page):
            return entry.isEmpty ? [] : serviceEntered(errand, entry, page: page)
        case .typingCode(let service, _, _): return [.code(.submit(service: service))]
        case .typingActivation(let session, let userID, _, _): return activate(session, userID)
        case .consenting(let session): return [.consented(session.number)] + identify(session)
        case .choosing(let session, let entry, _, let page):
            return entry.isEmpty ? [] : identityChosen(session, entry, page: page)
        case .typingIdentity(let session, let entry, _): return identityEntered(session, entry)
        case .awaitingActivation(let session, let identity, _, _): return confirmRegistration(session, identity)
        case .choosingPIN(let session, let identity, let round, let typed, _):
            guard typed >= identity.minimumNewPINLength(policy) else {
                state = .choosingPIN(session, identity, round, typed: typed, hint: .pinTooShort)
                return []
            }
            state = .judgingPIN(session, identity, round, typed: typed)
            return [.stopTimer(.entry), .entry(round == .first ? .judgeNew : .compareNew)]
        case .enteringPIN(let session, let identity, let typed, _):
            guard typed >= identity.minimumPINLength else {
                state = .enteringPIN(session, identity, typed: typed, hint: Prompt(.pinTooShort))
                return []
            }
            return authenticate(session, identity)
        case .choosingDocument(let session, let identity, let entry, _, let page):
            return entry.isEmpty ? [] : documentEntered(session, identity, entry, page: page)
        case .reading(let session, let identity, let page, _): return pageRead(session, identity, page: page)
        case .askingToSign(let session, let identity): return signAgreed(session, identity)
        case .showingCode(let session, _, _): return codeIsOver(session)
        case .showingIdentity(let session, _, _): return leaveIdentity(session)
        case .concluding: return backToScanning()
        case .untrusted, .menu, .connecting, .working, .judgingPIN, .authenticating, .coolingDown, .loggingOut,
            .stopped:
            return []
        }
    }

    public mutating func clearPressed() -> [KioskAction] {
        switch state {
        case .scanning: return isResting ? wake() : nextLanguage()
        case .choosingService(let errand, let entry, _, let page):
            return keepChoosingService(errand, TextEntry(capacity: entry.capacity), page: page)
        case .choosingDocument(let session, let identity, let entry, _, let page):
            return keepChoosingDocument(session, identity, TextEntry(capacity: entry.capacity), page: page)
        case .consenting(let session): return consentRefused(session)
        case .choosing(let session, var entry, _, let page):
            entry.removeAll()
            return keepChoosing(session, entry, page: page)
        case .typingIdentity(let session, var entry, _):
            entry.removeAll()
            return keepTyping(session, entry)
        case .choosingPIN(let session, _, _, _, _), .enteringPIN(let session, _, _, _):
            setTypedDigits(0)
            return [.entry(.clear), .startTimer(.entry, KioskTiming.entry, session.number)]
        case .untrusted, .menu, .typingCode, .typingActivation, .connecting, .working, .awaitingActivation, .judgingPIN,
            .authenticating, .coolingDown, .showingCode, .showingIdentity, .reading, .askingToSign, .concluding,
            .loggingOut, .stopped:
            return []
        }
    }

    /// One step back: the last character, and with nothing typed the session.
    public mutating func backPressed() -> [KioskAction] {
        switch state {
        case .scanning: return isResting ? wake() : []
        case .choosingService(let errand, var entry, _, let page) where !entry.isEmpty:
            entry.removeLast()
            return keepChoosingService(errand, entry, page: page)
        case .menu, .choosingService, .typingCode: return leaveCode()
        case .choosing(let session, var entry, _, let page) where !entry.isEmpty:
            entry.removeLast()
            return keepChoosing(session, entry, page: page)
        case .typingIdentity(let session, var entry, _) where !entry.isEmpty:
            entry.removeLast()
            return keepTyping(session, entry)
        case .choosingDocument(let session, let identity, var entry, _, let page) where !entry.isEmpty:
            entry.removeLast()
            return keepChoosingDocument(session, identity, entry, page: page)
        case .reading(let session, let identity, let page, _): return pageTurnedBack(session, identity, page: page)
        case .askingToSign(let session, let identity): return signQuestionLeft(session, identity)
        case .choosingPIN(let session, _, _, let typed, _) where typed > 0,
            .enteringPIN(let session, _, let typed, _) where typed > 0:
            setTypedDigits(typed - 1)
            return [.entry(.removeLast), .startTimer(.entry, KioskTiming.entry, session.number)]
        case .choosingPIN(let session, let identity, .second, _, _):
            return [.entry(.wipe)] + choosePIN(session, identity, .first)
        case .consenting(let session): return consentRefused(session)
        case .connecting(let session), .choosing(let session, _, _, _), .typingIdentity(let session, _, _),
            .typingActivation(let session, _, _, _),
            .awaitingActivation(let session, _, _, _), .choosingPIN(let session, _, .first, _, _),
            .enteringPIN(let session, _, _, _), .coolingDown(let session, _),
            .choosingDocument(let session, _, _, _, _):
            return declined(session)
        case .showingCode(let session, _, _): return codeIsOver(session)
        case .showingIdentity(let session, _, _): return leaveIdentity(session)
        case .concluding: return backToScanning()
        case .untrusted, .working, .judgingPIN, .authenticating, .loggingOut, .stopped:
            return []
        }
    }

    /// The menu while nothing else goes on; at the consent, somebody else; in a list or a document, its next page; where letters can be
    /// tapped on a number pad, from letters to digits and back.
    public mutating func menuPressed() -> [KioskAction] {
        switch state {
        case .scanning:
            return isResting ? wake() : isClockSet ? openMenu() : []
        case .menu(let page, _): return keepMenu(page: (page + 1) % KioskMachine.pageCount(of: errands.count))
        case .choosingService(let errand, let entry, _, let page):
            return keepChoosingService(
                errand, entry, page: (page + 1) % KioskMachine.pageCount(of: places(for: errand).count))
        case .typingCode(let service, let tapsLetters, let hint):
            state = .typingCode(service: service, tapsLetters: !tapsLetters, hint: hint)
            return [.code(.acceptTap), .startTimer(.typing, KioskTiming.typing, .none)]
        case .typingActivation(let session, let userID, let tapsLetters, let hint):
            state = .typingActivation(session, userID: userID, tapsLetters: !tapsLetters, hint: hint)
            return [.code(.acceptTap), .startTimer(.session, KioskTiming.activation, session.number)]
        case .consenting(let session):
            guard session.offersSomeoneElse else { return [] }
            // Choosing to be somebody is saying yes to the service.
            return [.consented(session.number)] + chooseIdentity(session)
        case .choosing(let session, var entry, _, let page):
            guard policy.identityChoice == .typed else {
                let pages = KioskMachine.pageCount(of: session.identities.count)
                return keepChoosing(session, entry, page: (page + 1) % pages)
            }
            entry.switchPad()
            return keepChoosing(session, entry, page: page)
        case .choosingDocument(let session, let identity, let entry, let hint, let page):
            let pages = KioskMachine.pageCount(of: templates.count)
            return keepChoosingDocument(session, identity, entry, hint: hint, page: (page + 1) % pages)
        case .reading(let session, let identity, let page, _): return pageTurned(session, identity, page: page)
        case .typingIdentity(let session, var entry, let hint):
            entry.switchPad()
            return keepTyping(session, entry, hint: hint)
        default: return []
        }
    }

    private mutating func nextLanguage() -> [KioskAction] {
        languageTurn = (languageTurn + 1) % KioskMachine.languageTurns
        return []
    }

    private mutating func keepChoosingService(_ errand: Errand, _ entry: TextEntry, page: Int) -> [KioskAction] {
        state = .choosingService(errand, entry, hint: nil, page: page)
        return [.startTimer(.typing, KioskTiming.typing, .none)]
    }

    private mutating func setTypedDigits(_ count: Int, hint: PromptKey? = nil) {
        switch state {
        case .choosingPIN(let session, let identity, let round, _, _):
            state = .choosingPIN(session, identity, round, typed: count, hint: hint)
        case .enteringPIN(let session, let identity, _, _):
            state = .enteringPIN(session, identity, typed: count, hint: hint.map { Prompt($0) })
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

    fileprivate var pinCapacity: Int {
        switch self {
        case .choosingPIN(_, let identity, _, _, _), .enteringPIN(_, let identity, _, _): identity.pinCapacity
        default: 0
        }
    }
}

extension KioskMachine.Session {
    /// When the browser named the user there is nobody else to be.
    var offersSomeoneElse: Bool { details?.namedUser.isEmpty == true && identities.count == 1 }
}
