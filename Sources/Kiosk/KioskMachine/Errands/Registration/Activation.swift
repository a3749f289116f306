// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

// Registering with something that activates at once: the code of another device, or the code or link of a mail that
// shows whose address it is. It is typed like an access code and stays with the interpreter, or a QR code carries it.

/// With a code that another device made.
struct Enrolment: ErrandRules {
    var name: String { "enrolment" }
    var title: PromptKey { .errandEnrolment }
    var endsWithRegistration: Bool { true }
    var identityEntryHelp: PromptKey { .identityEntryHelpCode }
    var lostRegistration: PromptKey { .newCodeNeeded }

    func begin(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] { kiosk.typeIdentity(session) }

    func register(_ userID: String, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        ActivationEntryScreen(userID: userID).show(session, &kiosk)
    }
}

/// With an e-mail address that a mail verifies.
struct Verification: ErrandRules {
    var name: String { "verification" }
    var title: PromptKey { .errandVerification }
    var endsWithRegistration: Bool { true }

    func begin(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        guard let userID = session.typedUser else { return kiosk.typeIdentity(session) }
        guard !session.hasRegistered(userID) else {
            return kiosk.conclude(session, .identityExists, Prompt(.identityExists), stepIsOver: true)
        }
        var session = session
        session.renewBlocked(userID)
        return kiosk.activate(session, userID)
    }
}

/// The server sends the mail.
struct StartingVerification: StepScreen {
    let userID: String

    var step: KioskStep { .startVerification(userID: userID) }
    var title: Prompt { Prompt(.registering, [.user: DisplayText(userID).description]) }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .verificationStarted = answer else { return nil }
        return ActivationEntryScreen(userID: userID).show(session, &kiosk)
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        guard !failure.isAboutTrust, failure.outcome != .notOffered else {
            return kiosk.conclude(
                session, failure.outcome(at: .authenticating), because: failure, failed: .registrationFailed)
        }
        let isRefused =
            failure.outcome == .notVerified || failure.outcome == .codeRefused
            || failure.sentence == .verificationRefused
        return kiosk.typeIdentity(
            session, hint: isRefused ? Prompt(.verificationRefused) : failure.registrationHint)
    }
}

/// Takes the code of the mail, and leaves in its place what the registration takes.
struct FinishingVerification: StepScreen {
    let userID: String

    var step: KioskStep { .finishVerification(userID: userID) }
    var title: Prompt { Prompt(.checkingMail) }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .verified = answer else { return nil }
        return kiosk.registerWithCode(session, userID)
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.activationFailed(session, userID, failure)
    }
}

extension KioskMachine {
    /// OK where a code was typed, or a link that says for whom it is.
    fileprivate mutating func activate(_ session: Session, _ userID: String) -> [KioskAction] {
        guard session.verifiesAddress else {
            return register(
                at: StartingRegistration(userID: userID, takesCode: true), userID, session,
                after: pauseCamera() + [.stopTimer(.tap)])
        }
        return wait(
            at: FinishingVerification(userID: userID), session, after: pauseCamera() + [.stopTimer(.tap)])
    }

    fileprivate mutating func registerWithCode(_ session: Session, _ userID: String) -> [KioskAction] {
        wait(
            at: StartingRegistration(userID: userID, takesCode: true), session,
            after: pauseCamera() + [.stopTimer(.tap)])
    }

    /// A step with a code did not do what it was asked: the person types it anew, or another one.
    mutating func activationFailed(
        _ session: Session, _ userID: String, _ failure: KioskFailure
    ) -> [KioskAction] {
        let hint: PromptKey
        switch failure.outcome {
        case .untrusted, .anotherService, .serverKeyRefused, .notOffered, .versionRefused, .appRefused, .storageFailed:
            return conclude(
                session, failure.outcome(at: .authenticating), because: failure, failed: .registrationFailed)
        case .unreachable where failure.sentence == nil: hint = .unreachable
        default: hint = .activationRefused
        }
        return [.code(.wipe)] + ActivationEntryScreen(userID: userID, hint: hint).show(session, &self)
    }

    /// The code was taken, and no shares came for it. Without it the registration leads nowhere, unless the server was
    /// only out of reach: then a later login goes on with it.
    mutating func confirmationFailed(
        _ session: Session, _ identity: KioskIdentity, _ failure: KioskFailure
    ) -> [KioskAction] {
        // Shares that wait for a mail all the same: a server without such codes passed this one over.
        let isPassedOver =
            (failure.outcome == .notVerified || failure.outcome == .codeRefused) && session.purpose == .enrolment
        let outcome = isPassedOver ? .notOffered : failure.outcome(at: .registering)
        let isLost = outcome != .unreachable && outcome != .storageFailed && !failure.isAboutTrust
        // The same code is not taken twice.
        let line = outcome == .registrationExpired ? Prompt(session.rules.lostRegistration) : nil
        return conclude(
            session, outcome, because: failure, failed: .registrationFailed, line: line,
            deleting: isLost ? identity : nil)
    }
}

/// The code is typed, or in view.
struct ActivationEntryScreen: SessionScreen {
    let userID: String
    var tapsLetters = false
    var hint: PromptKey?

    var secretEntry: SecretEntry? { .code(tapsLetters: tapsLetters) }
    var wantedReadings: WantedReadings { .activation }

    func show(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        keep(session, &kiosk) + kiosk.resumeCamera()
    }

    private func keep(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.show(self, session)
        return [.startTimer(.session, KioskTiming.activation, session.number)]
    }

    /// The interpreter puts in what is typed.
    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        let user = session.renewed.map { session.name(of: $0) } ?? DisplayText(userID).description
        let isMailed = session.verifiesAddress
        let help = isMailed ? Prompt(.verificationHelp, [.user: user]) : Prompt(.activationHelp)
        return KioskView(
            .activationEntry, .ask, title: Prompt(isMailed ? .confirmationTitle : .activationTitle),
            lines: [Prompt(.consentUser, [.user: user]), help] + (tapsLetters ? [Prompt(.tapHelp)] : []),
            hint: hint.map { Prompt($0) }, entry: .code(SecretBytes(copying: [])),
            actions: ViewAction.typing + [.pad(tapsLetters: tapsLetters)])
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        var next = self
        switch key {
        case .codeKey:
            next.hint = nil
            return next.keep(session, &kiosk)
                + (tapsLetters ? [.startTimer(.tap, KioskTiming.tap, .none)] : [])
        case .menu:
            next.tapsLetters.toggle()
            return [.code(.acceptTap)] + next.keep(session, &kiosk)
        case .enter: return kiosk.activate(session, userID)
        case .back: return declined(session, &kiosk)
        case .digit, .pinDigit, .clear, .character: return []
        }
    }

    func seen(_ reading: CodeReading, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        var next = self
        var actions: [KioskAction] = []
        switch reading.activation {
        case .link(let other, _) where session.verifiesAddress:
            if other.isSameUserID(as: userID) {
                return [.code(.takeScanned(reading.handle))] + kiosk.activate(session, userID)
            }
            next.hint = .linkOfSomebodyElse
        case .code:
            actions.append(.code(.takeScanned(reading.handle)))
            next.hint = .activationRead
        // The code of a login page that happens to be there is not what is meant.
        case nil, .link:
            if case .login = reading.verdict { return [] }
            next.hint = .activationUnreadable
        }
        return actions + next.keep(session, &kiosk)
    }

    func fired(
        _ timer: KioskTimer, isOfSession: Bool, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        switch timer {
        case .session where isOfSession: timedOut(session, &kiosk)
        case .tap where !isOfSession: [.code(.acceptTap)]
        default: []
        }
    }
}
