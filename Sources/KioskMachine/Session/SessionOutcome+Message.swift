// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension SessionOutcome {
    /// The sentence for a session that ended because of `failure`.
    ///
    /// - Parameters:
    ///   - key: the sentence for what has none of its own; it quotes the status.
    ///   - errand: where nothing was scanned there is no webpage to refresh, and no browser to look at.
    ///   - isScanned: whether it began with a code, as a signature can.
    func message(
        _ failure: KioskFailure, failed key: PromptKey, for errand: Errand = .login, isScanned: Bool = false
    ) -> Prompt {
        switch self {
        case .sessionExpired where errand == .signing && isScanned: Prompt(.signingExpired)
        case .unknownUser where failure.reason == .cardElsewhere: Prompt(.cardElsewhere)
        case .documentRefused: Prompt(.documentNotVerified)
        case .signatureRefused: Prompt(.signatureRefused, [.status: failure.status])
        case .sessionExpired where errand != .login, .browserTimedOut where errand != .login:
            Prompt(.errandExpired)
        case .notOffered where failure.reason == .screenTooSmall: Prompt(.cardNeedsRoom)
        case .notOffered: Prompt(.errandNotOffered)
        case .notAllowed: Prompt(.errandNotAllowed)
        case .tooOften: Prompt(.doorTooOften)
        case .doorFailed: Prompt(.doorFailed)
        case .doorUnknown: Prompt(.doorUnknown)
        case .untrusted, .loopbackHTTP: Prompt(.backendUntrusted)
        case .anotherService: Prompt(.backendOfAnotherService)
        case .serverKeyRefused: Prompt(.serverKeyRefused)
        case .invalidCode: Prompt(.codeMistyped)
        case .versionRefused: Prompt(.versionRefused)
        case .appRefused: Prompt(.appRefused)
        case .invalidConfiguration: Prompt(.invalidConfiguration)
        case .serviceUnavailable: Prompt(.serviceUnavailable)
        case .unreachable: Prompt(failure.reason == .busy ? .serviceTooBusy : .unreachable)
        case .notAuthorized: Prompt(.notAuthorized)
        case .wrongPIN: Prompt(.wrongPIN)
        case .blocked: Prompt(.blocked)
        // As long as the identity is here the person cannot register again.
        case .revoked: failure.isFinal ? Prompt(.revoked) : Prompt(key, [.status: failure.status])
        case .sessionExpired: Prompt(.sessionExpired)
        case .browserTimedOut: Prompt(.browserDidNotAnswer)
        case .secretExpired: Prompt(.secretExpired)
        case .storageFailed where failure.reason == .storageFull: Prompt(.storageFull)
        case .storageFailed where failure.reason == .changedElsewhere: Prompt(.changedElsewhere)
        case .storageFailed: Prompt(.storageFailed)
        case .outcomeUnknown: Prompt(errand.rules.outcomeUnknown)
        case .loggedIn, .enrolled, .codeIssued, .doorOpened, .signed, .identityDeleted, .pinChanged, .declined,
            .timedOut, .stopped,
            .unknownUser,
            .identityExists,
            .notVerified, .registrationExpired, .registrationFailed, .weakPIN, .failed:
            Prompt(key, [.status: failure.status])
        }
    }
}
