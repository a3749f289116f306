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
}
