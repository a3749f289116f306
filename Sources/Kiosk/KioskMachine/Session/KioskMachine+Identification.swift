// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// Identifying the person.
extension KioskMachine {
    /// Identifies the person who agreed, or began the task.
    mutating func identify(_ session: Session) -> [KioskAction] {
        if let named = session.namedIdentity { return proceed(session, as: named) }
        let namedUser = session.details?.namedUser ?? ""
        guard namedUser.isEmpty else { return typeIdentity(session, proposal: namedUser) }
        if let lone = session.loneIdentity { return proceed(session, as: lone) }
        return session.identities.isEmpty ? typeIdentity(session) : chooseIdentity(session)
    }

    mutating func chooseIdentity(_ session: Session) -> [KioskAction] {
        show(IdentityChoiceScreen(), session)
        return []
    }

    /// Takes the identity's next step, by its progress.
    mutating func proceed(_ session: Session, as identity: KioskIdentity) -> [KioskAction] {
        switch identity.progress {
        case .registered: return askProof(session, identity)
        case .startedRegistration, .activated:
            if abandoned.contains(where: { $0.isSamePerson(as: identity) }) {
                return register(
                    at: RestartingRegistration(identity: identity, hint: Prompt(.newMailWasNeeded)), identity.userID,
                    session)
            }
            return identity.progress == .activated
                ? wait(at: ConfirmingRegistration(identity: identity), session) : awaitMail(session, identity)
        case .blocked where identity.isHeld: return RenewalScreen(identity: identity).show(session, &self)
        // A task comes here with the backend's answer, so no step is under way that could be cancelled.
        case .blocked:
            return conclude(
                session, .blocked, Prompt(.blocked), line: Prompt(.nextRegister), deleting: identity, stepIsOver: true)
        case .unusable: return conclude(session, .failed, Prompt(.identityUnusable), stepIsOver: true)
        }
    }
}
