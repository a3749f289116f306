// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension PromptKey {
    /// The next step for a person after a session that ended with this sentence; nil when the sentence itself contains
    /// it.
    ///
    /// - Parameter task: the session's purpose; a task without a code has no code to scan again.
    func nextStep(in task: KioskTask) -> PromptKey? { task.rules.nextStep(after: self) ?? nextStepInAnyTask }

    private var nextStepInAnyTask: PromptKey? {
        switch self {
        case .newMailNeeded, .newCodeNeeded, .wrongPIN, .taskLeft, .taskTimedOut, .taskExpired,
            .taskOutcomeUnknown:
            .nextMenu
        case .cardElsewhere, .cardOfSomebodyElse: .nextScanAgain
        case .taskNotOffered, .taskNotAllowed, .notAuthorized: .nextAskService
        case .documentNotVerified, .signatureRefused: .nextNothingSigned
        case .codeMistyped: .nextTypeAgain
        case .blocked: .nextUnblock
        case .unverifiedWait: .nextNamed
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
