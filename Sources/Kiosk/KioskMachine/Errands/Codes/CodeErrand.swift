// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

/// Digits that the server issues, for the person to read and type in somewhere else: a password for one use, or a code
/// with which the same person enrols another device.
struct CodeErrand: ErrandRules {
    let name: String
    let title: PromptKey
    let help: PromptKey
    /// The digits have gone because their time was over.
    let expired: PromptKey
    /// Whether a person with a personal card gets one.
    var isForCards = true
    var menuEntry = MenuEntry.standard

    static let oneTimePassword = CodeErrand(
        name: "one-time-password", title: .errandOneTimePassword, help: .oneTimePasswordHelp,
        expired: .oneTimePasswordExpired)
    /// Off by default: a person who has seen a PIN could take the identity along with it.
    static let quickCode = CodeErrand(
        name: "quick-code", title: .errandQuickCode, help: .quickCodeHelp, expired: .quickCodeExpired,
        isForCards: false, menuEntry: .onceWanted)

    /// A card ends, and an identity that a code of it made would not.
    func begin(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        guard session.holder == nil || isForCards else {
            return kiosk.conclude(session, .notAllowed, Prompt(.cardMakesNoCode), stepIsOver: true)
        }
        return kiosk.identify(session)
    }

    func proved(
        _ answer: StepAnswer, _ session: Session, _ identity: KioskIdentity, _ kiosk: inout KioskMachine
    ) -> [KioskAction]? {
        guard case .codeIssued(let lifetime) = answer else { return nil }
        let timeLeft = max(min(lifetime, KioskTiming.issuedCode), .seconds(1))
        return [.stopTimer(.session)]
            + IssuedCodeScreen(errand: self, identity: identity, timeLeft: timeLeft).show(session, &kiosk)
    }
}

/// The digits stay with the interpreter; the machine knows how long they live, and takes them from the screen in time.
struct IssuedCodeScreen: SessionScreen {
    let errand: CodeErrand
    let identity: KioskIdentity
    let timeLeft: Duration

    var outcomeWhenStopped: SessionOutcome { .codeIssued }

    func show(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.show(self, session)
        return [.startTimer(.codeLife, KioskTiming.countdownStep(from: timeLeft), session.number)]
    }

    /// The interpreter puts in the digits.
    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        KioskView(
            .issuedCode, .success, title: Prompt(errand.title),
            lines: session.whoAndWhere(identity) + [
                Prompt(errand.help), Prompt(.codeTimeLeft, [.seconds: "\(timeLeft.wholeSeconds)"]),
            ], entry: .digits(SecretBytes(copying: [])), actions: [ViewAction(.enter, .actionDone)])
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        key == .enter || key == .back ? leave(session, &kiosk) : []
    }

    /// Some of the code's time has gone. The session's own time is over with it.
    func fired(
        _ timer: KioskTimer, isOfSession: Bool, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        guard timer == .codeLife, isOfSession else { return [] }
        let rest = timeLeft - KioskTiming.countdownStep(from: timeLeft)
        guard rest > .zero else {
            return leave(session, &kiosk) + ScanScreen(notice: Prompt(errand.expired)).show(&kiosk)
        }
        return IssuedCodeScreen(errand: errand, identity: identity, timeLeft: rest).show(session, &kiosk)
    }

    /// Blanks the code: the person has it, or its time is over.
    private func leave(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        [.stopTimer(.codeLife), .closeSession(session.number, .codeIssued)] + kiosk.backToScanning()
    }
}
