// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Another PIN for an identity that is registered: the PIN that works until now, then the new one twice. Only then the
/// server judges the old one, so that a person who leaves in between has cost nothing, and the device makes the new one
/// count.
struct ChangePIN: ErrandRules {
    var name: String { "change-pin" }
    var title: PromptKey { .errandChangePIN }
    var isForKnownOnly: Bool { true }
    var outcomeUnknown: PromptKey { .pinChangeUnknown }

    /// The server judges it last. After a wrong one the title says so as long as it is typed again.
    func pinTitle(_ session: Session, _ identity: KioskIdentity) -> Prompt {
        Prompt(session.wrongPINs == 0 ? .currentPINTitle : .currentPINAgainTitle)
    }

    func picked(_ identity: KioskIdentity, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        // Before a PIN is asked for: the new one would be of a card that the person cannot get.
        session.holder?.fitsScreen == false ? kiosk.keepOldCard(session) : kiosk.proceed(session, as: identity)
    }

    func pinTyped(_ session: Session, _ identity: KioskIdentity, _ kiosk: inout KioskMachine) -> [KioskAction] {
        [.entry(.keepOld)] + NewPINScreen(identity: identity, isForShares: false).show(session, &kiosk)
    }

    func pinChosen(_ session: Session, _ identity: KioskIdentity, _ kiosk: inout KioskMachine) -> [KioskAction] {
        // Registered on the way: what was chosen is the first PIN.
        identity.progress == .registered
            ? kiosk.wait(at: ChangingPIN(identity: identity), session)
            : kiosk.wait(at: FinishingRegistration(identity: identity), session)
    }

    func authenticationFailed(_ identity: KioskIdentity) -> PromptKey { .pinChangeFailed }

    func nextStep(after sentence: PromptKey) -> PromptKey? { sentence == .pinChangeFailed ? .nextTryLater : nil }
}

/// Takes the old PIN and the new one. After every failure the old one is the one that works.
struct ChangingPIN: StepScreen {
    let identity: KioskIdentity

    var step: KioskStep { .finishAuthentication(identity, for: .changePIN) }
    var stage: KioskStage { .authenticating }
    var title: Prompt { Prompt(.changingPIN) }
    var mayHoldDigits: Bool { true }
    var outcomeWhenStopped: SessionOutcome { .outcomeUnknown }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .errandDone = answer else { return nil }
        var session = session
        session.isProved = true
        // What the person came with has the old PIN.
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
