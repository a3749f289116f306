// SPDX-License-Identifier: Apache-2.0

/// Something that takes time and is answered by an event of the same session; one is under way at most.
public enum KioskStep: Hashable, Sendable {
    /// Answered by `serviceFound`.
    case readService
    /// Answered by `backendOpened`.
    case openBackend
    /// Answered by `verificationStarted`.
    case startVerification(userID: String)
    /// Takes the typed or scanned code, and leaves in its place what the registration takes. Answered by `verified`.
    case finishVerification(userID: String)
    /// Takes the code. Answered by `registrationStarted`.
    case startRegistrationWithCode(userID: String)
    /// Both answered by `registrationStarted`.
    case startRegistration(userID: String)
    case restartRegistration(KioskIdentity)
    /// Answered by `registrationConfirmed`.
    case confirmRegistration(KioskIdentity)
    /// Takes the new PIN; answered by `registrationFinished`.
    case finishRegistration(KioskIdentity)
    /// Answered by `authenticationStarted`.
    case startAuthentication(KioskIdentity, for: Errand = .login)
    /// Takes the typed PIN; answered by `authenticated` for a login, by `codeIssued` for an errand that ends with a code, by
    /// `identityConfirmed` for one that was about the PIN.
    case finishAuthentication(KioskIdentity, for: Errand = .login)
    /// Answered by `identityDeleted`.
    case deleteIdentity(KioskIdentity)
    /// After the session, so without a code. Answered by `loggedOut`.
    case logout(KioskIdentity)
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

    /// Whether the PIN that was just typed goes along.
    public var takesTypedPIN: Bool {
        switch self {
        case .finishAuthentication, .startSigningKey, .sign: true
        case .readService, .openBackend, .startRegistration, .restartRegistration, .confirmRegistration,
            .finishRegistration, .startAuthentication, .readSigner, .finishSigningKey, .prepareDocument,
            .deleteIdentity, .logout, .startVerification, .finishVerification, .startRegistrationWithCode:
            false
        }
    }
}
