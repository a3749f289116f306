// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

// Registering with something that activates at once: the code of another device, or the code or link of a mail that shows
// whose address it is. It is typed like an access code and stays with the interpreter, or a QR code carries it.
extension KioskMachine {
    /// Whether a code in view may be what activates.
    public var readsActivation: Bool {
        switch state {
        case .typingActivation: true
        // The link of a mail begins the errand by itself.
        case .scanning, .menu, .choosingService: errands.contains(.verification)
        default: false
        }
    }

    /// Answer of `startVerification`: the mail is on its way.
    public mutating func verificationStarted(session number: SessionNumber) -> [KioskAction] {
        guard case .working(let session, .startingVerification(let userID)) = state, session.number == number
        else { return [] }
        return typeActivation(session, userID)
    }

    /// Answer of `finishVerification`: what the registration takes is in the place of the code.
    public mutating func verified(session number: SessionNumber) -> [KioskAction] {
        guard case .working(let session, .finishingVerification(let userID)) = state, session.number == number
        else { return [] }
        return registerWithCode(session, userID)
    }

    /// The address is there: what comes before the code?
    mutating func beginActivation(_ session: Session, _ userID: String) -> [KioskAction] {
        guard session.purpose == .verification else { return typeActivation(session, userID) }
        let wait = beginWaiting(session)
        state = .working(session, .startingVerification(userID: userID))
        return wait + pauseCamera() + [
            .startTimer(.session, KioskTiming.session, session.number),
            .perform(.startVerification(userID: userID), session.number),
        ]
    }

    mutating func typeActivation(_ session: Session, _ userID: String, hint: PromptKey? = nil) -> [KioskAction] {
        state = .typingActivation(session, userID: userID, tapsLetters: false, hint: hint)
        return [.startTimer(.session, KioskTiming.activation, session.number)] + resumeCamera()
    }

    /// Somebody scanned the link of a mail on the idle screen.
    mutating func linkOpened(_ userID: String, service: Int) -> [KioskAction] {
        let isTyping = if case .scanning = state { false } else { true }
        var session = makeSession(for: .verification, domain: services[service])
        session.linkedUser = userID
        state = .connecting(session)
        return [
            .stopTimer(isTyping ? .typing : .notice),
            .openErrand(session.number, .verification, service: service), .code(.takeScanned),
            .startTimer(.session, KioskTiming.session, session.number), .perform(.readService, session.number),
        ]
    }

    /// OK where a code was typed, or a link that says for whom it is.
    mutating func activate(_ session: Session, _ userID: String) -> [KioskAction] {
        guard session.purpose == .verification else { return registerWithCode(session, userID) }
        let wait = beginWaiting(session)
        state = .working(session, .finishingVerification(userID: userID))
        return wait + pauseCamera() + [
            .stopTimer(.tap), .startTimer(.session, KioskTiming.session, session.number),
            .perform(.finishVerification(userID: userID), session.number),
        ]
    }

    private mutating func registerWithCode(_ session: Session, _ userID: String) -> [KioskAction] {
        let wait = beginWaiting(session)
        state = .working(session, .startingRegistration(userID: userID))
        return wait + pauseCamera() + [
            .stopTimer(.tap), .startTimer(.session, KioskTiming.session, session.number),
            .perform(.startRegistrationWithCode(userID: userID), session.number),
        ]
    }

    /// A code in front of the camera where one is typed.
    mutating func activationSeen(
        _ session: Session, _ userID: String, tapsLetters: Bool, _ reading: CodeReading
    ) -> [KioskAction] {
        let hint: PromptKey
        var actions: [KioskAction] = []
        switch reading.activation {
        case .link(let other, _) where session.purpose == .verification:
            if other.isSameUserID(as: userID) { return [.code(.takeScanned)] + activate(session, userID) }
            hint = .linkOfSomebodyElse
        case .code:
            actions.append(.code(.takeScanned))
            hint = .activationRead
        // The code of a login page that happens to be there is not what is meant.
        case nil, .link:
            if case .login = reading.verdict { return [] }
            hint = .activationUnreadable
        }
        state = .typingActivation(session, userID: userID, tapsLetters: tapsLetters, hint: hint)
        return actions + [.startTimer(.session, KioskTiming.activation, session.number)]
    }

    /// A step with a code did not do what it was asked: the person types it anew, or another one.
    mutating func activationFailed(
        _ session: Session, _ userID: String, _ failure: KioskFailure
    ) -> [KioskAction] {
        let hint: PromptKey
        switch failure.reason {
        case .untrusted, .anotherService, .serverKeyRefused, .notOffered, .versionRefused, .appRefused, .storage,
            .storageFull:
            let outcome = failure.loginOutcome
            return conclude(
                session, outcome, outcome.message(failure, failed: .registrationFailed, for: session.purpose),
                stepIsOver: true)
        case .unreachable: hint = .unreachable
        default: hint = .activationRefused
        }
        return [.code(.wipe)] + typeActivation(session, userID, hint: hint)
    }

    /// The code was taken, and no shares came for it. Without it the registration leads nowhere, unless the server was only
    /// out of reach: then a later login goes on with it.
    mutating func confirmationFailed(
        _ session: Session, _ identity: KioskIdentity, _ failure: KioskFailure
    ) -> [KioskAction] {
        // Shares that wait for a mail all the same: a server without such codes passed this one over.
        let isPassedOver = failure.reason == .notVerified && session.purpose == .enrolment
        let outcome = isPassedOver ? .notOffered : failure.registrationOutcome
        let isLost = outcome != .unreachable && outcome != .storageFailed && !failure.isAboutTrust
        // The same code is not taken twice.
        let line = outcome == .registrationExpired ? Prompt(session.purpose.lostRegistration) : nil
        return conclude(
            session, outcome, outcome.message(failure, failed: .registrationFailed, for: session.purpose), line: line,
            deleting: isLost ? identity : nil, stepIsOver: true)
    }

    /// The interpreter puts in what is typed.
    func activationView(
        _ session: Session, _ userID: String, tapsLetters: Bool, hint: PromptKey?
    ) -> KioskView {
        let user = DisplayText(userID).description
        let isMailed = session.purpose == .verification
        let help = isMailed ? Prompt(.verificationHelp, [.user: user]) : Prompt(.activationHelp)
        return KioskView(
            .activationEntry, .ask, title: Prompt(isMailed ? .confirmationTitle : .activationTitle),
            lines: [Prompt(.consentUser, [.user: user]), help] + (tapsLetters ? [Prompt(.tapHelp)] : []),
            hint: hint.map { Prompt($0) }, entry: .code(SecretBytes(copying: [])),
            actions: typingActions + [ViewAction(.menu, tapsLetters ? .actionDigits : .actionLetters)])
    }
}

extension Errand {
    /// Whether the person has what he came for when the registration is finished.
    var endsWithRegistration: Bool { self == .enrolment || self == .verification }
}
