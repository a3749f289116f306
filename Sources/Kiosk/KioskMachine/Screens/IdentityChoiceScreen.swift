// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Asks for one of several identities, by number or first letters. The person must not learn who else has an identity
/// here, so a text that fits none and one that fits several get the same answer.
struct IdentityChoiceScreen: TextScreen {
    /// The number that registers a new identity, as the help says.
    private static let someoneElse = 0
    /// The most characters of a number or of a name's beginning.
    private static let capacity = 32
    /// With single letters a passer-by could try the whole alphabet.
    private static let fewestLetters = 2

    var entry = TextEntry(capacity: IdentityChoiceScreen.capacity)
    var hint: PromptKey?
    var page = 0

    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        var lines = [Prompt(session.rules.isForKnownOnly ? .choiceHelpKnown : .choiceHelp)]
        var actions = [ViewAction(.enter, .actionOK), ViewAction(.back, .actionBack)]
        switch kiosk.policy.identityChoice {
        case .typed: if !entry.hasKeyboard { actions.append(.pad(tapsLetters: entry.tapsLetters)) }
        case .list:
            lines += KioskMachine.lines(session.identities.map { ($0.numberText, $0.name) }, page: page)
            if KioskMachine.pageCount(of: session.identities.count) > 1 {
                actions.append(ViewAction(.menu, .actionMore))
            }
        }
        return KioskView(
            .identityChoice, .ask, title: Prompt(.choiceTitle), lines: lines, hint: hint.map { Prompt($0) },
            entry: .text(entry.text), actions: actions)
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
            switch kiosk.policy.identityChoice {
            case .list: next.page = (page + 1) % KioskMachine.pageCount(of: session.identities.count)
            case .typed: next.entry.switchPad()
            }
        case .enter: return entry.isEmpty ? [] : entered(session, &kiosk)
        case .pinDigit, .codeKey: return []
        }
        kiosk.show(next, session)
        return next.entry.isTapPending ? [.startTimer(.tap, KioskTiming.tap, session.number)] : []
    }

    private func entered(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        if Int(entry.text) == Self.someoneElse, !session.rules.isForKnownOnly { return kiosk.typeIdentity(session) }
        guard let identity = identity(in: session) else {
            var next = self
            next.entry.removeAll()
            next.hint = .choiceUnknown
            kiosk.show(next, session)
            return []
        }
        var session = session
        session.isChosen = true
        return session.rules.chosen(identity, session, &kiosk)
    }

    /// The only identity with this number, or with a name that begins so.
    private func identity(in session: Session) -> KioskIdentity? {
        if let number = Int(entry.text) { return session.identities.first { $0.number == number } }
        guard entry.text.count >= Self.fewestLetters else { return nil }
        let beginning = entry.text.lowercased()
        let matches = session.identities.filter { $0.userID.lowercased().hasPrefix(beginning) }
        return matches.count == 1 ? matches[0] : nil
    }
}
