// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues

/// How a step ended.
enum StepAnswer: Sendable {
    case serviceFound(ServiceOffer)
    case backendOpened(BackendSession)
    case registrationStarted(KioskIdentity)
    case verificationStarted
    /// What the registration takes as its code.
    case verified(SecretBytes)
    case registrationConfirmed
    case registrationFinished(KioskIdentity)
    case authenticationStarted
    case authenticated(canLogout: Bool)
    case codeIssued(IssuedCode)
    case doorOpened
    case identityConfirmed
    case identityDeleted
    case loggedOut
    case signerRead(KioskIdentity)
    case signingKeyStarted
    case signingKeyFinished(KioskIdentity)
    case documentPrepared(DocumentHash)
    case signed
    case failed(KioskFailure)
}
