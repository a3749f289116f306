// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Choosing another PIN for a registered identity: first the current PIN, then the new one twice. Only then the server
/// checks the old one, so that a person who leaves in between loses nothing. After that the device stores the new
/// token.
struct ChangePIN: TaskRules {
    var name: String { "change-pin" }
    var title: PromptKey { .taskChangePIN }
    var isForKnownOnly: Bool { true }
    var outcomeUnknown: PromptKey { .pinChangeUnknown }

    /// The title of the PIN screen. The server checks the PIN last. After a wrong one the title says so while the PIN
    /// is typed again.
    func pinTitle(_ session: Session, _ identity: KioskIdentity) -> Prompt {
        Prompt(session.wrongPINs == 0 ? .currentPINTitle : .currentPINAgainTitle)
    }

    func chosen(_ identity: KioskIdentity, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        // Checked before the PIN: the kiosk could not hand out the card with the new PIN.
        session.holder?.fitsScreen == false ? kiosk.keepOldCard(session) : kiosk.proceed(session, as: identity)
    }

    func pinTyped(_ session: Session, _ identity: KioskIdentity, _ kiosk: inout KioskMachine) -> [KioskAction] {
        [.entry(.keepOld)] + NewPINScreen(identity: identity, isForShares: false).show(session, &kiosk)
    }

    func pinChosen(_ session: Session, _ identity: KioskIdentity, _ kiosk: inout KioskMachine) -> [KioskAction] {
        // Registered in this session: the PIN just chosen is the first one.
        identity.progress == .registered
            ? kiosk.wait(at: ChangingPIN(identity: identity), session)
            : kiosk.wait(at: FinishingRegistration(identity: identity), session)
    }

    func authenticationFailed(_ identity: KioskIdentity) -> PromptKey { .pinChangeFailed }

    func nextStep(after sentence: PromptKey) -> PromptKey? { sentence == .pinChangeFailed ? .nextTryLater : nil }
}

/// Changes the PIN. After every failure the old one still works.
struct ChangingPIN: StepScreen {
    let identity: KioskIdentity

    var step: KioskStep { .finishAuthentication(identity, for: .changePIN) }
    var stage: KioskStage { .authenticating }
    var title: Prompt { Prompt(.changingPIN) }
    var mayHoldDigits: Bool { true }
    var outcomeWhenStopped: SessionOutcome { .outcomeUnknown }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .taskDone = answer else { return nil }
        var session = session
        session.isProved = true
        // The person's card still has the old PIN.
        if session.holder != nil {
            return kiosk.wait(at: WritingCard(identity: identity, after: .changeOfPIN), session)
        }
        return kiosk.conclude(session, .pinChanged, Prompt(.pinChanged), stepIsOver: true)
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.authenticationFailed(session, identity, failure)
    }

    func timedOut(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.conclude(session, .outcomeUnknown, Prompt(session.rules.outcomeUnknown))
    }
}
