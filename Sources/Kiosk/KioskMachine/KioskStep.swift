// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LoginValues

/// A step of a session that takes time; at most one is under way. It ends with a ``StepAnswer`` or a ``KioskFailure``,
/// reported by ``KioskMachine/stepEnded(_:session:)``.
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
    /// `registrationStarted`, or by `verificationStarted` when a code of the mail comes first.
    case renewRegistration(KioskIdentity)
    /// Answered by `registrationConfirmed`.
    case confirmRegistration(KioskIdentity)
    /// Takes the new PIN; answered by `registrationFinished`.
    case finishRegistration(KioskIdentity)
    /// Answered by `verificationStarted`.
    case startVerification(userID: String)
    /// Hands in the typed or scanned code; the registration's token replaces it. Answered by `verified`.
    case finishVerification(userID: String)
    /// Takes the code. Answered by `registrationStarted`.
    case startRegistrationWithCode(userID: String)

    // With a PIN.

    /// Answered by `authenticationStarted`.
    case startAuthentication(KioskIdentity, for: Errand = .login)
    /// Takes the typed PIN; answered by `authenticated` for a login, `codeIssued` for issued digits, `errandDone` for
    /// all others.
    case finishAuthentication(KioskIdentity, for: Errand = .login)
    /// Answered by `identityDeleted`.
    case deleteIdentity(KioskIdentity)
    /// Seals the identity as a personal card; answered by `cardWritten`.
    case writeCard(KioskIdentity)
    /// After the session, and so without a code. Answered by `loggedOut`.
    case logout(KioskIdentity)

    // Signing.

    /// Answered by `signerRead`.
    case readSigner(KioskIdentity)
    /// Takes the typed PIN for logging in; answered by `signingKeyStarted`.
    case startSigningKey(KioskIdentity)
    /// Takes the new PIN for signing; answered by `signingKeyFinished`.
    case finishSigningKey(KioskIdentity)
    /// Asks the service for the hash, and compares it with the document's; answered by `documentPrepared`.
    case prepareDocument(DocumentText)
    /// Takes the typed PIN; answered by `signed` when the service accepts the signature.
    case sign(KioskIdentity, DocumentHash)

    /// The user of the step, as the backend knows the person; nil for a step without one.
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

/// The ways in which a mail lets a person confirm an address.
public enum MailContent: Sendable, CaseIterable {
    case code, link
    /// The mail has both, or it is not known which.
    case codeOrLink
}

/// The result of a step, as far as the machine may know it.
public enum StepAnswer: Equatable, Sendable {
    /// - Parameters:
    ///   - name: the service's name for itself.
    ///   - backend: host and port at which a PIN takes effect; nil for those of the code.
    case serviceFound(DisplayText, backend: String? = nil)
    case backendOpened(BackendSession)

    /// - Parameter identity: its state now.
    case registrationStarted(KioskIdentity)
    /// The shares are in memory. The server gives them out only once.
    case registrationConfirmed
    /// The identity has its number.
    case registrationFinished(KioskIdentity)
    /// The mail was sent.
    case verificationStarted(MailContent)
    /// The registration's token has replaced the code.
    case verified

    /// Permits are there; the PIN can be asked for.
    case authenticationStarted
    /// The browser is logged in.
    ///
    /// - Parameters:
    ///   - canLogout: whether its session can be ended from here.
    ///   - wrongPINs: those since the previous login; nil when there were none, or the server does not say.
    case authenticated(canLogout: Bool = false, wrongPINs: EarlierWrongPINs? = nil)
    /// Digits are there for the person to read.
    ///
    /// - Parameters:
    ///   - lifetime: the time from now for which the server accepts them.
    ///   - expires: its end by the server's clock, in seconds since 1970-01-01 UTC.
    case codeIssued(lifetime: Duration, expires: Int64? = nil)
    /// The PIN was right, and the errand is done.
    case errandDone
    case identityDeleted
    case loggedOut
    /// The card can be shown.
    ///
    /// - Parameter ends: the end of its validity, as people read it.
    case cardWritten(ends: String = "")

    /// The identity with its ability to sign.
    case signerRead(KioskIdentity)
    /// The shares of the key are in memory.
    case signingKeyStarted
    case signingKeyFinished(KioskIdentity)
    /// The service's hash is the document's.
    case documentPrepared(DocumentHash)
    /// The service accepted the signature.
    case signed
}
