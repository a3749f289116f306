// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension KioskMachine {
    /// Answer of `startAuthentication`: permits are there, the PIN can be asked for.
    public mutating func authenticationStarted(session number: SessionNumber) -> [KioskAction] {
        guard case .working(let session, .startingAuthentication(let identity, let hint)) = state,
            session.number == number
        else { return [] }
        return askPIN(session, identity, hint: hint)
    }

    /// Answer of `finishAuthentication` for a login: the browser is logged in.
    ///
    /// - Parameter canLogout: whether its session can be ended from here.
    public mutating func authenticated(canLogout: Bool = false, session number: SessionNumber) -> [KioskAction] {
        guard case .authenticating(let session, let identity) = state, session.number == number,
            session.purpose == .login
        else { return [] }
        let line = session.serviceName.map { Prompt(.successAt, [.service: $0]) }
        return markUsed(session)
            + conclude(
                session, .loggedIn, Prompt(.success), line: line, logout: canLogout ? identity : nil,
                stepIsOver: true)
    }

    /// Answer of any step that did not do what it was asked.
    public mutating func stepFailed(_ failure: KioskFailure, session number: SessionNumber) -> [KioskAction] {
        switch state {
        case .connecting(let session) where session.number == number:
            var outcome = failure.connectingOutcome(serviceIsKnown: session.service != nil)
            // A code that the server does not know is an old one, unless somebody typed it.
            if outcome == .sessionExpired, session.isTyped { outcome = .invalidCode }
            return conclude(session, outcome, outcome.message(failure, failed: .backendFailed), stepIsOver: true)
        case .working(let session, .readingSigner) where session.number == number,
            .working(let session, .preparingDocument) where session.number == number:
            return signingStepFailed(session, failure)
        case .working(let session, .finishingSigningKey) where session.number == number:
            return signingKeyFailed(session, failure)
        case .working(let session, .startingAuthentication(let identity, _)) where session.number == number:
            return loginFailed(session, identity, failure)
        case .working(let session, .deletingIdentity) where session.number == number:
            return deletionFailed(session, failure)
        case .working(let session, let work) where session.number == number:
            return registrationStepFailed(session, work, failure)
        case .authenticating(let session, let identity) where session.number == number:
            let actions = failure.passTwoWasSent ? markUsed(session) : []
            return actions + loginFailed(session, identity, failure)
        case .loggingOut(let conclusion) where conclusion.session == number: return logoutFailed(conclusion)
        default:
            return []
        }
    }

    mutating func prepare(
        _ session: Session, _ identity: KioskIdentity, hint: Prompt? = nil
    ) -> [KioskAction] {
        if session.purpose == .signing { return readSigner(session, identity, hint: hint) }
        let wait = beginWaiting(session)
        state = .working(session, .startingAuthentication(identity, hint: hint))
        return wait + [.perform(.startAuthentication(identity, for: session.purpose), session.number)]
    }

    mutating func askPIN(
        _ session: Session, _ identity: KioskIdentity, hint: Prompt? = nil
    ) -> [KioskAction] {
        state = .enteringPIN(session, identity, typed: 0, hint: hint)
        return [.startTimer(.entry, KioskTiming.entry, session.number)]
    }

    mutating func authenticate(_ session: Session, _ identity: KioskIdentity) -> [KioskAction] {
        let wait = beginWaiting(session)
        state = .authenticating(session, identity)
        return wait + [
            .stopTimer(.entry), .startTimer(.session, KioskTiming.session, session.number),
            .perform(
                signingStep(session, identity) ?? .finishAuthentication(identity, for: session.purpose), session.number),
        ]
    }

    private mutating func loginFailed(
        _ session: Session, _ identity: KioskIdentity, _ failure: KioskFailure
    ) -> [KioskAction] {
        if failure.reason == .wrongPIN, !session.isPicked { return coolDown(session, identity) }
        let outcome = failure.loginOutcome
        let failed: PromptKey =
            session.purpose != .signing
            ? .authenticationFailed : session.registersKey(for: identity) ? .signingKeyFailed : .signingFailed
        // What was refused for good is worth nothing, and stands in the way of a new registration; this person's identity
        // goes, nobody else's.
        let isWorthless =
            outcome == .blocked || outcome == .revoked && failure.isFinal || outcome == .secretExpired
        let message = outcome.message(
            failure, failed: failed, for: session.purpose, isScanned: session.code != nil)
        return conclude(
            session, outcome, message,
            deleting: isWorthless ? identity : nil, stepIsOver: true)
    }

    /// A pause that grows, then the PIN again on the same code: the server counts, the kiosk only slows down.
    private mutating func coolDown(_ session: Session, _ identity: KioskIdentity) -> [KioskAction] {
        var session = session
        session.wrongPINs += 1
        state = .coolingDown(session, identity)
        return [
            .startTimer(.session, KioskTiming.session, session.number),
            .startTimer(.wrongPIN, KioskTiming.pause(afterWrongPINs: session.wrongPINs), session.number),
        ]
    }
}
