// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// The steps of a registration for any purpose.

/// Sends a newcomer's address to the server, which sends a mail.
struct StartingRegistration: StepScreen {
    let userID: String
    /// Whether a code that activates the registration is sent with it.
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
        // Most people mistyped. On a number pad an empty line is easier than editing a wrong one.
        return kiosk.typeIdentity(session, hint: failure.registrationHint)
    }
}

/// Asks for another mail.
struct RestartingRegistration: StepScreen {
    let identity: KioskIdentity
    /// Shown when the mail was sent.
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

/// Asks whether the person followed the mail. If so the server gives out the shares, once.
struct ConfirmingRegistration: StepScreen {
    let identity: KioskIdentity

    var step: KioskStep { .confirmRegistration(identity) }
    var title: Prompt { Prompt(.checkingMail) }
    var identityWithShares: KioskIdentity? { identity }

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

/// Registers the new PIN.
struct FinishingRegistration: StepScreen {
    let identity: KioskIdentity

    var step: KioskStep { .finishRegistration(identity) }
    var title: Prompt { Prompt(.savingIdentity) }
    var mayHoldDigits: Bool { true }
    var identityWithShares: KioskIdentity? { identity }

    /// Logs the person in at once, unless the registration was the purpose.
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
    /// Continues when the identity is stored.
    ///
    /// - Parameters:
    ///   - hint: a further remark for the person.
    ///   - stepIsOver: whether the event is the answer of the step under way.
    mutating func finishRegistration(
        _ session: Session, _ identity: KioskIdentity, hint: Prompt? = nil, stepIsOver: Bool
    ) -> [KioskAction] {
        if session.rules.endsWithRegistration {
            return conclude(
                session, .registered, Prompt(.registrationDone, [.number: identity.numberText]), line: hint,
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
        // A code needs no mail to be followed.
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

/// Waits until the person has followed the mail's link, and confirms it.
struct EmailConfirmationScreen: SessionScreen {
    let identity: KioskIdentity
    var hint: Prompt?
    /// The first 2 asks, the second deletes the person's own registration, so that they may begin again.
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
                // A person who only began to register an identity again cannot delete it.
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
