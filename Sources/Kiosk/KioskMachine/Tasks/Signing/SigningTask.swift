// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Signing: the person chooses a document, reads it to its end, agrees, and types the PIN. The interpreter asks the
/// service before and after: it checks that the service's hash is the document's, and that the service accepts the
/// signature. If the identity signs with a key of its own, that is registered first: with the login's PIN, then a new
/// one twice.
struct SigningTask: TaskRules {
    var name: String { "signing" }
    var title: PromptKey { .taskSigning }
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
        _ answer: StepAnswer, by identity: KioskIdentity, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction]? {
        switch answer {
        case .signingKeyStarted where identity.signing == .needsKey:
            return NewPINScreen(identity: identity.withAnyPINLength).show(session, &kiosk)
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

/// The known facts about the document that a session signs.
struct Signing: Sendable {
    /// The operator's name for it, if it is one of the templates.
    var title: DisplayText?
    /// The pages that the person reads: the document, or the service's description of it; nil when there is none.
    var pages: DocumentPages?
    /// Whether the service has the document, and the kiosk only its description.
    var isDescribed: Bool
    /// The hash. A scanned session has it at once; otherwise the service makes it, and the interpreter compares it.
    var hash: DocumentHash?

    /// The lines by which people recognise the document.
    var facts: [Prompt] {
        (title.map { [Prompt(.documentName, [.name: $0.description])] } ?? [])
            + (hash.map { [Prompt(.documentFingerprint, [.hash: $0.tail])] } ?? [])
    }
}

extension KioskIdentity {
    /// The identity whose PIN for signing is asked for.
    fileprivate var askedForSigning: KioskIdentity { signing == .withOwnPIN ? withAnyPINLength : self }

    /// The identity while a PIN for signing is chosen or typed: no server demands a length.
    fileprivate var withAnyPINLength: KioskIdentity {
        var identity = self
        identity.requiredPINLength = nil
        return identity
    }
}

/// Asks whether the identity can sign.
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

/// Registers the new PIN for signing.
struct FinishingSigningKey: StepScreen {
    let identity: KioskIdentity

    var step: KioskStep { .finishSigningKey(identity) }
    var stage: KioskStage { .signing }
    var title: Prompt { Prompt(.savingSigningKey) }
    var mayHoldDigits: Bool { true }
    var identityWithShares: KioskIdentity? { identity }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .signingKeyFinished(let identity) = answer, identity.signing != .needsKey else { return nil }
        return kiosk.beginDocument(session, identity.askedForSigning, hint: Prompt(.signingKeyReady))
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.conclude(
            session, .registrationFailed, Prompt(.signingKeyFailed, [.status: failure.status]), stepIsOver: true)
    }
}

/// Asks the service for the document's hash.
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
