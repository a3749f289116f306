// SPDX-License-Identifier: Apache-2.0

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
    /// Starts a new registration of an identity, which stays as it is until the registration is finished. Answered by
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
    case startAuthentication(KioskIdentity, for: KioskTask = .login)
    /// Takes the typed PIN; answered by `authenticated` for a login, `codeIssued` for issued digits, `taskDone` for
    /// all others.
    case finishAuthentication(KioskIdentity, for: KioskTask = .login)
    /// Answered by `identityDeleted`.
    case deleteIdentity(KioskIdentity)
    /// Seals the identity as a personal card; answered by `cardWritten`.
    case writeCard(KioskIdentity)
    /// Runs after the session, and therefore without a code. Answered by `loggedOut`.
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
            .finishRegistration(let identity), .startAuthentication(let identity, _),
            .finishAuthentication(let identity, _), .deleteIdentity(let identity), .writeCard(let identity),
            .logout(let identity), .readSigner(let identity), .startSigningKey(let identity),
            .finishSigningKey(let identity), .sign(let identity, _):
            identity.userID
        }
    }
}
