// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

/// Takes an access code typed by hand, for a camera that cannot read it. There is no session yet, and the camera keeps
/// searching: a code that it reads is used instead. Only the interpreter holds the typed text.
struct CodeEntryScreen: IdleScreen {
    /// The service's index in the list.
    let service: Int
    var tapsLetters = false
    var hint: PromptKey?

    var secretEntry: SecretEntry? { .code(tapsLetters: tapsLetters) }
    var wantedReadings: WantedReadings { [] }

    /// The interpreter adds the typed text.
    func view(_ kiosk: KioskMachine) -> KioskView {
        KioskView(
            .codeEntry, .ask, title: Prompt(.codeEntryTitle),
            lines: [Prompt(.consentDomain, [.domain: kiosk.services[service]]), Prompt(.codeEntryHelp)]
                + (tapsLetters ? [Prompt(.tapHelp)] : []),
            hint: hint.map { Prompt($0) }, entry: .code(SecretBytes(copying: [])),
            actions: ViewAction.typing + [.pad(tapsLetters: tapsLetters)])
    }

    func pressed(_ key: KnownKey, _ kiosk: inout KioskMachine) -> [KioskAction] {
        let typing = KioskAction.startTimer(.typing, KioskTiming.typing, .none)
        switch key {
        case .codeKey:
            kiosk.state = .idle(CodeEntryScreen(service: service, tapsLetters: tapsLetters))
            return tapsLetters ? [typing, .startTimer(.tap, KioskTiming.tap, .none)] : [typing]
        case .menu:
            kiosk.state = .idle(CodeEntryScreen(service: service, tapsLetters: !tapsLetters, hint: hint))
            return [.code(.acceptTap), typing]
        case .enter: return [.code(.submit(service: service))]
        case .back: return kiosk.leave()
        case .digit, .pinDigit, .clear, .character: return []
        }
    }

    func submitted(_ reading: CodeReading?, _ kiosk: inout KioskMachine) -> [KioskAction] {
        let typing = KioskAction.startTimer(.typing, KioskTiming.typing, .none)
        guard let reading, case .login(let domain) = reading.decision else {
            kiosk.state = .idle(CodeEntryScreen(service: service, tapsLetters: tapsLetters, hint: .codeMistyped))
            return [typing]
        }
        guard !kiosk.codes.used.contains(reading.digest) else {
            kiosk.state = .idle(CodeEntryScreen(service: service, tapsLetters: tapsLetters, hint: .codeAlreadyUsed))
            return [.refused(.alreadyUsed), .code(.wipe), typing]
        }
        return kiosk.openSession(with: reading, domain: domain, isTyped: true)
    }

    func refused(
        _ remark: PromptKey, for refusal: CodeRefusal, _ duration: Duration, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        if refusal.isOfMenuCard {
            kiosk.state = .idle(CodeEntryScreen(service: service, tapsLetters: tapsLetters, hint: remark))
        }
        return []
    }

    func fired(_ timer: KioskTimer, _ kiosk: inout KioskMachine) -> [KioskAction] {
        switch timer {
        case .typing: kiosk.leave()
        case .tap: [.code(.acceptTap)]
        default: []
        }
    }
}
