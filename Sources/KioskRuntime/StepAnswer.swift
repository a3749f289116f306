// SPDX-License-Identifier: Apache-2.0

import KioskCore

/// How a step ended.
enum StepAnswer: Sendable {
    case serviceFound(ServiceOffer)
    case backendOpened(BackendSession)
    case registrationStarted(KioskIdentity)
    case registrationConfirmed
    case registrationFinished
    case authenticationStarted
    case authenticated
    case codeIssued(IssuedCode)
    case failed(KioskFailure)
}
