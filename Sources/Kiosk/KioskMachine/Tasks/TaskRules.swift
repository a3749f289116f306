// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The definition of a task, and its own part in the steps common to all: service, backend, identity, PIN, outcome.
/// Each task has one, in its folder; the defaults are below.
protocol TaskRules: Sendable {
    /// The name in settings (`menu.NAME`), on cards and in commands.
    var name: String { get }
    /// The title in the menu and on its screens.
    var title: PromptKey { get }

    /// The condition for its place in the menu.
    var menuEntry: MenuEntry { get }

    /// Whether the person chooses a door for it, instead of a service.
    var isDoneAtDoors: Bool { get }
    /// Whether it is useless without an identity here, so that newcomers are not registered for it. It still finishes
    /// a registration that was begun before.
    var isForKnownOnly: Bool { get }
    /// Whether a finished registration is all that the person came for.
    var endsWithRegistration: Bool { get }

    // The steps. Each takes the next one.

    /// Continues when the backend is open.
    func begin(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]
    /// Continues with the chosen identity: one of several, or for a task ``isForKnownOnly`` the only one.
    func chosen(_ identity: KioskIdentity, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]
    /// Registers a newcomer who typed an address.
    func register(_ userID: String, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]
    /// Continues when the person is known and registered.
    func proceed(
        _ session: Session, _ identity: KioskIdentity, hint: Prompt?, _ kiosk: inout KioskMachine
    ) -> [KioskAction]
    /// Continues when a PIN with enough digits was typed.
    func pinTyped(_ session: Session, _ identity: KioskIdentity, _ kiosk: inout KioskMachine) -> [KioskAction]
    /// The step that takes the typed PIN.
    func pinStep(_ session: Session, _ identity: KioskIdentity) -> KioskStep
    /// Continues when the server accepted the PIN.
    ///
    /// - Returns: nil when the answer does not belong to ``pinStep(_:_:)``.
    func proved(
        _ answer: StepAnswer, by identity: KioskIdentity, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction]?
    /// Continues when a new PIN was typed twice.
    func pinChosen(_ session: Session, _ identity: KioskIdentity, _ kiosk: inout KioskMachine) -> [KioskAction]

    // The words.

    var consentTitle: PromptKey { get }
    var identityEntryHelp: PromptKey { get }
    func pinTitle(_ session: Session, _ identity: KioskIdentity) -> Prompt
    /// The reason for asking for a PIN, if the task's title does not give it.
    func pinPurpose(_ session: Session, _ identity: KioskIdentity) -> [Prompt]
    func newPINTitles(_ identity: KioskIdentity) -> (first: PromptKey, again: PromptKey)
    /// The stage and sentence while the PIN is on its way.
    func proving(_ step: KioskStep) -> (KioskStage, PromptKey)
    /// The sentence for a failure without one of its own.
    func authenticationFailed(_ identity: KioskIdentity) -> PromptKey
    /// The sentence when the person said no, or left.
    var declined: PromptKey { get }
    /// The sentence when the person walked away.
    var timedOut: PromptKey { get }
    /// The sentence when no answer came, so that the step may have succeeded.
    var outcomeUnknown: PromptKey { get }
    /// The sentence on beginning a registration again that was left before its PIN.
    var lostRegistration: PromptKey { get }
    /// The next step for a person after the task ended with a sentence.
    ///
    /// - Returns: nil for the step that follows this sentence in any task.
    func nextStep(after sentence: PromptKey) -> PromptKey?
}

/// The condition for a task's place in the menu.
public enum MenuEntry: Sendable, Hashable {
    /// In the menu unless the operator removes it: `menu.NAME`.
    case standard
    /// In the menu if the operator adds it: `menu.NAME`.
    case onceWanted
    /// In the menu if something is configured for it, unless `menu.NAME` sets otherwise.
    case onceConfigured
    /// In the menu if there are doors.
    case ofDoors
}

extension TaskRules {
    var menuEntry: MenuEntry { .standard }
    var isDoneAtDoors: Bool { false }
    var isForKnownOnly: Bool { false }
    var endsWithRegistration: Bool { false }

    func begin(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        guard isForKnownOnly else { return kiosk.identify(session) }
        if let lone = session.loneIdentity { return chosen(lone, session, &kiosk) }
        guard session.identities.isEmpty else { return kiosk.chooseIdentity(session) }
        return kiosk.conclude(session, .unknownUser, Prompt(.identitiesNone), stepIsOver: true)
    }

    func chosen(_ identity: KioskIdentity, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.proceed(session, as: identity)
    }

    func register(_ userID: String, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        session.verifiesAddress
            ? kiosk.register(at: StartingVerification(userID: userID), userID, session, after: kiosk.pauseCamera())
            : kiosk.register(at: StartingRegistration(userID: userID), userID, session, after: kiosk.pauseCamera())
    }

    func proceed(
        _ session: Session, _ identity: KioskIdentity, hint: Prompt?, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        kiosk.wait(
            at: StartingAuthentication(identity: identity, task: session.purpose, hint: hint), session,
            limit: nil)
    }

    func pinTyped(_ session: Session, _ identity: KioskIdentity, _ kiosk: inout KioskMachine) -> [KioskAction] {
        let screen = Authenticating(identity: identity, step: pinStep(session, identity))
        return kiosk.wait(at: screen, session, after: [.stopTimer(.entry), .entry(.complete)])
    }

    func pinStep(_ session: Session, _ identity: KioskIdentity) -> KioskStep {
        .finishAuthentication(identity, for: session.purpose)
    }

    func proved(
        _ answer: StepAnswer, by identity: KioskIdentity, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction]? { nil }

    func pinChosen(_ session: Session, _ identity: KioskIdentity, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.wait(at: FinishingRegistration(identity: identity), session)
    }

    var consentTitle: PromptKey { .consentTitle }
    var identityEntryHelp: PromptKey { .identityEntryHelp }
    func pinTitle(_ session: Session, _ identity: KioskIdentity) -> Prompt { Prompt(.pinTitle) }
    func pinPurpose(_ session: Session, _ identity: KioskIdentity) -> [Prompt] { [Prompt(title)] }

    func newPINTitles(_ identity: KioskIdentity) -> (first: PromptKey, again: PromptKey) {
        (.newPINTitle, .newPINAgainTitle)
    }

    func proving(_ step: KioskStep) -> (KioskStage, PromptKey) { (.authenticating, .authenticating) }
    func authenticationFailed(_ identity: KioskIdentity) -> PromptKey { .authenticationFailed }
    var declined: PromptKey { .taskLeft }
    var timedOut: PromptKey { .taskTimedOut }
    var outcomeUnknown: PromptKey { .taskOutcomeUnknown }
    var lostRegistration: PromptKey { .newMailNeeded }

    func nextStep(after sentence: PromptKey) -> PromptKey? { nil }
}
