// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Signing: which document, read it to its end, say yes, then the PIN. What is asked of the service before and after it
/// is the interpreter's: that its hash is the document's, and that it takes the signature. Where an identity signs with
/// a key of its own, it is registered for that first: the login's PIN, then a new one twice.
struct SigningErrand: ErrandRules {
    var name: String { "signing" }
    var title: PromptKey { .errandSigning }
    var consentTitle: PromptKey { .consentSignTitle }
    var declined: PromptKey { .signingDeclined }
    var timedOut: PromptKey { .signingTimedOut }
    var outcomeUnknown: PromptKey { .signingOutcomeUnknown }
    var menuEntry: MenuEntry { .onceConfigured }

    func nextStep(after sentence: PromptKey) -> PromptKey? {
        switch sentence {
        case .wrongPIN, .newMailNeeded, .signingDeclined, .signingTimedOut: .nextSignAgain
        case .signingImpossible: .nextAskService
        case .signingFailed, .signingKeyFailed: .nextTryLater
        case .documentNeedsRoom: .nextTellOperator
        default: nil
        }
    }

    func proceed(
        _ session: Session, _ identity: KioskIdentity, hint: Prompt?, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        kiosk.wait(at: ReadingSigner(identity: identity, hint: hint), session)
    }

    func pinStep(_ session: Session, _ identity: KioskIdentity) -> KioskStep {
        if identity.signing == .needsKey { return .startSigningKey(identity) }
        return session.signing?.hash.map { .sign(identity, $0) }
            ?? .finishAuthentication(identity, for: session.purpose)
    }

    func proved(
        _ answer: StepAnswer, _ session: Session, _ identity: KioskIdentity, _ kiosk: inout KioskMachine
    ) -> [KioskAction]? {
        switch answer {
        case .signingKeyStarted where identity.signing == .needsKey:
            return NewPINScreen(identity: identity.choosingForSigning).show(session, &kiosk)
        case .signed:
            guard let signing = session.signing, signing.hash != nil else { return nil }
            return kiosk.markUsed(session)
                + kiosk.conclude(
                    session, .signed, Prompt(signing.isDescribed ? .signedForSession : .signed),
                    facts: [Prompt(.signer, [.user: session.name(of: identity)])] + signing.facts,
                    stepIsOver: true)
        default: return nil
        }
    }

    func pinChosen(_ session: Session, _ identity: KioskIdentity, _ kiosk: inout KioskMachine) -> [KioskAction] {
        identity.signing == .needsKey
            ? kiosk.wait(at: FinishingSigningKey(identity: identity), session)
            : kiosk.wait(at: FinishingRegistration(identity: identity), session)
    }

    func pinTitle(_ session: Session, _ identity: KioskIdentity) -> Prompt {
        switch identity.signing {
        case .needsKey: Prompt(.signingKeyTitle)
        case .withOwnPIN: Prompt(.ownSigningPINTitle)
        case .none, .withPIN: Prompt(.signingPINTitle)
        }
    }

    func pinPurpose(_ session: Session, _ identity: KioskIdentity) -> [Prompt] {
        identity.signing == .needsKey ? [Prompt(.signingKeyHelp)] : session.signing?.facts ?? []
    }

    func newPINTitles(_ identity: KioskIdentity) -> (first: PromptKey, again: PromptKey) {
        identity.signing == .needsKey
            ? (.newSigningPINTitle, .newSigningPINAgainTitle) : (.newPINTitle, .newPINAgainTitle)
    }

    func proving(_ step: KioskStep) -> (KioskStage, PromptKey) {
        if case .startSigningKey = step { (.signing, .gettingSigningKey) } else { (.signing, .signing) }
    }

    func authenticationFailed(_ identity: KioskIdentity) -> PromptKey {
        identity.signing == .needsKey ? .signingKeyFailed : .signingFailed
    }
}

/// The document that a session signs, as far as it is known.
struct Signing: Sendable {
    /// The operator's name for it, where it is one of the templates.
    var title: DisplayText?
    /// The pages that the person reads: the document, or the service's description of it; nil when there is none.
    var pages: DocumentPages?
    /// Whether the document is not here, but with the service.
    var isDescribed: Bool
    /// Of a scanned session at once; else what the service made of the document, which the interpreter has compared.
    var hash: DocumentHash?

    /// By what people recognise a document.
    var facts: [Prompt] {
        (title.map { [Prompt(.documentName, [.name: $0.description])] } ?? [])
            + (hash.map { [Prompt(.documentFingerprint, [.hash: $0.tail])] } ?? [])
    }
}

extension KioskIdentity {
    /// As its PIN is asked for a signature: where that is a PIN of its own, with the length of that one.
    fileprivate var askedForSigning: KioskIdentity {
        guard case .withOwnPIN(let length) = signing else { return self }
        var identity = self
        (identity.pinLength, identity.requiredPINLength) = (length, length)
        return identity
    }

    /// As a PIN for signing is chosen: no server has a word in its length.
    fileprivate var choosingForSigning: KioskIdentity {
        var identity = self
        (identity.pinLength, identity.requiredPINLength) = (nil, nil)
        return identity
    }
}

/// Whether the identity can sign.
struct ReadingSigner: StepScreen {
    let identity: KioskIdentity
    let hint: Prompt?

    var step: KioskStep { .readSigner(identity) }
    var stage: KioskStage { .signing }
    var title: Prompt { Prompt(.signing) }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .signerRead(let identity) = answer else { return nil }
        switch identity.signing {
        case .none:
            return kiosk.conclude(session, .notOffered, Prompt(.signingImpossible), stepIsOver: true)
        case .needsKey: return kiosk.askPIN(session, identity, hint: hint)
        case .withPIN, .withOwnPIN: return kiosk.beginDocument(session, identity.askedForSigning, hint: hint)
        }
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.conclude(session, failure.outcome(at: .authenticating), because: failure, failed: .signingFailed)
    }
}

/// The new PIN for signing is there twice.
struct FinishingSigningKey: StepScreen {
    let identity: KioskIdentity

    var step: KioskStep { .finishSigningKey(identity) }
    var stage: KioskStage { .signing }
    var title: Prompt { Prompt(.savingSigningKey) }
    var mayHoldDigits: Bool { true }
    func identityWithShares(_ session: Session) -> KioskIdentity? { identity }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .signingKeyFinished(let identity) = answer, identity.signing != .needsKey else { return nil }
        return kiosk.beginDocument(session, identity.askedForSigning, hint: Prompt(.signingKeyReady))
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.conclude(
            session, .registrationFailed, Prompt(.signingKeyFailed, [.status: failure.status]), stepIsOver: true)
    }
}

/// The service makes the document's hash.
struct PreparingDocument: StepScreen {
    let identity: KioskIdentity
    let document: DocumentText

    var step: KioskStep { .prepareDocument(document) }
    var stage: KioskStage { .signing }
    var title: Prompt { Prompt(.checkingDocument) }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .documentPrepared(let hash) = answer else { return nil }
        var session = session
        session.signing?.hash = hash
        return kiosk.askPIN(session, identity)
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.conclude(session, failure.outcome(at: .authenticating), because: failure, failed: .signingFailed)
    }
}
