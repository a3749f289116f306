// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// Signing: which document, read it to its end, say yes, then the PIN. What is asked of the service before and after it is
// the interpreter's: that its hash is the document's, and that it takes the signature.
extension KioskMachine {
    /// Answer of `readSigner`.
    public mutating func signerRead(_ identity: KioskIdentity, session number: SessionNumber) -> [KioskAction] {
        guard case .working(let session, .readingSigner(_, let hint)) = state, session.number == number else {
            return []
        }
        switch identity.signing {
        case .none: return conclude(session, .notOffered, Prompt(.signingImpossible), stepIsOver: true)
        case .needsKey: return askPIN(session, identity, hint: hint)
        case .withPIN, .withOwnPIN: return beginDocument(session, identity.askedForSigning, hint: hint)
        }
    }

    /// Answer of `prepareDocument`: the service's hash is the document's.
    public mutating func documentPrepared(_ hash: DocumentHash, session number: SessionNumber) -> [KioskAction] {
        guard case .working(var session, .preparingDocument(let identity)) = state, session.number == number else {
            return []
        }
        session.signing?.hash = hash
        return askPIN(session, identity)
    }

    /// Answer of `sign`: the service has the signature and takes it.
    public mutating func signed(session number: SessionNumber) -> [KioskAction] {
        guard case .authenticating(let session, let identity) = state, session.number == number,
            session.purpose == .signing, let signing = session.signing, let hash = signing.hash
        else { return [] }
        let name = session.isPicked ? identity.maskedName : identity.name
        return markUsed(session)
            + conclude(
                session, .signed, Prompt(signing.isDescribed ? .signedForSession : .signed),
                facts: [Prompt(.signer, [.user: name])] + facts(of: signing, hash), stepIsOver: true)
    }

    /// Finds out whether the identity can sign.
    mutating func readSigner(_ session: Session, _ identity: KioskIdentity, hint: Prompt?) -> [KioskAction] {
        let wait = beginWaiting(session)
        state = .working(session, .readingSigner(identity, hint: hint))
        return wait + [
            .startTimer(.session, KioskTiming.session, session.number),
            .perform(.readSigner(identity), session.number),
        ]
    }

    /// The next step of somebody who can sign: what was scanned, else a choice.
    mutating func beginDocument(_ session: Session, _ identity: KioskIdentity, hint: Prompt?) -> [KioskAction] {
        guard let request = session.details?.signing else { return chooseDocument(session, identity, hint: hint) }
        var session = session
        session.signing = Signing(
            pages: request.description.map { DocumentPages($0, size: documentRoom ?? .smallest) }, isDescribed: true,
            hash: request.hash)
        return session.signing?.pages == nil
            ? askToSign(session, identity) : read(session, identity, page: 0, hint: hint)
    }

    mutating func askToSign(_ session: Session, _ identity: KioskIdentity) -> [KioskAction] {
        state = .askingToSign(session, identity)
        return [.startTimer(.session, KioskTiming.reading, session.number)]
    }

    /// Yes: with the hash the PIN is asked, without it the service.
    mutating func signAgreed(_ session: Session, _ identity: KioskIdentity) -> [KioskAction] {
        let timer = KioskAction.startTimer(.session, KioskTiming.session, session.number)
        guard let signing = session.signing, signing.hash == nil, let pages = signing.pages else {
            return [timer] + askPIN(session, identity)
        }
        let wait = beginWaiting(session)
        state = .working(session, .preparingDocument(identity))
        return wait + [timer, .perform(.prepareDocument(pages.document), session.number)]
    }

    /// What the typed PIN is for.
    func signingStep(_ session: Session, _ identity: KioskIdentity) -> KioskStep? {
        guard session.purpose == .signing else { return nil }
        if session.registersKey(for: identity) { return .startSigningKey(identity) }
        return session.signing?.hash.map { .sign(identity, $0) }
    }

    /// The failure of a step that needed no PIN.
    mutating func signingStepFailed(_ session: Session, _ failure: KioskFailure) -> [KioskAction] {
        let outcome = failure.loginOutcome
        return conclude(
            session, outcome,
            outcome.message(failure, failed: .signingFailed, for: .signing, isScanned: session.code != nil),
            stepIsOver: true)
    }
}
