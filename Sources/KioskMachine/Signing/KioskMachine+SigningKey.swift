// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// Where an identity signs with a key of its own, it is registered for that first: the login's PIN, then a new one twice.
extension KioskMachine {
    /// Answer of `startSigningKey`: the shares of the key are in memory.
    public mutating func signingKeyStarted(session number: SessionNumber) -> [KioskAction] {
        guard case .authenticating(let session, let identity) = state, session.number == number,
            session.registersKey(for: identity)
        else { return [] }
        return choosePIN(session, identity.choosingForSigning, .first)
    }

    /// Answer of `finishSigningKey`.
    ///
    /// - Parameter identity: as it is now.
    public mutating func signingKeyFinished(
        _ identity: KioskIdentity, session number: SessionNumber
    ) -> [KioskAction] {
        guard case .working(let session, .finishingSigningKey) = state, session.number == number else { return [] }
        guard identity.signing != .needsKey else {
            return signingKeyFailed(session, KioskFailure(.other, status: "FLOW_ERROR"))
        }
        return beginDocument(session, identity.askedForSigning, hint: Prompt(.signingKeyReady))
    }

    /// The new PIN is there twice.
    mutating func finishSigningKey(_ session: Session, _ identity: KioskIdentity) -> [KioskAction] {
        let wait = beginWaiting(session)
        state = .working(session, .finishingSigningKey(identity))
        return wait + [
            .startTimer(.session, KioskTiming.session, session.number),
            .perform(.finishSigningKey(identity), session.number),
        ]
    }

    mutating func signingKeyFailed(_ session: Session, _ failure: KioskFailure) -> [KioskAction] {
        conclude(
            session, .registrationFailed, Prompt(.signingKeyFailed, [.status: failure.status]), stepIsOver: true)
    }
}
