// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

extension KioskMachine {
    /// Where the kiosk stands. Above each case: what leads on from it.
    enum State: Sendable {
        /// Nothing is trusted. a trust list with an entry, read again -> scanning
        case untrusted
        /// login code -> connecting; 0 -> choosingService or typingCode; MENU, 1 -> menu; a card -> as its errand
        /// begins; a trust list without an entry, read again -> untrusted
        case scanning(notice: Prompt?)
        /// an entry's number, a card -> as the errand begins; login code -> connecting; BACK, time -> scanning
        case menu(page: Int, hint: PromptKey?)
        /// known number -> typingCode for a login, else connecting; login code -> connecting; a card -> as its errand begins;
        /// BACK, time -> scanning
        case choosingService(Errand, TextEntry, hint: PromptKey?, page: Int)
        /// OK with a code, login code -> connecting; a card -> as its errand begins; BACK, time -> scanning. The code stays with
        /// the interpreter.
        case typingCode(service: Int, tapsLetters: Bool, hint: PromptKey?)
        /// service found -> connecting; backend opened -> consenting, or for an errand as after consent; BACK, failure,
        /// time -> concluding
        case connecting(Session)
        /// OK -> choosing, typingIdentity, awaitingActivation or working; MENU -> choosing; no, time -> concluding
        case consenting(Session)
        /// known number or first letters -> as after OK; 0 -> typingIdentity; BACK, time -> concluding
        case choosing(Session, TextEntry, hint: PromptKey?, page: Int)
        /// new address, typed or in a QR code, OK -> working; BACK, time -> concluding
        case typingIdentity(Session, TextEntry, hint: Prompt?)
        /// OK with a code, typed or in a QR code, the link of a mail -> working; BACK, time -> concluding. The code stays with
        /// the interpreter.
        case typingActivation(Session, userID: String, tapsLetters: Bool, hint: PromptKey?)
        /// answer -> awaitingActivation, choosingPIN or enteringPIN; failure -> back, or concluding; time -> concluding
        case working(Session, Work)
        /// OK, 1 -> working; 2 twice -> typingIdentity; BACK, time -> concluding
        case awaitingActivation(Session, KioskIdentity, hint: Prompt?, isDeleteArmed: Bool)
        /// OK with enough digits -> judgingPIN; BACK -> first round, or concluding; time -> concluding
        case choosingPIN(Session, KioskIdentity, Round, typed: Int, hint: PromptKey?)
        /// The interpreter looks at digits that the machine must not know. verdict -> choosingPIN or working
        case judgingPIN(Session, KioskIdentity, Round, typed: Int)
        /// OK with enough digits -> authenticating; BACK, time -> concluding
        case enteringPIN(Session, KioskIdentity, typed: Int, hint: Prompt?)
        /// wrong PIN -> coolingDown or concluding; a code -> showingCode; every other answer, time -> concluding. Keys do
        /// nothing: too late.
        case authenticating(Session, KioskIdentity)
        /// OK, BACK, time -> scanning. The digits stay with the interpreter.
        case showingCode(Session, KioskIdentity, timeLeft: Duration)
        /// known number, text in a QR code -> reading; BACK, time -> concluding
        case choosingDocument(Session, KioskIdentity, TextEntry, hint: Prompt?, page: Int)
        /// OK on the last page -> askingToSign; BACK on the first -> choosingDocument, or concluding; time -> concluding
        case reading(Session, KioskIdentity, page: Int, hint: Prompt?)
        /// OK -> working, or enteringPIN; BACK -> reading, or concluding; time -> concluding
        case askingToSign(Session, KioskIdentity)
        /// time -> enteringPIN; BACK -> concluding
        case coolingDown(Session, KioskIdentity)
        /// 2 twice -> working; BACK -> choosing, or scanning; time -> concluding
        case showingIdentity(Session, KioskIdentity, isDeleteArmed: Bool)
        /// OK, BACK, time -> scanning; 1 -> loggingOut, where the browser can be logged out
        case concluding(Conclusion)
        /// answer, time -> concluding
        case loggingOut(Conclusion)
        /// The end.
        case stopped
    }

    enum Round: Sendable, Hashable { case first, second }

    /// A step that the person waits for.
    enum Work: Sendable {
        case startingRegistration(userID: String)
        case restartingRegistration(KioskIdentity, hint: Prompt)
        case confirmingRegistration(KioskIdentity)
        case finishingRegistration(KioskIdentity)
        case startingAuthentication(KioskIdentity, hint: Prompt?)
        case deletingIdentity(KioskIdentity)
        case startingVerification(userID: String)
        case finishingVerification(userID: String)
        case readingSigner(KioskIdentity, hint: Prompt?)
        case finishingSigningKey(KioskIdentity)
        case preparingDocument(KioskIdentity)
    }

