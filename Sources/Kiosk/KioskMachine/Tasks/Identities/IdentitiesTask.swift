// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A person can look at their identity on this device, and delete it. Only this one is shown, never several. Deleting
/// a working identity takes its PIN, which the backend checks; one without a PIN yet, or of no use, needs none.
struct IdentitiesTask: TaskRules {
    var name: String { "identities" }
    var title: PromptKey { .taskIdentities }
    var isForKnownOnly: Bool { true }

    func pinPurpose(_ session: Session, _ identity: KioskIdentity) -> [Prompt] {
        [Prompt(session.wantsCard ? .cardPurpose : .deletePurpose)]
    }

    func chosen(_ identity: KioskIdentity, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        IdentityScreen(identity: identity).show(session, &kiosk)
    }

    func proved(
        _ answer: StepAnswer, by identity: KioskIdentity, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction]? {
        guard case .taskDone = answer else { return nil }
        if session.wantsCard { return kiosk.wait(at: WritingCard(identity: identity, after: .task), session) }
        return kiosk.wait(at: DeletingIdentity(identity: identity), session)
    }
}

/// Shows the facts about the identity.
struct IdentityScreen: SessionScreen {
    let identity: KioskIdentity
    /// The first 2 asks, the second deletes, or asks for the PIN.
    var isDeleteArmed = false

    func show(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.show(self, session)
        return [.startTimer(.session, KioskTiming.session, session.number)]
    }

    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        let armed: PromptKey = identity.progress == .registered ? .deleteWithPIN : .deleteIdentityReally
        return KioskView(
            .identityDetails, .ask, title: Prompt(.identityTitle),
            lines: session.whoAndWhere(identity) + [
                Prompt(.identityNumber, [.number: identity.numberText]), Prompt(identity.progress.sentence),
            ],
            hint: isDeleteArmed ? Prompt(armed) : nil,
            actions: (givesCard(kiosk) ? [ViewAction(.digit(1), .actionCard)] : [])
                + (isDeletable(session) ? [ViewAction(.digit(2), .actionDelete)] : []) + [
                    ViewAction(.back, .actionBack)
                ])
    }

    private func givesCard(_ kiosk: KioskMachine) -> Bool { kiosk.offersCards && identity.progress == .registered }

    /// Whether the identity can be deleted. One from a card is not on this device. A blocked one works again when the
    /// service unblocks it: no passer-by may take that from the person.
    private func isDeletable(_ session: Session) -> Bool { session.holder == nil && !identity.isHeld }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        switch key {
        case .digit(1) where givesCard(kiosk) && session.holder?.fitsScreen == false: return kiosk.keepOldCard(session)
        case .digit(1) where givesCard(kiosk):
            var session = session
            session.wantsCard = true
            return kiosk.askProof(session, identity)
        case .digit(2) where !isDeletable(session): return []
        case .digit(2) where !isDeleteArmed:
            return IdentityScreen(identity: identity, isDeleteArmed: true).show(session, &kiosk)
        case .digit(2) where identity.progress == .registered: return kiosk.askProof(session, identity)
        case .digit(2): return kiosk.wait(at: DeletingIdentity(identity: identity), session)
        // Back to the choice, if there was one. Otherwise the session ends silently, because nothing was begun.
        case .enter, .back:
            if session.identities.count > 1 { return kiosk.chooseIdentity(session) }
            return [.stopTimer(.session), .closeSession(session.number, .declined)] + kiosk.backToScanning()
        case .digit, .pinDigit, .codeKey, .clear, .menu, .character: return []
        }
    }
}

struct DeletingIdentity: StepScreen {
    let identity: KioskIdentity

    var step: KioskStep { .deleteIdentity(identity) }
    var title: Prompt { Prompt(.deleting) }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .identityDeleted = answer else { return nil }
        return kiosk.conclude(session, .identityDeleted, Prompt(.identityDeleted), stepIsOver: true)
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.conclude(session, failure.outcome(at: .authenticating), because: failure, failed: .deletionFailed)
    }
}

extension KioskIdentity.Progress {
    fileprivate var sentence: PromptKey {
        switch self {
        case .startedRegistration: .stateStartedRegistration
        case .activated: .stateActivated
        case .registered: .stateRegistered
        case .blocked: .stateBlocked
        case .unusable: .stateUnusable
        }
    }
}
