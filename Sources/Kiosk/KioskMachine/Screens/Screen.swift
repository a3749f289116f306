// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// A screen is what a person sees at one moment: its text, the effect of each key, the codes it takes, and its
// duration. It is a value, and changes by being shown again. `KioskMachine+Events` receives every event first and
// passes it on.

/// A screen outside of any session.
protocol IdleScreen: Sendable {
    func view(_ kiosk: KioskMachine) -> KioskView

    func pressed(_ key: KnownKey, _ kiosk: inout KioskMachine) -> [KioskAction]

    /// Whether nobody is at the kiosk, so that the next event is another person's.
    var isLeft: Bool { get }

    /// Whether a code in view may begin a session.
    var takesCodes: Bool { get }
    var wantedReadings: WantedReadings { get }

    /// Handles a code in view, at a screen that takes codes.
    func seen(_ reading: CodeReading, _ kiosk: inout KioskMachine) -> [KioskAction]

    /// Shows the reason why a code began no session, at a screen that takes codes.
    func refused(_ remark: PromptKey, for refusal: CodeRefusal, _ duration: Duration, _ kiosk: inout KioskMachine)
        -> [KioskAction]

    var secretEntry: SecretEntry? { get }
    func fired(_ timer: KioskTimer, _ kiosk: inout KioskMachine) -> [KioskAction]
}

extension IdleScreen {
    var isLeft: Bool { false }
    var takesCodes: Bool { true }
    var wantedReadings: WantedReadings { .activation }
    var secretEntry: SecretEntry? { nil }

    func seen(_ reading: CodeReading, _ kiosk: inout KioskMachine) -> [KioskAction] { kiosk.begin(with: reading) }

    func refused(
        _ remark: PromptKey, for refusal: CodeRefusal, _ duration: Duration, _ kiosk: inout KioskMachine
    ) -> [KioskAction] { [] }

    /// Leaves the screen: without a key for a while the person has gone.
    func fired(_ timer: KioskTimer, _ kiosk: inout KioskMachine) -> [KioskAction] {
        timer == .typing ? kiosk.leave() : []
    }
}

/// A screen of a session.
protocol SessionScreen: Sendable {
    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]

    /// Handles keys that came faster than a hand types, or were lost.
    func keysWereLost(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]

    var wantedReadings: WantedReadings { get }
    /// Handles a code in view, at a screen that wants readings.
    func seen(_ reading: CodeReading, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]

    /// Handles a timer of the session, or of none.
    func fired(
        _ timer: KioskTimer, isOfSession: Bool, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction]

    /// Ends the session: its time is over, or the person has gone.
    func timedOut(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]

    var secretEntry: SecretEntry? { get }

    /// Whether the interpreter may hold digits.
    var mayHoldDigits: Bool { get }

    /// The identity whose shares are in memory without a PIN, or may be about to come.
    var identityWithShares: KioskIdentity? { get }

    /// The session's outcome when the kiosk stops here.
    var outcomeWhenStopped: SessionOutcome { get }
}

extension SessionScreen {
    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] { [] }
    func keysWereLost(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] { [] }
    var wantedReadings: WantedReadings { [] }
    func seen(_ reading: CodeReading, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] { [] }

    func fired(
        _ timer: KioskTimer, isOfSession: Bool, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        timer == .session && isOfSession ? timedOut(session, &kiosk) : []
    }

    func timedOut(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        let line = losesRegistration ? Prompt(session.rules.lostRegistration) : nil
        return kiosk.conclude(session, .timedOut, Prompt(session.rules.timedOut), line: line)
    }

    /// Ends the session: the person said no, or left.
    func declined(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        let message = losesRegistration ? session.rules.lostRegistration : session.rules.declined
        return kiosk.conclude(session, .declined, Prompt(message))
    }

    var secretEntry: SecretEntry? { nil }
    var mayHoldDigits: Bool { false }
    var identityWithShares: KioskIdentity? { nil }
    var outcomeWhenStopped: SessionOutcome { .stopped }

    /// Whether the registration is lost with the shares. The shares of a signing key are not a registration: the key
    /// can be made again.
    var losesRegistration: Bool { identityWithShares.map { $0.progress != .registered } ?? false }
}

/// A screen of a session for typing a text that the machine may know.
protocol TextScreen: SessionScreen {
    var entry: TextEntry { get set }
}

extension TextScreen {
    /// Keeps the last character a moment after it was tapped.
    func fired(
        _ timer: KioskTimer, isOfSession: Bool, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        guard isOfSession else { return [] }
        switch timer {
        case .session: return timedOut(session, &kiosk)
        case .tap:
            var next = self
            next.entry.acceptTap()
            kiosk.show(next, session)
            return []
        default: return []
        }
    }
}

/// A screen at which the person waits for a step.
protocol StepScreen: SessionScreen {
    var step: KioskStep { get }
    var stage: KioskStage { get }
    var title: Prompt { get }

    /// - Returns: nil when the answer does not belong to this step.
    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]?

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]

    /// Whether the wait is shown from its first moment on.
    var isShownAtOnce: Bool { get }
}

extension StepScreen {
    var isShownAtOnce: Bool { false }
    var stage: KioskStage { .registering }

    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        KioskView(stage, .working, title: title, lines: session.serviceLines, isBusy: true)
    }
}