    struct Session: Sendable {
        let number: SessionNumber
        var purpose: Errand
        /// What was scanned or typed; nil for an errand from the menu or a card.
        let code: CodeDigest?
        /// Host and port of the service that the code is from, or that the person chose.
        let domain: String
        /// Host and port of the backend, where a PIN takes effect; nil for those of the service, and before they are
        /// known.
        var backend: String?
        /// What the service calls itself; empty where it says nothing about itself, as the projects of the platform do.
        var service: DisplayText?
        var details: BackendSession?
        /// Whether the server may know that the code was scanned.
        var serverWasTold = false
        /// Whether the person typed the code.
        var isTyped = false
        /// Whether the person typed a number or letters to be found among several.
        var isPicked = false
        var wrongPINs = 0
        /// What a login at the kiosk itself opens.
        var door: DisplayText?
        /// For whom a link was scanned that began the errand.
        var linkedUser: String?
        /// What is signed, once that is known.
        var signing: Signing?

        var identities: [KioskIdentity] { details?.identities ?? [] }

        /// What a sentence calls the service; nil when nothing is known about it yet.
        var serviceName: String? { service.map { $0.isEmpty ? domain : $0.description } }

        func hasRegistered(_ userID: String) -> Bool {
            identities.contains { $0.userID.isSameUserID(as: userID) && $0.progress == .registered }
        }

        /// The identity that the browser named, if it is known here.
        var namedIdentity: KioskIdentity? {
            let named = details?.namedUser ?? ""
            return identities.first { $0.userID.isSameUserID(as: named) }
        }
    }

    struct Conclusion: Sendable {
        let session: SessionNumber
        let outcome: SessionOutcome
        let message: Prompt
        var facts: [Prompt] = []
        let line: Prompt?
        /// Whose browser session can be ended from here.
        let logout: KioskIdentity?
    }
}

extension KioskMachine.State {
    var session: KioskMachine.Session? {
        switch self {
        case .connecting(let session), .consenting(let session), .choosing(let session, _, _, _),
            .typingIdentity(let session, _, _), .typingActivation(let session, _, _, _), .working(let session, _),
            .awaitingActivation(let session, _, _, _),
            .choosingPIN(let session, _, _, _, _), .judgingPIN(let session, _, _, _),
            .enteringPIN(let session, _, _, _), .authenticating(let session, _), .coolingDown(let session, _),
            .showingCode(let session, _, _), .showingIdentity(let session, _, _),
            .choosingDocument(let session, _, _, _, _), .reading(let session, _, _, _),
            .askingToSign(let session, _):
            session
        case .untrusted, .scanning, .menu, .choosingService, .typingCode, .concluding, .loggingOut, .stopped: nil
        }
    }

    var hasStepUnderWay: Bool {
        switch self {
        case .connecting, .working, .authenticating, .loggingOut: true
        case .untrusted, .scanning, .menu, .choosingService, .typingCode, .consenting, .choosing, .typingIdentity,
            .typingActivation,
            .awaitingActivation, .choosingPIN, .judgingPIN, .enteringPIN, .coolingDown, .showingCode,
            .showingIdentity, .choosingDocument, .reading, .askingToSign, .concluding, .stopped:
            false
        }
    }

    /// Whether the interpreter may hold digits.
    var mayHoldDigits: Bool {
        switch self {
        case .choosingPIN, .judgingPIN, .enteringPIN, .authenticating, .working(_, .finishingRegistration),
            .working(_, .finishingSigningKey):
            true
        default: false
        }
    }

    /// Whose shares are, or may be about to come, in memory without a PIN.
    var identityWithShares: KioskIdentity? {
        switch self {
        case .choosingPIN(_, let identity, _, _, _), .judgingPIN(_, let identity, _, _),
            .working(_, .confirmingRegistration(let identity)), .working(_, .finishingRegistration(let identity)),
            .working(_, .finishingSigningKey(let identity)):
            identity
        // The shares of a key for signing may be about to come.
        case .authenticating(let session, let identity) where session.registersKey(for: identity): identity
        default: nil
        }
    }

    /// Whose registration is lost with the shares. A key for signing is no registration: it can be had again.
    var identityToBeLost: KioskIdentity? { identityWithShares.flatMap { $0.progress == .registered ? nil : $0 } }
}
