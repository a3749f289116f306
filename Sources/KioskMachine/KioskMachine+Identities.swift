// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// Whoever has an identity here can look at it, and delete it: this one, never several. An identity that works is deleted
// only by whoever knows its PIN, which the backend judges; one that has none yet, or is of no use, needs no PIN.
extension KioskMachine {
    mutating func findIdentity(_ session: Session) -> [KioskAction] {
        switch session.identities.count {
        case 0: conclude(session, .unknownUser, Prompt(.identitiesNone), stepIsOver: true)
        case 1: showIdentity(session, session.identities[0])
        default: chooseIdentity(session)
        }
    }

    mutating func showIdentity(
        _ session: Session, _ identity: KioskIdentity, isDeleteArmed: Bool = false
    ) -> [KioskAction] {
        state = .showingIdentity(session, identity, isDeleteArmed: isDeleteArmed)
        return [.startTimer(.session, KioskTiming.session, session.number)]
    }

    /// The first 2 asks, the second deletes, or has the PIN asked.
    mutating func deleteShownPressed(
        _ session: Session, _ identity: KioskIdentity, isArmed: Bool
    ) -> [KioskAction] {
        guard isArmed else { return showIdentity(session, identity, isDeleteArmed: true) }
        return identity.progress == .registered ? prepare(session, identity) : deleteForGood(session, identity)
    }

    /// To the choice where there was one; otherwise nothing was begun, and nothing has to be said.
    mutating func leaveIdentity(_ session: Session) -> [KioskAction] {
        guard session.identities.count > 1 else {
            return [.stopTimer(.session), .closeSession(session.number, .declined)] + backToScanning()
        }
        return chooseIdentity(session)
    }

    /// Answer of `finishAuthentication` for this errand: it was the PIN of the identity.
    public mutating func identityConfirmed(session number: SessionNumber) -> [KioskAction] {
        guard case .authenticating(let session, let identity) = state, session.number == number,
            session.purpose == .identities
        else { return [] }
        return deleteForGood(session, identity)
    }

    /// Answer of `deleteIdentity`.
    public mutating func identityDeleted(session number: SessionNumber) -> [KioskAction] {
        guard case .working(let session, .deletingIdentity) = state, session.number == number else { return [] }
        return conclude(session, .identityDeleted, Prompt(.identityDeleted), stepIsOver: true)
    }

    mutating func deletionFailed(_ session: Session, _ failure: KioskFailure) -> [KioskAction] {
        let outcome = failure.loginOutcome
        return conclude(session, outcome, outcome.message(failure, failed: .deletionFailed), stepIsOver: true)
    }

    private mutating func deleteForGood(_ session: Session, _ identity: KioskIdentity) -> [KioskAction] {
        let wait = beginWaiting(session)
        state = .working(session, .deletingIdentity(identity))
        return wait + [
            .startTimer(.session, KioskTiming.session, session.number),
            .perform(.deleteIdentity(identity), session.number),
        ]
    }

    func identityView(_ session: Session, _ identity: KioskIdentity, isDeleteArmed: Bool) -> KioskView {
        let armed: PromptKey = identity.progress == .registered ? .deleteWithPIN : .deleteIdentityReally
        return KioskView(
            .identityDetails, .ask, title: Prompt(.identityTitle),
            lines: whoAndWhere(session, identity) + [
                Prompt(.identityNumber, [.number: identity.numberText]), Prompt(identity.progress.sentence),
            ],
            hint: isDeleteArmed ? Prompt(armed) : nil,
            actions: [ViewAction(.digit(2), .actionDelete), ViewAction(.back, .actionBack)])
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
