// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

extension KioskMachine {
    /// Answer of `readService`.
    ///
    /// - Parameter backend: host and port of where a PIN takes effect; nil for where the code is from.
    public mutating func serviceFound(
        _ name: DisplayText, backend: String? = nil, session number: SessionNumber
    ) -> [KioskAction] {
        guard case .connecting(var session) = state, session.number == number, session.service == nil else {
            return []
        }
        session.service = name
        session.backend = backend
        session.serverWasTold = session.code != nil
        state = .connecting(session)
        return [.perform(.openBackend, number)]
    }

    /// Answer of `openBackend`.
    public mutating func backendOpened(_ details: BackendSession, session number: SessionNumber) -> [KioskAction] {
        guard case .connecting(var session) = state, session.number == number, session.service != nil else {
            return []
        }
        session.details = details
        let pausing = pauseCamera()
        if let request = details.signing {
            session.purpose = .signing
            guard !request.isSigned else {
                return pausing + conclude(session, .sessionExpired, Prompt(.signingExpired), stepIsOver: true)
            }
        }
        switch session.purpose {
        case _ where session.code != nil, .login:
            state = .consenting(session)
            return pausing
        case .oneTimePassword, .quickCode, .localLogin, .signing: return pausing + identify(session)
        case .identities: return pausing + findIdentity(session)
        case .enrolment, .verification:
            guard let userID = session.linkedUser else { return pausing + typeIdentity(session) }
            guard !session.hasRegistered(userID) else {
                return pausing + conclude(session, .identityExists, Prompt(.identityExists), stepIsOver: true)
            }
            return pausing + activate(session, userID)
        }
    }

    /// The person said yes, or began the errand: find out who it is.
    mutating func identify(_ session: Session) -> [KioskAction] {
        if let named = session.namedIdentity { return proceed(session, as: named) }
        let namedUser = session.details?.namedUser ?? ""
        guard namedUser.isEmpty else { return typeIdentity(session, proposal: namedUser) }
        switch session.identities.count {
        case 0: return typeIdentity(session)
        case 1: return proceed(session, as: session.identities[0])
        default: return chooseIdentity(session)
        }
    }

    /// Takes the identity's next step, whatever that is.
    mutating func proceed(_ session: Session, as identity: KioskIdentity) -> [KioskAction] {
        switch identity.progress {
        case .registered: return prepare(session, identity)
        case .startedRegistration, .activated:
            if abandoned.contains(where: { $0.isSamePerson(as: identity) }) {
                return restartRegistration(session, identity, hint: Prompt(.newMailWasNeeded))
            }
            return identity.progress == .activated
                ? confirmRegistration(session, identity) : awaitActivation(session, identity)
        // An errand comes here with the backend's answer: no step is under way that could be cancelled.
        case .blocked:
            return conclude(session, .blocked, Prompt(.blocked), deleting: identity, stepIsOver: true)
        case .unusable: return conclude(session, .failed, Prompt(.identityUnusable), stepIsOver: true)
        }
    }
}
