// SPDX-License-Identifier: Apache-2.0

extension PromptKey {
    /// What a person can do after a session that ended with this sentence; nil where the sentence says so itself.
    var nextStep: PromptKey? {
        switch self {
        case .declined, .timedOut, .newMailNeeded: .nextScanAgain
        case .codeMistyped: .nextTypeAgain
        case .blocked, .registrationFailedDeleted: .nextRegister
        case .notAuthorized: .nextAskService
        case .serviceUnavailable, .backendFailed, .authenticationFailed, .registrationFailed: .nextTryLater
        case .versionRefused, .appRefused, .invalidConfiguration, .identityUnusable: .nextTellOperator
        case .wrongPIN: .wrongPINScanAgain
        default: nil
        }
    }
}
