// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension SessionOutcome {
    /// The sentence for a session that ended because of `failure`.
    ///
    /// - Parameters:
    ///   - key: the sentence for failures without one of their own; it quotes the status.
    ///   - task: if nothing was scanned there is no webpage to refresh, and no browser to look at.
    ///   - isScanned: whether it began with a code, as a signature can.
    func message(
        _ failure: KioskFailure, failed key: PromptKey, for task: KioskTask = .login, isScanned: Bool = false
    ) -> Prompt {
        switch self {
        case .sessionExpired where task == .signing && isScanned: Prompt(.signingExpired)
        case .sessionExpired where task != .login, .browserTimedOut where task != .login: Prompt(.taskExpired)
        case .outcomeUnknown: Prompt(task.rules.outcomeUnknown)
        // While the identity is here the person cannot register again.
        case .revoked where failure.isFinal: Prompt(.revoked)
        default: (failure.sentence ?? meaning.sentence ?? key).quoting(failure.status)
        }
    }
}

extension PromptKey {
    fileprivate func quoting(_ status: String) -> Prompt {
        switch self {
        case .registrationFailed, .registrationFailedDeleted, .authenticationFailed, .backendFailed, .deletionFailed,
            .cardFailed, .signingKeyFailed, .signingFailed, .signatureRefused, .pinChangeFailed:
            Prompt(self, [.status: status])
        default: Prompt(self)
        }
    }
}
