// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The definition of an errand, and its own part in the way that all of them go: service, backend, who it is, PIN,
/// outcome. Each errand has one, in its folder; the defaults are below.
protocol ErrandRules: Sendable {
    /// The name in settings (`menu.NAME`), on cards and in commands.
    var name: String { get }
    /// The title in the menu and on its screens.
    var title: PromptKey { get }

    /// How it comes into the menu.
    var menuEntry: MenuEntry { get }

    /// Whether a door is chosen for it, instead of a service.
    var isDoneAtDoors: Bool { get }
    /// Whether it is of no use to a person who has no identity here: no newcomer is registered for it. A registration
    /// that was begun is finished on the way.
    var isForKnownOnly: Bool { get }
    /// Whether the person has what he came for when the registration is finished.
    var endsWithRegistration: Bool { get }

    // The way. Each takes the next step.

    /// The backend is open.
    func begin(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]
    /// The person was found: the only one for an errand ``isForKnownOnly``, or picked among several.
    func picked(_ identity: KioskIdentity, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]
    /// A newcomer typed an address.
    func register(_ userID: String, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]
    /// It is known who it is, and he is registered.
    func proceed(
        _ session: Session, _ identity: KioskIdentity, hint: Prompt?, _ kiosk: inout KioskMachine
    ) -> [KioskAction]
    /// A PIN was typed that has enough digits.
    func pinTyped(_ session: Session, _ identity: KioskIdentity, _ kiosk: inout KioskMachine) -> [KioskAction]
    /// The step that the typed PIN is for.
    func pinStep(_ session: Session, _ identity: KioskIdentity) -> KioskStep
    /// The server took the PIN.
    ///
    /// - Returns: nil for what is no answer to ``pinStep(_:_:)``.
    func proved(
        _ answer: StepAnswer, _ session: Session, _ identity: KioskIdentity, _ kiosk: inout KioskMachine
    ) -> [KioskAction]?
    /// A new PIN is there twice.
    func pinChosen(_ session: Session, _ identity: KioskIdentity, _ kiosk: inout KioskMachine) -> [KioskAction]

    // Words.

    var consentTitle: PromptKey { get }
    var identityEntryHelp: PromptKey { get }
    func pinTitle(_ session: Session, _ identity: KioskIdentity) -> Prompt
    /// The reason for asking for a PIN, where that is not what people come for.
    func pinPurpose(_ session: Session, _ identity: KioskIdentity) -> [Prompt]
    func newPINTitles(_ identity: KioskIdentity) -> (first: PromptKey, again: PromptKey)
    /// While the PIN is on its way.
    func proving(_ step: KioskStep) -> (KioskStage, PromptKey)
    /// The sentence for a failure that has none of its own.
    func authenticationFailed(_ identity: KioskIdentity) -> PromptKey
    /// The person said no, or left.
    var declined: PromptKey { get }
    /// The person walked away.
    var timedOut: PromptKey { get }
    /// No answer came, and it may have come to something.
    var outcomeUnknown: PromptKey { get }
    /// The sentence about how to begin a registration again that was left before its PIN.
    var lostRegistration: PromptKey { get }
    /// The next step for a person after it ended with a sentence.
    ///
    /// - Returns: nil for what one does after this sentence in any errand.
    func nextStep(after sentence: PromptKey) -> PromptKey?
}

/// How an errand comes into the menu.
public enum MenuEntry: Sendable, Hashable {
    /// It is there until the operator takes it out: `menu.NAME`.
    case standard
    /// It is there once the operator puts it in: `menu.NAME`.
    case onceWanted
    /// It is there once something is configured for it, unless `menu.NAME` says otherwise.
    case onceConfigured
    /// The doors bring it.
    case ofDoors
}

extension ErrandRules {
    var menuEntry: MenuEntry { .standard }
    var isDoneAtDoors: Bool { false }
    var isForKnownOnly: Bool { false }
    var endsWithRegistration: Bool { false }

    func begin(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        guard isForKnownOnly else { return kiosk.identify(session) }
        if let lone = session.loneIdentity { return picked(lone, session, &kiosk) }
        guard session.identities.isEmpty else { return kiosk.chooseIdentity(session) }
        return kiosk.conclude(session, .unknownUser, Prompt(.identitiesNone), stepIsOver: true)
    }

    func picked(_ identity: KioskIdentity, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
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
            at: StartingAuthentication(identity: identity, errand: session.purpose, hint: hint), session,
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
        _ answer: StepAnswer, _ session: Session, _ identity: KioskIdentity, _ kiosk: inout KioskMachine
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
    var declined: PromptKey { .errandLeft }
    var timedOut: PromptKey { .errandTimedOut }
    var outcomeUnknown: PromptKey { .errandOutcomeUnknown }
    var lostRegistration: PromptKey { .newMailNeeded }

    func nextStep(after sentence: PromptKey) -> PromptKey? { nil }
}
