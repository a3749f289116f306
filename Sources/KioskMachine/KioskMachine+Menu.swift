// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// What else a person can do here than log a browser in. An errand is a session without the code of a login: the service is
// chosen from the trust list, and from there on it goes the way of a login, but for the consent, which begins nothing that
// the person did not begin.
extension KioskMachine {
    /// Each entry has a digit of its own.
    static let menuCapacity = 9

    mutating func openMenu() -> [KioskAction] {
        guard !errands.isEmpty else { return [] }
        return keepMenu(page: 0)
    }

    mutating func keepMenu(page: Int) -> [KioskAction] {
        state = .menu(page: page, hint: nil)
        return [.stopTimer(.notice), .startTimer(.typing, KioskTiming.typing, .none)]
    }

    /// - Parameter number: an entry's, also on another page.
    mutating func menuEntryChosen(_ number: Int, page: Int) -> [KioskAction] {
        guard errands.indices.contains(number - 1) else { return keepMenu(page: page) }
        return begin(errands[number - 1])
    }

    private mutating func begin(_ errand: Errand) -> [KioskAction] {
        switch errand {
        case .login, .oneTimePassword, .quickCode, .localLogin, .identities, .enrolment, .verification, .signing:
            chooseService(for: errand)
        }
    }

    /// Asks for the service, unless there is only one.
    mutating func chooseService(for errand: Errand) -> [KioskAction] {
        let places = places(for: errand)
        guard !places.isEmpty else { return [] }
        if places.count == 1 { return [.stopTimer(.notice)] + serviceChosen(0, for: errand) }
        state = .choosingService(errand, TextEntry(capacity: 4), hint: nil, page: 0)
        return [.stopTimer(.notice), .startTimer(.typing, KioskTiming.typing, .none)]
    }

    mutating func serviceEntered(_ errand: Errand, _ entry: TextEntry, page: Int) -> [KioskAction] {
        guard let number = Int(entry.text), places(for: errand).indices.contains(number - 1) else {
            let hint: PromptKey = errand == .localLogin ? .doorNumberUnknown : .serviceUnknown
            state = .choosingService(errand, TextEntry(capacity: entry.capacity), hint: hint, page: page)
            return [.startTimer(.typing, KioskTiming.typing, .none)]
        }
        return serviceChosen(number - 1, for: errand)
    }

    /// - Parameter service: a door's place in its list for a login at the kiosk itself.
    mutating func serviceChosen(_ service: Int, for errand: Errand) -> [KioskAction] {
        guard errand != .login else {
            state = .typingCode(service: service, tapsLetters: false, hint: nil)
            return [.startTimer(.typing, KioskTiming.typing, .none)]
        }
        var session = makeSession(for: errand, domain: domain(of: service, for: errand))
        if errand == .localLogin { session.door = DisplayText(doors[service].name) }
        state = .connecting(session)
        return [
            .stopTimer(.typing), .openErrand(session.number, errand, service: service),
            .startTimer(.session, KioskTiming.session, session.number), .perform(.readService, session.number),
        ]
    }

    /// A session without an access code.
    mutating func makeSession(for errand: Errand, domain: String) -> Session {
        lastSession = lastSession.next
        restStep = nil
        return Session(number: lastSession, purpose: errand, code: nil, domain: domain)
    }

    func menuView(page: Int, hint: PromptKey?) -> KioskView {
        var actions = errands.enumerated().dropFirst(page * KioskMachine.pageLength).prefix(KioskMachine.pageLength).map
        {
            ViewAction(.digit(UInt8($0.offset + 1)), $0.element.title)
        }
        if KioskMachine.pageCount(of: errands.count) > 1 { actions.append(ViewAction(.menu, .actionMore)) }
        actions.append(ViewAction(.back, .actionBack))
        return KioskView(
            .menu, .ask, title: Prompt(.menuTitle), lines: [Prompt(.menuHelp)], hint: hint.map { Prompt($0) },
            actions: actions)
    }
}
