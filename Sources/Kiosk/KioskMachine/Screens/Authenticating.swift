// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Fetches permits before the PIN is asked for.
struct StartingAuthentication: StepScreen {
    let identity: KioskIdentity
    let task: KioskTask
    /// Shown on the PIN screen.
    let hint: Prompt?

    var step: KioskStep { .startAuthentication(identity, for: task) }
    var stage: KioskStage { .authenticating }
    var title: Prompt { Prompt(.preparing) }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .authenticationStarted = answer else { return nil }
        return kiosk.askPIN(session, identity, hint: hint)
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.authenticationFailed(session, identity, failure)
    }
}

/// Sends the PIN. Keys do nothing: it is too late.
struct Authenticating: StepScreen {
    let identity: KioskIdentity
    let step: KioskStep

    var mayHoldDigits: Bool { true }
    var outcomeWhenStopped: SessionOutcome { .outcomeUnknown }
    var title: Prompt { Prompt(.authenticating) }

    /// The identity, if shares of a key for signing may be about to come.
    var identityWithShares: KioskIdentity? {
        if case .startSigningKey = step { identity } else { nil }
    }

    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        let (stage, title) = session.rules.proving(step)
        return KioskView(
            stage, .working, title: Prompt(title), lines: session.whoAndWhere(identity), isBusy: true)
    }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        var session = session
        session.isProved = true
        return session.rules.proved(answer, by: identity, session, &kiosk)
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        let actions = failure.passTwoWasSent ? kiosk.markUsed(session) : []
        return actions + kiosk.authenticationFailed(session, identity, failure)
    }

    func timedOut(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        // No document can have been signed before the key exists.
        if case .startSigningKey = step {
            return kiosk.conclude(session, .unreachable, Prompt(.unreachable))
        }
        return kiosk.markUsed(session)
            + kiosk.conclude(session, .outcomeUnknown, Prompt(session.rules.outcomeUnknown))
    }
}

extension KioskMachine {
    mutating func authenticationFailed(
        _ session: Session, _ identity: KioskIdentity, _ failure: KioskFailure
    ) -> [KioskAction] {
        var session = session
        var actions: [KioskAction] = []
        var line: Prompt?
        if failure.outcome == .wrongPIN || failure.outcome == .blocked && failure.passTwoWasSent {
            actions = noteWrongPIN(&session, identity)
        }
        if failure.outcome == .wrongPIN {
            line = hold(session, identity)?.prompt
            if line == nil, !session.isChosen { return actions + coolDown(session, identity) }
        }
        let outcome = failure.outcome(at: .authenticating)
        // An identity that was refused for good is worthless and prevents a new registration. This one goes, and no
        // other. A blocked one stays: the service may unblock it.
        let isWorthless = outcome == .revoked && failure.isFinal || outcome == .secretExpired
        if session.holder != nil, isWorthless { line = Prompt(.cardIsVoid) }
        return actions
            + conclude(
                session, outcome, because: failure, failed: session.rules.authenticationFailed(identity), line: line,
                deleting: isWorthless ? identity : nil)
    }

    /// Pauses, longer each time, then asks for the PIN again with the same code. The server counts, the kiosk only
    /// slows down.
    private mutating func coolDown(_ session: Session, _ identity: KioskIdentity) -> [KioskAction] {
        show(WrongPINScreen(identity: identity), session)
        return [
            .startTimer(.session, KioskTiming.session, session.number),
            .startTimer(.wrongPIN, KioskTiming.pause(afterWrongPINs: session.wrongPINs), session.number),
        ]
    }
}

/// The pause after a wrong PIN.
struct WrongPINScreen: SessionScreen {
    let identity: KioskIdentity

    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        KioskView(
            .wrongPIN, .failure, title: Prompt(.wrongPIN),
            lines: session.whoAndWhere(identity) + [Prompt(.wrongPINWait)], hint: session.wrongPINWarning(identity),
            isBusy: true, actions: [ViewAction(.back, .actionCancel)],
            countdown: KioskTiming.pause(afterWrongPINs: session.wrongPINs))
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        key == .back ? declined(session, &kiosk) : []
    }

    func fired(
        _ timer: KioskTimer, isOfSession: Bool, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        guard isOfSession else { return [] }
        switch timer {
        case .wrongPIN: return kiosk.askPIN(session, identity)
        case .session: return timedOut(session, &kiosk)
        default: return []
        }
    }
}
