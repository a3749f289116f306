// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// What is said of an errand that came to nothing.
extension Errand {
    /// The person said no, or left.
    var declined: PromptKey {
        switch self {
        case .login: .declined
        case .oneTimePassword, .quickCode, .localLogin, .identities, .enrolment, .verification: .errandLeft
        case .signing: .signingDeclined
        }
    }

    /// The person walked away.
    var timedOut: PromptKey {
        switch self {
        case .login: .timedOut
        case .oneTimePassword, .quickCode, .localLogin, .identities, .enrolment, .verification: .errandTimedOut
        case .signing: .signingTimedOut
        }
    }

    /// No answer came, and it may have come to something.
    var outcomeUnknown: PromptKey {
        switch self {
        case .login: .outcomeUnknown
        case .oneTimePassword, .quickCode, .localLogin, .identities, .enrolment, .verification: .errandOutcomeUnknown
        case .signing: .signingOutcomeUnknown
        }
    }

    /// What it takes to begin a registration again that was left before its PIN.
    var lostRegistration: PromptKey { self == .enrolment ? .newCodeNeeded : .newMailNeeded }
}
