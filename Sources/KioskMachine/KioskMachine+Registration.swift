// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension KioskMachine {
    /// Answer of `startRegistration` and `restartRegistration`.
    public mutating func registrationStarted(
        _ identity: KioskIdentity, session number: SessionNumber
    ) -> [KioskAction] {
        guard case .working(let session, let work) = state, session.number == number else { return [] }
        let hint: Prompt
        switch work {
        case .startingRegistration: hint = Prompt(.identityCreated, [.user: identity.name])
        case .restartingRegistration(_, let restartHint): hint = restartHint
        case .confirmingRegistration, .finishingRegistration, .startingAuthentication, .deletingIdentity,
            .startingVerification, .finishingVerification, .readingSigner, .finishingSigningKey, .preparingDocument:
            return []
        }
        abandoned.removeAll { $0.isSamePerson(as: identity) }
        // A code is as good as a mail that was followed.
        return identity.progress == .activated || session.purpose.endsWithRegistration
            ? confirmRegistration(session, identity) : awaitActivation(session, identity, hint: hint)
    }

    /// Answer of `confirmRegistration`: the shares are in memory, once and for all.
    public mutating func registrationConfirmed(session number: SessionNumber) -> [KioskAction] {
        guard case .working(let session, .confirmingRegistration(let identity)) = state, session.number == number
        else { return [] }
        return choosePIN(session, identity, .first)
    }

    /// Answer of `judgeNew`.
    public mutating func newPINJudged(_ judgement: PINJudgement) -> [KioskAction] {
        guard case .judgingPIN(let session, let identity, .first, _) = state else { return [] }
        switch (judgement, policy.weakPINs) {
        case (.good, _): return choosePIN(session, identity, .second)
        case (.easyToGuess, .warn): return choosePIN(session, identity, .second, hint: .newPINWeak)
        case (.easyToGuess, .refuse):
            return [.entry(.wipe)] + choosePIN(session, identity, .first, hint: .newPINTooWeak)
        case (.allZeros, _): return [.entry(.wipe)] + choosePIN(session, identity, .first, hint: .newPINAllZeros)
        }
    }

    /// Answer of `compareNew`.
    public mutating func newPINsCompared(areEqual: Bool) -> [KioskAction] {
        guard case .judgingPIN(let session, let identity, .second, _) = state else { return [] }
        guard areEqual else { return [.entry(.wipe)] + choosePIN(session, identity, .first, hint: .newPINMismatch) }
        if session.registersKey(for: identity) { return finishSigningKey(session, identity) }
        let wait = beginWaiting(session)
        state = .working(session, .finishingRegistration(identity))
        return wait + [
            .startTimer(.session, KioskTiming.session, session.number),
            .perform(.finishRegistration(identity), session.number),
        ]
    }

    /// Answer of `finishRegistration`: the person logs in at once, unless the registration was what he came for.
    ///
    /// - Parameter identity: as it is registered, with its number.
    public mutating func registrationFinished(
        _ identity: KioskIdentity, session number: SessionNumber
    ) -> [KioskAction] {
        guard case .working(let session, .finishingRegistration) = state, session.number == number else { return [] }
        if session.purpose.endsWithRegistration {
            return conclude(session, .enrolled, Prompt(.enrolled, [.number: identity.numberText]), stepIsOver: true)
        }
        let hint = Prompt(.registered, [.number: identity.numberText])
        return [.startTimer(.session, KioskTiming.session, number)] + prepare(session, identity, hint: hint)
    }

    mutating func awaitActivation(
        _ session: Session, _ identity: KioskIdentity, hint: Prompt? = nil
    ) -> [KioskAction] {
        state = .awaitingActivation(session, identity, hint: hint, isDeleteArmed: false)
        return [.startTimer(.session, KioskTiming.activation, session.number)]
    }

    mutating func confirmRegistration(_ session: Session, _ identity: KioskIdentity) -> [KioskAction] {
        let wait = beginWaiting(session)
        state = .working(session, .confirmingRegistration(identity))
        return wait + [
            .startTimer(.session, KioskTiming.session, session.number),
            .perform(.confirmRegistration(identity), session.number),
        ]
    }

    mutating func restartRegistration(
        _ session: Session, _ identity: KioskIdentity, hint: Prompt
    ) -> [KioskAction] {
        let wait = beginWaiting(session)
        state = .working(session, .restartingRegistration(identity, hint: hint))
        return wait + [
            .startTimer(.session, KioskTiming.session, session.number),
            .perform(.restartRegistration(identity), session.number),
        ]
    }

    /// The first 2 asks, the second deletes: the person's own registration, and the person may begin again.
    mutating func deletePressed(
        _ session: Session, _ identity: KioskIdentity, isArmed: Bool
    ) -> [KioskAction] {
        guard isArmed else {
            state = .awaitingActivation(session, identity, hint: Prompt(.deleteReally), isDeleteArmed: true)
            return [.startTimer(.session, KioskTiming.activation, session.number)]
        }
        var session = session
        session.forget(identity)
        return [.deleteIdentity(identity)] + typeIdentity(session)
    }

    mutating func choosePIN(
        _ session: Session, _ identity: KioskIdentity, _ round: Round, hint: PromptKey? = nil
    ) -> [KioskAction] {
        state = .choosingPIN(session, identity, round, typed: 0, hint: hint)
        return [
            .startTimer(.session, KioskTiming.activation, session.number),
            .startTimer(.entry, KioskTiming.entry, session.number),
        ]
    }

    mutating func registrationStepFailed(
        _ session: Session, _ work: Work, _ failure: KioskFailure
    ) -> [KioskAction] {
        switch work {
        case .startingRegistration(let userID) where session.purpose.endsWithRegistration,
            .finishingVerification(let userID):
            return activationFailed(session, userID, failure)
        case .startingVerification:
            guard !failure.isAboutTrust, failure.reason != .notOffered else {
                let outcome = failure.loginOutcome
                return conclude(
                    session, outcome, outcome.message(failure, failed: .registrationFailed), stepIsOver: true)
            }
            let isRefused = failure.reason == .notVerified
            return typeIdentity(session, hint: isRefused ? Prompt(.verificationRefused) : registrationHint(failure))
        case .startingRegistration:
            guard !failure.isAboutTrust else { break }
            // Most people mistyped; a clean line is easier than a wrong one to edit on a number pad.
            return typeIdentity(session, hint: registrationHint(failure))
        case .confirmingRegistration(let identity) where session.purpose.endsWithRegistration:
            return confirmationFailed(session, identity, failure)
        case .restartingRegistration(let identity, _), .confirmingRegistration(let identity):
            guard !failure.isAboutTrust else { break }
            return awaitActivation(session, identity, hint: registrationHint(failure))
        case .finishingRegistration(let identity):
            return conclude(
                session, .registrationFailed, Prompt(.registrationFailedDeleted, [.status: failure.status]),
                deleting: identity, stepIsOver: true)
        case .startingAuthentication, .deletingIdentity, .readingSigner, .finishingSigningKey, .preparingDocument:
            return []
        }
        let outcome = failure.registrationOutcome
        return conclude(
            session, outcome, outcome.message(failure, failed: .registrationFailed), stepIsOver: true)
    }

    private func registrationHint(_ failure: KioskFailure) -> Prompt {
        switch failure.reason {
        case .notVerified: Prompt(.notVerifiedYet)
        case .registrationExpired, .requestExpired: Prompt(.registrationExpired)
        case .notAuthorized: Prompt(.notAuthorized)
        case .unreachable: Prompt(.unreachable)
        case .storage: Prompt(.storageFailed)
        case .storageFull: Prompt(.storageFull)
        default: Prompt(.registrationFailed, [.status: failure.status])
        }
    }
}

extension KioskMachine.Session {
    mutating func forget(_ identity: KioskIdentity) {
        guard let details else { return }
        self.details = BackendSession(
            application: details.application, customer: details.customer, namedUser: details.namedUser,
            signing: details.signing, identities: details.identities.filter { !$0.isSamePerson(as: identity) })
    }
}
