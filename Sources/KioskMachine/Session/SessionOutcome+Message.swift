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
        switch (self, failure.reason) {
        case (.sessionExpired, _) where errand == .signing && isScanned: Prompt(.signingExpired)
        case (.sessionExpired, _) where errand != .login, (.browserTimedOut, _) where errand != .login:
            Prompt(.errandExpired)
        case (.outcomeUnknown, _): Prompt(errand.rules.outcomeUnknown)
        // As long as the identity is here the person cannot register again.
        case (.revoked, _) where failure.isFinal: Prompt(.revoked)
        case (_, .cardElsewhere): Prompt(.cardElsewhere)
        case (_, .screenTooSmall): Prompt(.cardNeedsRoom)
        case (_, .busy): Prompt(.serviceTooBusy)
        case (_, .storageFull): Prompt(.storageFull)
        case (_, .changedElsewhere): Prompt(.changedElsewhere)
        default: (meaning.sentence ?? key).quoting(failure.status)
        }
    }
}

extension PromptKey {
    fileprivate func quoting(_ status: String) -> Prompt {
        Prompt(self, placeholders.contains(.status) ? [.status: status] : [:])
    }
}
