// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LoginValues

/// Something that takes time, in the session's name; one is under way at most. It ends with a ``StepAnswer`` or a
/// ``KioskFailure``, told by ``KioskMachine/stepEnded(_:session:)``.
public enum KioskStep: Hashable, Sendable {
    /// Answered by `serviceFound`.
    case readService
    /// Answered by `backendOpened`.
    case openBackend

    // Registering.

    /// Both answered by `registrationStarted`.
    case startRegistration(userID: String)
    case restartRegistration(KioskIdentity)
    /// The same for an identity that stays as it is until the registration is finished. Answered by
    /// `registrationStarted`, or by `verificationStarted` where a code of the mail comes first.
    case renewRegistration(KioskIdentity)
    /// Answered by `registrationConfirmed`.
    case confirmRegistration(KioskIdentity)
    /// Takes the new PIN; answered by `registrationFinished`.
    case finishRegistration(KioskIdentity)
    /// Answered by `verificationStarted`.
    case startVerification(userID: String)
    /// Takes the typed or scanned code, and leaves in its place what the registration takes. Answered by `verified`.
    case finishVerification(userID: String)
    /// Takes the code. Answered by `registrationStarted`.
    case startRegistrationWithCode(userID: String)

    // With a PIN.

    /// Answered by `authenticationStarted`.
    case startAuthentication(KioskIdentity, for: Errand = .login)
    /// Takes the typed PIN; answered by `authenticated` for a login, `codeIssued` where digits are issued, `errandDone`
    /// for all others.
    case finishAuthentication(KioskIdentity, for: Errand = .login)
    /// Answered by `identityDeleted`.
    case deleteIdentity(KioskIdentity)
    /// Seals the identity as a personal card; answered by `cardWritten`.
    case writeCard(KioskIdentity)
    /// After the session, so without a code. Answered by `loggedOut`.
    case logout(KioskIdentity)

    // Signing.

    /// Answered by `signerRead`.
    case readSigner(KioskIdentity)
    /// Takes the typed PIN, the login's; answered by `signingKeyStarted`.
    case startSigningKey(KioskIdentity)
    /// Takes the new PIN for signing; answered by `signingKeyFinished`.
    case finishSigningKey(KioskIdentity)
    /// Asks the service for the hash, and compares it with the document's; answered by `documentPrepared`.
    case prepareDocument(DocumentText)
    /// Takes the typed PIN; answered by `signed` when the service takes the signature.
    case sign(KioskIdentity, DocumentHash)

    /// For whom it is, as the backend knows the person; nil for a step that names no person.
    public var userID: String? {
        switch self {
        case .readService, .openBackend, .prepareDocument: nil
        case .startRegistration(let userID), .startVerification(let userID), .finishVerification(let userID),
            .startRegistrationWithCode(let userID):
            userID
        case .restartRegistration(let identity), .renewRegistration(let identity), .confirmRegistration(let identity),
            .finishRegistration(let identity),
            .startAuthentication(let identity, _), .finishAuthentication(let identity, _),
            .deleteIdentity(let identity), .writeCard(let identity), .logout(let identity), .readSigner(let identity),
            .startSigningKey(let identity), .finishSigningKey(let identity), .sign(let identity, _):
            identity.userID
        }
    }
}

/// The result of a step, as far as the machine may know it.
public enum StepAnswer: Equatable, Sendable {
    /// - Parameters:
    ///   - name: what the service calls itself.
    ///   - backend: host and port of where a PIN takes effect; nil for where the code is from.
    case serviceFound(DisplayText, backend: String? = nil)
    case backendOpened(BackendSession)

    /// - Parameter identity: as it is now.
    case registrationStarted(KioskIdentity)
    /// The shares are in memory, once and for all.
    case registrationConfirmed
    /// The identity has its number.
    case registrationFinished(KioskIdentity)
    /// The mail is on its way.
    case verificationStarted
    /// The text that the registration takes is in the place of the code.
    case verified

    /// Permits are there, the PIN can be asked for.
    case authenticationStarted
    /// The browser is logged in.
    ///
    /// - Parameters:
    ///   - canLogout: whether its session can be ended from here.
    ///   - wrongPINs: those since the login before; nil when there were none, or the server does not say.
    case authenticated(canLogout: Bool = false, wrongPINs: EarlierWrongPINs? = nil)
    /// Digits are there for the person to read.
    ///
    /// - Parameter lifetime: how long the server takes them, from now.
    case codeIssued(lifetime: Duration)
    /// It was the PIN of the identity, and what the errand does with it is done.
    case errandDone
    case identityDeleted
    case loggedOut
    /// The card is there to be shown.
    ///
    /// - Parameter ends: until when it counts, as people read it.
    case cardWritten(ends: String = "")

    /// The identity with what it takes to sign.
    case signerRead(KioskIdentity)
    /// The shares of the key are in memory.
    case signingKeyStarted
    case signingKeyFinished(KioskIdentity)
    /// The service's hash is the document's.
    case documentPrepared(DocumentHash)
    /// The service has the signature and takes it.
    case signed
}
