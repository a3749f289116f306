// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// Memory of one identity in work: its registration, its login, and the call under way. Never stored.
///
/// Three events each clear another part of it: the backend is set anew, the person leaves, or the identity becomes
/// another one.
struct IdentityWork {
    /// Whether a call is under way; a second one has to wait.
    var isBusy = false
    /// Whether the shares that this call brings are to be dropped, because the person left.
    var sharesAreUnwanted = false

    /// The client secret between confirm and finish.
    var clientSecret: SecretFlow.Outcome?
    /// A registration with a key that is not finished.
    var pendingRegistration: PendingRegistration?
    /// A registration by mail that is not finished, of an identity that stays as it is until then.
    var replacement: IdentityRecord?
    /// A secret for signing whose registration is not finished.
    var signingSecret: SigningSecret?

    /// Whether a blocked identity may log in again, where the server takes it.
    var isReconsidered = false
    /// A login that waits for its PIN.
    var startedAuthentication: StartedAuthentication?
    /// How the browser session that was logged in last can be ended again.
    var logoutTicket: LogoutTicket?
    /// Whether the stored token of the running registration was completed: it must not be twice.
    var tokenIsCompleted = false

    /// The person left a registration before its PIN was chosen. The identity is what it was: a login, a browser
    /// session and the registration's token outlive it.
    mutating func forgetShares() {
        clientSecret = nil
        pendingRegistration = nil
        replacement = nil
        signingSecret = nil
    }

    /// The backend was set anew, and may use time permits from now on, or none: a login begins with its first step.
    mutating func forgetLogin() {
        startedAuthentication = nil
        isReconsidered = false
    }

    /// The identity is another one now, or none: registered, begun anew, blocked, deleted. Nothing of before is true of
    /// it.
    mutating func forgetIdentity() {
        self = IdentityWork(isBusy: isBusy, sharesAreUnwanted: sharesAreUnwanted)
    }

    fileprivate var isNothing: Bool {
        !isBusy && !sharesAreUnwanted && clientSecret == nil && pendingRegistration == nil && signingSecret == nil
            && replacement == nil && !isReconsidered && startedAuthentication == nil && logoutTicket == nil
            && !tokenIsCompleted
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

/// Memory of every identity in work. An identity with nothing to remember has no entry.
struct IdentitiesInWork {
    private var entries: [IdentityKey: IdentityWork] = [:]

    subscript(key: IdentityKey) -> IdentityWork {
        get { entries[key] ?? IdentityWork() }
        set { entries[key] = newValue.isNothing ? nil : newValue }
    }

    var isBusy: Bool { entries.values.contains { $0.isBusy } }

    var keysOfPendingRegistrations: [IdentityKey] {
        entries.filter { $0.value.pendingRegistration != nil }.map(\.key)
    }

    mutating func forgetLogins() {
        for key in Array(entries.keys) { self[key].forgetLogin() }
    }
}
