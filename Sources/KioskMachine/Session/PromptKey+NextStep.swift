// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension PromptKey {
    /// What a person can do after a session that ended with this sentence; nil where the sentence says so itself.
    ///
    /// - Parameter errand: what the session was for; without a code there is none to be scanned again.
    func nextStep(in errand: Errand) -> PromptKey? {
        switch self {
        case .wrongPIN where errand == .signing, .newMailNeeded where errand == .signing, .signingDeclined,
            .signingTimedOut:
            .nextSignAgain
        case .documentNotVerified, .signatureRefused: .nextNothingSigned
        case .signingImpossible: .nextAskService
        case .signingFailed, .signingKeyFailed, .pinChangeFailed: .nextTryLater
        case .newMailNeeded where errand != .login, .wrongPIN where errand != .login, .newCodeNeeded, .errandLeft,
            .errandTimedOut, .errandExpired, .errandOutcomeUnknown:
            .nextMenu
        case .doorTooOften: .nextTryLater
        case .cardElsewhere, .cardOfSomebodyElse: .nextScanAgain
        case .doorFailed, .doorUnknown, .documentNeedsRoom, .cardNeedsRoom, .cardNeedsLargerScreen: .nextTellOperator
        case .errandNotOffered, .errandNotAllowed: .nextAskService
        case .declined, .timedOut, .newMailNeeded: .nextScanAgain
        case .codeMistyped: .nextTypeAgain
        case .blocked, .registrationFailedDeleted: .nextRegister
        case .notAuthorized: .nextAskService
        case .serviceUnavailable, .serviceTooBusy, .backendFailed, .deletionFailed, .authenticationFailed,
            .registrationFailed:
            .nextTryLater
        case .versionRefused, .appRefused, .invalidConfiguration, .identityUnusable,
            .backendOfAnotherService, .serverKeyRefused:
            .nextTellOperator
        case .wrongPIN: .wrongPINScanAgain
        default: nil
        }
    }
}
