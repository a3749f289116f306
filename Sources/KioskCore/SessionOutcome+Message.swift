// SPDX-License-Identifier: Apache-2.0

extension SessionOutcome {
    /// The sentence for a session that ended because of `failure`.
    ///
    /// - Parameter key: the sentence for what has none of its own; it quotes the status.
    func message(_ failure: KioskFailure, failed key: PromptKey) -> Prompt {
        switch self {
        case .untrusted: Prompt(.backendUntrusted)
        case .invalidCode: Prompt(.codeMistyped)
        case .versionRefused: Prompt(.versionRefused)
        case .appRefused: Prompt(.appRefused)
        case .invalidConfiguration: Prompt(.invalidConfiguration)
        case .serviceUnavailable: Prompt(.serviceUnavailable)
        case .unreachable: Prompt(.unreachable)
        case .notAuthorized: Prompt(.notAuthorized)
        case .wrongPIN: Prompt(.wrongPIN)
        case .blocked: Prompt(.blocked)
        case .revoked: Prompt(.revoked)
        case .sessionExpired: Prompt(.sessionExpired)
        case .browserTimedOut: Prompt(.browserDidNotAnswer)
        case .secretExpired: Prompt(.secretExpired)
        case .storageFailed: Prompt(.storageFailed)
        case .outcomeUnknown: Prompt(.outcomeUnknown)
        case .loggedIn, .enrolled, .declined, .timedOut, .stopped, .unknownUser, .identityExists,
            .notVerified, .registrationExpired, .registrationFailed, .weakPIN, .failed:
            Prompt(key, [.status: failure.status])
        }
    }
}
