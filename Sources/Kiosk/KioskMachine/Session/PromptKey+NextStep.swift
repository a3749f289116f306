// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension PromptKey {
    /// The next step for a person after a session that ended with this sentence; nil when the sentence itself contains
    /// it.
    ///
    /// - Parameter errand: the session's purpose; an errand without a code has no code to scan again.
    func nextStep(in errand: Errand) -> PromptKey? { errand.rules.nextStep(after: self) ?? nextStepInAnyErrand }

    private var nextStepInAnyErrand: PromptKey? {
        switch self {
        case .newMailNeeded, .newCodeNeeded, .wrongPIN, .errandLeft, .errandTimedOut, .errandExpired,
            .errandOutcomeUnknown:
            .nextMenu
        case .cardElsewhere, .cardOfSomebodyElse: .nextScanAgain
        case .errandNotOffered, .errandNotAllowed, .notAuthorized: .nextAskService
        case .documentNotVerified, .signatureRefused: .nextNothingSigned
        case .codeMistyped: .nextTypeAgain
        case .blocked: .nextUnblock
        case .pickedWait: .nextNamed
        case .registrationFailedDeleted: .nextRegister
        case .serviceUnavailable, .serviceTooBusy, .backendFailed, .deletionFailed, .authenticationFailed,
            .registrationFailed, .doorTooOften:
            .nextTryLater
        case .cardNeedsRoom, .cardNeedsLargerScreen, .doorFailed, .doorUnknown, .versionRefused, .appRefused,
            .invalidConfiguration, .identityUnusable, .backendOfAnotherService, .serverKeyRefused:
            .nextTellOperator
        default: nil
        }
    }
}
