// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// The steps of a registration, whatever it is for.

/// A newcomer's address goes to the server, which sends a mail.
struct StartingRegistration: StepScreen {
    let userID: String
    /// Whether a code goes along that activates it.
    var takesCode = false

    var step: KioskStep { takesCode ? .startRegistrationWithCode(userID: userID) : .startRegistration(userID: userID) }
    var title: Prompt { Prompt(.registering, [.user: DisplayText(userID).description]) }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .registrationStarted(let identity) = answer else { return nil }
        let hint = Prompt(.identityCreated, [.user: session.name(of: identity)])
        return kiosk.registrationStarted(session, identity, hint: hint)
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        if takesCode { return kiosk.activationFailed(session, userID, failure) }
        guard !failure.isAboutTrust else { return kiosk.registrationFailed(session, failure) }
        // Most people mistyped; a clean line is easier than a wrong one to edit on a number pad.
        return kiosk.typeIdentity(session, hint: failure.registrationHint)
    }
}

/// The mail is sent again.
struct RestartingRegistration: StepScreen {
    let identity: KioskIdentity
    /// Shown when it is on its way.
    let hint: Prompt

    var step: KioskStep { .restartRegistration(identity) }
    var title: Prompt { Prompt(.sendingMailAgain) }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .registrationStarted(let identity) = answer else { return nil }
        return kiosk.registrationStarted(session, identity, hint: hint)
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        guard !failure.isAboutTrust else { return kiosk.registrationFailed(session, failure) }
        return kiosk.awaitMail(session, identity, hint: failure.registrationHint)
    }
}

/// Whether the mail was followed; then the shares come, once and for all.
struct ConfirmingRegistration: StepScreen {
    let identity: KioskIdentity

    var step: KioskStep { .confirmRegistration(identity) }
    var title: Prompt { Prompt(.checkingMail) }
    func identityWithShares(_ session: Session) -> KioskIdentity? { identity }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .registrationConfirmed = answer else { return nil }
        return NewPINScreen(identity: identity).show(session, &kiosk)
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        if session.registersWithCode { return kiosk.confirmationFailed(session, identity, failure) }
        guard !failure.isAboutTrust else { return kiosk.registrationFailed(session, failure) }
        return kiosk.awaitMail(session, identity, hint: failure.registrationHint)
    }
}

/// Takes the new PIN.
struct FinishingRegistration: StepScreen {
    let identity: KioskIdentity

    var step: KioskStep { .finishRegistration(identity) }
    var title: Prompt { Prompt(.savingIdentity) }
    var mayHoldDigits: Bool { true }
    func identityWithShares(_ session: Session) -> KioskIdentity? { identity }

    /// The person logs in at once, unless the registration was what he came for.
    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .registrationFinished(let identity) = answer else { return nil }
        var session = session
        session.registered = identity
        return kiosk.offersCards
            ? CardOfferScreen(identity: identity).show(session, &kiosk)
            : kiosk.finishRegistration(session, identity, stepIsOver: true)
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.conclude(
            session, .registrationFailed,
            Prompt(
                session.renewed == nil ? .registrationFailedDeleted : .registrationFailed, [.status: failure.status]),
            deleting: identity, stepIsOver: true)
    }
}

extension KioskMachine {
    /// The identity is stored.
    ///
    /// - Parameters:
    ///   - hint: what the person should know beside that.
    ///   - stepIsOver: that the event is the answer of the step under way.
    mutating func finishRegistration(
        _ session: Session, _ identity: KioskIdentity, hint: Prompt? = nil, stepIsOver: Bool
    ) -> [KioskAction] {
        if session.rules.endsWithRegistration {
            return conclude(
                session, .enrolled, Prompt(.enrolled, [.number: identity.numberText]), line: hint,
                stepIsOver: stepIsOver)
        }
        let registered = Prompt(.registered, [.number: identity.numberText])
        return [.startTimer(.session, KioskTiming.session, session.number)]
            + session.rules.proceed(session, identity, hint: hint ?? registered, &self)
    }

    mutating func registrationStarted(
        _ session: Session, _ identity: KioskIdentity, hint: Prompt?
    ) -> [KioskAction] {
        abandoned.removeAll { $0.isSamePerson(as: identity) }
        // A code is as good as a mail that was followed.
        return identity.progress == .activated || session.registersWithCode
            ? wait(at: ConfirmingRegistration(identity: identity), session)
            : awaitMail(session, identity, hint: hint)
    }

    fileprivate mutating func registrationFailed(_ session: Session, _ failure: KioskFailure) -> [KioskAction] {
        conclude(session, failure.outcome(at: .registering), because: failure, failed: .registrationFailed)
    }

    mutating func awaitMail(
        _ session: Session, _ identity: KioskIdentity, hint: Prompt? = nil
    ) -> [KioskAction] {
        EmailConfirmationScreen(identity: identity, hint: hint).show(session, &self)
    }
}

extension KioskFailure {
    /// The hint for a person who may try again at once.
    var registrationHint: Prompt {
        switch outcome {
        case .notVerified, .codeRefused: Prompt(.notVerifiedYet)
        case .registrationExpired: Prompt(.registrationExpired)
        case .notAuthorized: Prompt(.notAuthorized)
        case .unreachable where sentence == nil: Prompt(.unreachable)
        case .storageFailed: Prompt(sentence ?? .storageFailed)
        default: Prompt(.registrationFailed, [.status: status])
        }
    }
}

/// The person follows the link of the mail, and says so.
struct EmailConfirmationScreen: SessionScreen {
    let identity: KioskIdentity
    var hint: Prompt?
    /// The first 2 asks, the second deletes: the person's own registration, and the person may begin again.
    var isDeleteArmed = false

    func show(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.show(self, session)
        return [.startTimer(.session, KioskTiming.activation, session.number)]
    }

    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        KioskView(
            .emailConfirmation, .ask, title: Prompt(.confirmationTitle),
            lines: [Prompt(.confirmationHelp, [.user: session.name(of: identity)])], hint: hint,
            actions: [ViewAction(.enter, .actionConfirmed), ViewAction(.digit(1), .actionResend)]
                // An identity that is registered anew is not deleted by a person who only began that.
                + (session.renewed == nil ? [ViewAction(.digit(2), .actionDelete)] : [])
                + [ViewAction(.back, .actionBack)])
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        switch key {
        case .enter: return kiosk.wait(at: ConfirmingRegistration(identity: identity), session)
        case .digit(1):
            return kiosk.register(
                at: RestartingRegistration(identity: identity, hint: Prompt(.mailSentAgain)), identity.userID, session)
        case .digit(2) where session.renewed != nil: return []
        case .digit(2) where isDeleteArmed:
            var session = session
            session.forget(identity)
            return [.deleteIdentity(identity)] + kiosk.typeIdentity(session)
        case .digit(2):
            return EmailConfirmationScreen(identity: identity, hint: Prompt(.deleteReally), isDeleteArmed: true)
                .show(session, &kiosk)
        case .back: return declined(session, &kiosk)
        case .digit, .pinDigit, .codeKey, .clear, .menu, .character: return []
        }
    }
}
