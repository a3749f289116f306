// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

// Registering with a code that activates at once: a registration code of another device, or the code or link of a mail
// that verifies an address. The person types it like an access code, and the interpreter holds it; or a QR code
// contains it.

/// Registering with a registration code, which another device made.
struct RegistrationWithCode: TaskRules {
    var name: String { "register-with-code" }
    var title: PromptKey { .taskRegisterWithCode }
    var endsWithRegistration: Bool { true }
    var identityEntryHelp: PromptKey { .identityEntryHelpCode }
    var lostRegistration: PromptKey { .newCodeNeeded }

    func begin(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] { kiosk.typeIdentity(session) }

    func register(_ userID: String, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        ActivationEntryScreen(userID: userID).show(session, &kiosk)
    }
}

/// Registering with an e-mail address that a mail verifies.
struct Verification: TaskRules {
    var name: String { "verification" }
    var title: PromptKey { .taskVerification }
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

/// Asks the server to send the mail.
struct StartingVerification: StepScreen {
    let userID: String

    var step: KioskStep { .startVerification(userID: userID) }
    var title: Prompt { Prompt(.registering, [.user: DisplayText(userID).description]) }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .verificationStarted(let content) = answer else { return nil }
        var session = session
        session.mail = content
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

/// Hands in the code of the mail. The registration's token replaces it.
struct FinishingVerification: StepScreen {
    let userID: String

    var step: KioskStep { .finishVerification(userID: userID) }
    var title: Prompt { Prompt(.checkingMail) }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .verified = answer else { return nil }
        let screen = StartingRegistration(userID: userID, takesCode: true)
        return kiosk.wait(at: screen, session, after: kiosk.endCodeEntry())
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.activationFailed(session, userID, failure)
    }
}

extension KioskMachine {
    /// Continues when the person confirmed a typed code, or scanned a link that names the user.
    fileprivate mutating func activate(_ session: Session, _ userID: String) -> [KioskAction] {
        let before = endCodeEntry()
        return session.verifiesAddress
            ? wait(at: FinishingVerification(userID: userID), session, after: before)
            : register(at: StartingRegistration(userID: userID, takesCode: true), userID, session, after: before)
    }

    fileprivate mutating func endCodeEntry() -> [KioskAction] { pauseCamera() + [.stopTimer(.tap)] }

    /// Lets the person type the code again after a step with it failed.
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

    /// Ends a session in which the server accepted the code but gave no shares. The registration is then lost, unless
    /// the server was only unreachable: a later login then finishes it.
    mutating func confirmationFailed(
        _ session: Session, _ identity: KioskIdentity, _ failure: KioskFailure
    ) -> [KioskAction] {
        // The server still waits for a mail to be confirmed: it has no such codes, and ignored this one.
        let isPassedOver =
            (failure.outcome == .notVerified || failure.outcome == .codeRefused) && session.purpose == .registerWithCode
        let outcome = isPassedOver ? .notOffered : failure.outcome(at: .registering)
        let isLost = outcome != .unreachable && outcome != .storageFailed && !failure.isAboutTrust
        // No server accepts the same code twice.
        let line = outcome == .registrationExpired ? Prompt(session.rules.lostRegistration) : nil
        return conclude(
            session, outcome, because: failure, failed: .registrationFailed, line: line,
            deleting: isLost ? identity : nil)
    }
}

/// Takes a code that is typed, or in view.
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

    /// The interpreter adds the typed text.
    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        let user = session.renewed.map { session.name(of: $0) } ?? DisplayText(userID).description
        let isMailed = session.verifiesAddress
        let help = isMailed ? Prompt(session.mail.help, [.user: user]) : Prompt(.activationHelp)
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
        // The login page's code may happen to be in view: it is not meant.
        case nil, .link:
            if case .login = reading.decision { return [] }
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

extension MailContent {
    fileprivate var help: PromptKey {
        switch self {
        case .code: .verificationHelpCode
        case .link: .verificationHelpLink
        case .codeOrLink: .verificationHelp
        }
    }
}
