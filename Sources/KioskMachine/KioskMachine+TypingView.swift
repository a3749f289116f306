// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

// The views in which a text, a number or an access code is typed.
extension KioskMachine {
    func serviceChoiceView(_ errand: Errand, _ entry: TextEntry, hint: PromptKey?, page: Int) -> KioskView {
        let places = places(for: errand)
        let list = KioskMachine.lines(places.enumerated().map { ("\($0.offset + 1)", $0.element) }, page: page)
        var actions = [ViewAction(.enter, .actionOK), ViewAction(.back, .actionBack)]
        if KioskMachine.pageCount(of: places.count) > 1 { actions.append(ViewAction(.menu, .actionMore)) }
        return KioskView(
            .serviceChoice, .ask, title: Prompt(errand == .localLogin ? .doorChoiceTitle : .serviceChoiceTitle),
            lines: [Prompt(errand == .localLogin ? .doorChoiceHelp : .serviceChoiceHelp)] + list,
            hint: hint.map { Prompt($0) }, entry: .text(entry.text), actions: actions)
    }

    /// The interpreter puts in what is typed.
    func codeView(_ service: String, tapsLetters: Bool, hint: PromptKey?) -> KioskView {
        KioskView(
            .codeEntry, .ask, title: Prompt(.codeEntryTitle),
            lines: [Prompt(.consentDomain, [.domain: service]), Prompt(.codeEntryHelp)]
                + (tapsLetters ? [Prompt(.tapHelp)] : []),
            hint: hint.map { Prompt($0) }, entry: .code(SecretBytes(copying: [])),
            actions: typingActions + [ViewAction(.menu, tapsLetters ? .actionDigits : .actionLetters)])
    }

    func identityChoiceView(_ session: Session, _ entry: TextEntry, hint: PromptKey?, page: Int) -> KioskView {
        var lines = [Prompt(session.purpose == .identities ? .choiceHelpKnown : .choiceHelp)]
        var actions = [ViewAction(.enter, .actionOK), ViewAction(.back, .actionBack)]
        switch policy.identityChoice {
        case .typed: actions += padActions(entry)
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

    func identityEntryView(_ session: Session, _ entry: TextEntry, hint: Prompt?) -> KioskView {
        let help: PromptKey =
            switch session.purpose {
            case .enrolment: .identityEntryHelpCode
            case .verification: .identityEntryHelpMail
            default: .identityEntryHelp
            }
        var lines = [Prompt(help)]
        if entry.tapsLetters, !entry.hasKeyboard { lines.append(Prompt(.tapAddressHelp)) }
        if isCameraWorking { lines.append(Prompt(.qrAddressHelp)) }
        return KioskView(
            .identityEntry, .ask, title: Prompt(.identityEntryTitle), lines: lines, hint: hint,
            entry: .text(entry.text), actions: typingActions + padActions(entry))
    }

    var typingActions: [ViewAction] {
        [ViewAction(.enter, .actionOK), ViewAction(.back, .actionBack), ViewAction(.clear, .actionClear)]
    }

    /// Nothing where a keyboard has shown itself.
    private func padActions(_ entry: TextEntry) -> [ViewAction] {
        entry.hasKeyboard ? [] : [ViewAction(.menu, entry.tapsLetters ? .actionDigits : .actionLetters)]
    }

    static func lines(_ list: [(number: String, name: String)], page: Int) -> [Prompt] {
        list.dropFirst(page * pageLength).prefix(pageLength).map {
            Prompt(.listEntry, [.number: $0.number, .user: $0.name])
        }
    }
}
