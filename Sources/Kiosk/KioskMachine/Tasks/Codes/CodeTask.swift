// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

/// Digits that the server issues, for the person to type elsewhere: a one-time password, or a registration code for
/// another device of the same person.
struct CodeTask: TaskRules {
    let name: String
    let title: PromptKey
    let help: PromptKey
    /// The sentence after the digits expired.
    let expired: PromptKey
    /// Whether it is offered to people with a personal card.
    var isForCards = true
    var menuEntry = MenuEntry.standard

    static let oneTimePassword = CodeTask(
        name: "one-time-password", title: .taskOneTimePassword, help: .oneTimePasswordHelp,
        expired: .oneTimePasswordExpired)
    /// Off by default: somebody who has seen a PIN could register a device for the person.
    static let registrationCode = CodeTask(
        name: "registration-code", title: .taskRegistrationCode, help: .registrationCodeHelp,
        expired: .registrationCodeExpired,
        isForCards: false, menuEntry: .onceWanted)

    /// Refuses people with a card: the card expires, but an identity registered with its code would not.
    func begin(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        guard session.holder == nil || isForCards else {
            return kiosk.conclude(session, .notAllowed, Prompt(.cardMakesNoCode), stepIsOver: true)
        }
        return kiosk.identify(session)
    }

    func proved(
        _ answer: StepAnswer, by identity: KioskIdentity, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction]? {
        guard case .codeIssued(let lifetime, _) = answer else { return nil }
        let timeLeft = max(min(lifetime, KioskTiming.issuedCode), .seconds(1))
        return [.stopTimer(.session)]
            + IssuedCodeScreen(task: self, identity: identity, timeLeft: timeLeft).show(session, &kiosk)
    }
}

/// The interpreter holds the digits. The machine knows their lifetime, and removes them from the screen in time.
struct IssuedCodeScreen: SessionScreen {
    let task: CodeTask
    let identity: KioskIdentity
    let timeLeft: Duration

    var outcomeWhenStopped: SessionOutcome { .codeIssued }

    func show(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.show(self, session)
        return [.startTimer(.codeLife, KioskTiming.countdownStep(from: timeLeft), session.number)]
    }

    /// The interpreter adds the digits.
    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        KioskView(
            .issuedCode, .success, title: Prompt(task.title),
            lines: session.whoAndWhere(identity) + [
                Prompt(task.help), Prompt(.codeTimeLeft, [.seconds: "\(timeLeft.wholeSeconds)"]),
            ], entry: .digits(SecretBytes(copying: [])), actions: [ViewAction(.enter, .actionDone)])
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        key == .enter || key == .back ? leave(session, &kiosk) : []
    }

    /// Shows the remaining time, and leaves when the code's or the session's time is over.
    func fired(
        _ timer: KioskTimer, isOfSession: Bool, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        guard timer == .codeLife, isOfSession else { return [] }
        let rest = timeLeft - KioskTiming.countdownStep(from: timeLeft)
        guard rest > .zero else {
            return leave(session, &kiosk) + ScanScreen(notice: Prompt(task.expired)).show(&kiosk)
        }
        return IssuedCodeScreen(task: task, identity: identity, timeLeft: rest).show(session, &kiosk)
    }

    /// Removes the code: the person has it, or it expired.
    private func leave(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        [.stopTimer(.codeLife), .closeSession(session.number, .codeIssued)] + kiosk.backToScanning()
    }
}
