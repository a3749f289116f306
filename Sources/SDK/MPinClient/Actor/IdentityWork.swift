// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// State of one identity's calls in memory: its registration, its login, and the call under way. Never stored.
///
/// Fields that are forgotten together stand in one group.
struct IdentityWork {
    /// Whether a call is under way; a second one is refused.
    var isBusy = false
    /// Whether to drop the shares that the running call brings, because the person left.
    var sharesAreUnwanted = false

    var shares = Shares()
    var login = LoginState()
    /// The data for ending the browser session of the last login.
    var logoutTicket: LogoutTicket?
    /// Whether the stored token of the running registration was completed. It must not be completed twice.
    var tokenIsCompleted = false

    /// Forgets the shares when the person leaves a registration before choosing its PIN. The identity is as before:
    /// its login, its browser session and the registration's token stay.
    mutating func forgetShares() { shares = Shares() }

    /// Forgets the started login when the backend is set again: whether it uses time permits may have changed.
    mutating func forgetLogin() { login = LoginState() }

    /// Forgets everything when the identity is registered, started again, blocked or deleted.
    mutating func forgetIdentity() {
        self = IdentityWork(isBusy: isBusy, sharesAreUnwanted: sharesAreUnwanted)
    }

    var isEmpty: Bool {
        !isBusy && !sharesAreUnwanted && shares.isEmpty && login.isEmpty && logoutTicket == nil && !tokenIsCompleted
    }
}

extension IdentityWork {
    /// An unfinished registration.
    struct Shares {
        /// The client secret between confirm and finish.
        var clientSecret: SecretFlow.Outcome?
        /// An unfinished registration with a key.
        var pendingRegistration: PendingRegistration?
        /// An unfinished registration by mail; until it is finished the identity stays as it is.
        var replacement: IdentityRecord?
        /// A secret for signing with an unfinished registration.
        var signingSecret: SigningSecret?

        var isEmpty: Bool {
            clientSecret == nil && pendingRegistration == nil && replacement == nil && signingSecret == nil
        }
    }

    /// A login before its end.
    struct LoginState {
        /// Whether a blocked identity may try to log in again.
        var isReconsidered = false
        /// A login that waits for its PIN.
        var started: StartedAuthentication?

        var isEmpty: Bool { !isReconsidered && started == nil }
    }
}

/// A login that waits for its PIN.
struct StartedAuthentication {
    /// Nil when the backend uses no permits.
    let permit: TimePermit?
}

/// A secret for signing between the start and the end of its registration.
struct SigningSecret {
    let secret: SecretFlow.Outcome
    let publicKey: DVSPublicKey
}
