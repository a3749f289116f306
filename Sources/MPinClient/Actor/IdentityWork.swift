// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// What is remembered of one identity in work: of its registration, its login, and the call under way. Never stored.
///
/// Three things end a part of it, and they end different parts: another backend, a person who leaves, and an identity
/// that is another one afterwards.
struct IdentityWork {
    /// Whether a call is under way; a second one has to wait.
    var isBusy = false
    /// Whether the shares that this call brings are to be dropped, because the person left.
    var sharesAreUnwanted = false

    /// The client secret between confirm and finish.
    var clientSecret: SecretFlow.Outcome?
    /// A registration with a key that is not finished.
    var pendingRegistration: PendingRegistration?
    /// A secret for signing whose registration is not finished.
    var signingSecret: SigningSecret?

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
        signingSecret = nil
    }

    /// The backend was set anew, and may use time permits from now on, or none: a login begins with its first step.
    mutating func forgetLogin() { startedAuthentication = nil }

    /// The identity is another one now, or none: registered, begun anew, blocked, deleted. Nothing of before is true of
    /// it.
    mutating func forgetIdentity() {
        self = IdentityWork(isBusy: isBusy, sharesAreUnwanted: sharesAreUnwanted)
    }

    fileprivate var isNothing: Bool {
        !isBusy && !sharesAreUnwanted && clientSecret == nil && pendingRegistration == nil && signingSecret == nil
            && startedAuthentication == nil && logoutTicket == nil && !tokenIsCompleted
    }
}

/// A login that waits for its PIN.
final class StartedAuthentication {
    /// Nil when the backend uses no permits.
    let permit: TimePermit?
    /// Pass 1, made while the person types. Nil once the first PIN has used it.
    private var prepared: PreparedAttempt?

    /// - Parameter identity: who will most likely prove; a login for another target may take another one.
    init(permit: TimePermit?, for identity: MPinIdentity) {
        self.permit = permit
        // What cannot be made now is tried again, and told, when the PIN is there.
        prepared = try? PreparedAttempt(identity: identity, permit: permit)
    }

    /// Pass 1 of one proof: what was prepared, or made now where that was used before, or is another's.
    func takePass1(of identity: MPinIdentity) throws(MPinCryptoError) -> PreparedAttempt {
        if let prepared = prepared.take(), prepared.identity == identity { return prepared }
        return try PreparedAttempt(identity: identity, permit: permit)
    }
}

/// A secret for signing between the start and the end of its registration.
struct SigningSecret {
    let secret: SecretFlow.Outcome
    let publicKey: DVSPublicKey
}

/// What is remembered of each identity. One of which nothing is takes no room.
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
