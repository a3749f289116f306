// SPDX-License-Identifier: Apache-2.0

/// Something that takes time and is answered by an event of the same session; one is under way at most.
public enum KioskStep: Hashable, Sendable {
    /// Answered by `serviceFound`.
    case readService
    /// Answered by `backendOpened`.
    case openBackend
    /// Both answered by `registrationStarted`.
    case startRegistration(userID: String)
    case restartRegistration(KioskIdentity)
    /// Answered by `registrationConfirmed`.
    case confirmRegistration(KioskIdentity)
    /// Takes the new PIN; answered by `registrationFinished`.
    case finishRegistration(KioskIdentity)
    /// Answered by `authenticationStarted`.
    case startAuthentication(KioskIdentity, for: Errand = .login)
    /// Takes the typed PIN; answered by `authenticated` for a login, by `codeIssued` for an errand that ends with a code.
    case finishAuthentication(KioskIdentity, for: Errand = .login)
}
