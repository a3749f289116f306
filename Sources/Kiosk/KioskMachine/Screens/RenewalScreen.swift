// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Shows how to recover an identity that is blocked, or has no tries left here. A new registration by mail leaves it as
/// it is until the person has followed the mail and chosen a PIN.
struct RenewalScreen: SessionScreen {
    let identity: KioskIdentity

    private var isBlocked: Bool { identity.progress == .blocked }
    private var outcome: SessionOutcome { isBlocked ? .blocked : .triesUsed }

    func show(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.show(self, session)
        return [.startTimer(.session, KioskTiming.session, session.number)]
    }

    /// Whether the person may try the PIN: the service may have unblocked the identity.
    private func takesPIN(_ session: Session, _ kiosk: KioskMachine) -> Bool {
        isBlocked && kiosk.hold(session, identity) != .tries
    }

    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        let takesPIN = takesPIN(session, kiosk)
        return KioskView(
            .identityDetails, .ask, title: Prompt(isBlocked ? .blockedTitle : .triesUsed),
            lines: session.whoAndWhere(identity)
                + [Prompt(takesPIN ? .blockedHelp : isBlocked ? .blockedHelpNamed : .triesUsedHelp)],
            actions: (takesPIN ? [ViewAction(.enter, .actionTryPIN)] : [])
                + [ViewAction(.digit(1), .actionRenew), ViewAction(.back, .actionBack)])
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        switch key {
        case .enter where takesPIN(session, kiosk):
            // Proceeds as with any other identity: the server decides whether it is still blocked.
            var tried = identity
            tried.progress = .registered
            return kiosk.askProof(session, tried)
        case .digit(1):
            var session = session
            session.renewed = identity
            return kiosk.register(
                at: StartingRenewal(identity: identity), identity.userID, session, after: kiosk.pauseCamera())
        case .back: return kiosk.conclude(session, outcome, Prompt(session.rules.declined))
        case .enter, .digit, .pinDigit, .codeKey, .clear, .menu, .character: return []
        }
    }

    func timedOut(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.conclude(session, outcome, Prompt(session.rules.timedOut))
    }
}

/// Sends a mail to the person's own address.
struct StartingRenewal: StepScreen {
    let identity: KioskIdentity

    var step: KioskStep { .renewRegistration(identity) }
    var title: Prompt { Prompt(.sendingMail) }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        switch answer {
        case .registrationStarted(let identity):
            return kiosk.registrationStarted(session, identity, hint: nil)
        case .verificationStarted(let content) where session.verifiesAddress:
            var session = session
            session.mail = content
            return ActivationEntryScreen(userID: identity.userID).show(session, &kiosk)
        default: return nil
        }
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        let outcome = failure.outcome(at: .registering)
        return outcome == .notOffered
            ? kiosk.conclude(session, outcome, Prompt(.renewalNeedsPage), stepIsOver: true)
            : kiosk.conclude(session, outcome, because: failure, failed: .registrationFailed)
    }
}
