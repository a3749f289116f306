// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension KioskMachine {
    /// Ends the session with `outcome` and shows it.
    ///
    /// - Parameters:
    ///   - facts: what the person takes along.
    ///   - line: what to do next, where it is not what one does after `message`.
    ///   - logout: whose browser session can be ended from here now.
    ///   - stepIsOver: that the event is the answer of the step under way, so that there is none to cancel.
    mutating func conclude(
        _ session: Session, _ outcome: SessionOutcome, _ message: Prompt, facts: [Prompt] = [], line: Prompt? = nil,
        deleting identity: KioskIdentity? = nil, logout: KioskIdentity? = nil, stepIsOver: Bool = false
    ) -> [KioskAction] {
        var actions = giveUp(session, outcome, stepIsOver: stepIsOver, isDeleting: identity != nil)
        if let identity { actions.append(.deleteIdentity(identity)) }
        actions += [.stopTimer(.session), .stopTimer(.entry), .stopTimer(.wrongPIN)]
        actions += pauseCamera()
        actions.append(.closeSession(session.number, outcome))
        state = .concluding(
            Conclusion(
                session: session.number, outcome: outcome, message: message, facts: facts,
                line: line ?? message.key.nextStep(in: session.purpose).map { Prompt($0) },
                logout: logout))
        actions.append(.startTimer(.outcome, KioskTiming.display(of: outcome), session.number))
        return actions
    }

    /// The kiosk goes down. The last event.
    public mutating func stop() -> [KioskAction] {
        var actions: [KioskAction] = []
        if let session = state.session {
            // Too late to say that nothing happened.
            let outcome: SessionOutcome =
                switch state {
                case .authenticating: .outcomeUnknown
                case .showingCode: .codeIssued
                default: .stopped
                }
            actions += giveUp(session, outcome, stepIsOver: false, isDeleting: false)
            actions.append(.closeSession(session.number, outcome))
        }
        if asksForCode { actions.append(.code(.wipe)) }
        state = .stopped
        restStep = nil
        return actions
    }

    mutating func declined(_ session: Session) -> [KioskAction] {
        let message = state.identityToBeLost == nil ? session.purpose.declined : session.purpose.lostRegistration
        return conclude(session, .declined, Prompt(message))
    }

    /// "Not me": nobody was logged in, and the operator may want to know who put that code before the camera.
    mutating func consentRefused(_ session: Session) -> [KioskAction] {
        [.consentRefused(session.number)]
            + conclude(session, .declined, Prompt(session.purpose.declined), line: Prompt(.nextNotYours))
    }

    mutating func timedOut(_ session: Session) -> [KioskAction] {
        switch state {
        // Without its key nothing can have been signed.
        case .authenticating(_, let identity) where session.registersKey(for: identity):
            return conclude(session, .unreachable, Prompt(.unreachable))
        case .authenticating:
            let actions = markUsed(session)
            return actions + conclude(session, .outcomeUnknown, Prompt(session.purpose.outcomeUnknown))
        default:
            let line = state.identityToBeLost == nil ? nil : Prompt(session.purpose.lostRegistration)
            return conclude(session, .timedOut, Prompt(session.purpose.timedOut), line: line)
        }
    }

    mutating func backToScanning() -> [KioskAction] {
        state = .scanning(notice: nil)
        // The next person begins with the kiosk's own language.
        languageTurn = 0
        return [.stopTimer(.outcome)] + resumeCamera() + wake()
    }

    private mutating func giveUp(
        _ session: Session, _ outcome: SessionOutcome, stepIsOver: Bool, isDeleting: Bool
    ) -> [KioskAction] {
        var actions: [KioskAction] = []
        if state.hasStepUnderWay, !stepIsOver { actions.append(.cancelStep(session.number)) }
        if state.mayHoldDigits { actions.append(.entry(.wipe)) }
        // Shares that became a token are no shares any more.
        if let identity = state.identityWithShares, !isDeleting, outcome != .enrolled {
            if state.identityToBeLost != nil { abandon(identity) }
            actions.append(.forgetShares(identity))
        }
        if session.serverWasTold, outcome.abandonsCode { actions.append(.abort(session.number)) }
        return actions
    }

    private mutating func abandon(_ identity: KioskIdentity) {
        abandoned.removeAll { $0.isSamePerson(as: identity) }
        abandoned.append(identity)
        if abandoned.count > KioskMachine.abandonedCapacity { abandoned.removeFirst() }
    }
}
