// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import MPinCrypto

// The rule that counts logins, from pass 1 to their verdict. Every storage runs it on the row of an identity, in one
// transaction for each step. docs/decisions/0128-one-rule-of-counting.md

/// The conditions for beginning a login.
struct LoginOrder: Sendable {
    let mpinID: MPinID
    /// The key that the device claims to have; nil for none.
    var publicKey: [UInt8]?
    /// Whether a blocked or revoked identity is refused.
    var mustBeUsable = false
    var rateLimit = LoginRateLimit()

    func isKey(of identity: RegisteredIdentity) -> Bool {
        publicKey == identity.publicKey || (publicKey != nil && publicKey == identity.nextPublicKey)
    }

    func admits(_ identity: RegisteredIdentity) -> Bool {
        isKey(of: identity) && !(mustBeUsable && (identity.isRevoked || identity.isBlocked))
    }
}

/// A token bucket that limits how many logins of an identity are begun without a verdict. The identity stores the time
/// at which its bucket is full again.
struct LoginRateLimit: Sendable {
    /// The time after which a token is added.
    var refillTime = Duration.seconds(30)
    /// Tokens in a full bucket.
    var capacity = 20
    /// The largest difference of the clocks of processes that share a database, and of a request's time from now. A
    /// later time was stored before the clock was set back.
    static let clockTolerance = Duration.seconds(60)

    /// Takes a token.
    /// - Parameter known: the time at which the bucket is full; nil for a full one.
    /// - Returns: that time from now on, and how long the device has to wait; nil when there was a token.
    func take(fullAt known: WallTime?, _ now: WallTime) -> (fullAt: WallTime, wait: Duration?) {
        let latest = now + refillTime * capacity
        let known = known.map { $0 > latest + Self.clockTolerance ? now : min($0, latest) }
        let before = max(known ?? now, now)
        let after = before + refillTime
        return after <= latest ? (after, nil) : (before, after - latest)
    }
}

/// The result of beginning a login.
enum Beginning: Sendable, Equatable {
    case begun
    /// The order does not admit the identity. Nothing was counted.
    case refused
    /// Too many were begun without a verdict.
    case tooMany(wait: Duration)
}

/// The lease of an identity while one of its logins is checked. It ends with the verdict, when it is released, or by
/// itself, so that a process that dies blocks nobody for long.
package struct LoginLease: Sendable, Equatable {
    /// Longer than a check takes, including its pause.
    static let lifetime = Duration.seconds(15)

    package let number: UInt64
    package let ends: WallTime

    package init(number: UInt64 = .random(in: .min ... .max), ends: WallTime) {
        (self.number, self.ends) = (number, ends)
    }

    /// A lease that begins now.
    init(_ now: WallTime) { self.init(ends: now + Self.lifetime) }
}

/// The verdict on a login, as it changes the identity.
struct LoginVerdict: Sendable {
    let isRight: Bool
    /// Whether a right PIN resets the wrong ones before it.
    let forgives: Bool
    /// Number of wrong PINs to count: this one, and those that could not be written before.
    let wrong: Int64
    let time: WallTime
    /// The token that a login with a verdict gives back, as the time that refills it.
    var refund = LoginRateLimit().refillTime
    /// Further failures to count, so that the identity is blocked.
    var blocking: Int64 = 0
    /// Whether the device has to take a new secret.
    var mustRenew = false

    var isForgiving: Bool { isRight && forgives }
}

/// The result of counting a verdict.
enum CountedVerdict: Sendable, Equatable {
    /// The changed identity.
    case counted(RegisteredIdentity)
    /// The identity was blocked already, and nothing has changed.
    case blocked
    /// A right PIN is ignored, because another login holds the lease.
    case tooLate
}

extension RegisteredIdentity {
    /// Pass 1: takes a token for a login that has no verdict yet.
    mutating func begin(_ order: LoginOrder, now: WallTime) -> Beginning {
        guard order.admits(self) else { return .refused }
        let (fullAt, wait) = order.rateLimit.take(fullAt: begunForgotten, now)
        begunForgotten = fullAt
        return wait.map { .tooMany(wait: $0) } ?? .begun
    }

    /// The last request: takes the lease.
    /// - Returns: false when another login is being checked.
    package mutating func take(_ new: LoginLease, now: WallTime) -> Bool {
        // A lease that ends later was taken before the clock was set back.
        if let lease, lease.ends > now, lease.ends <= now + LoginLease.lifetime + LoginRateLimit.clockTolerance {
            return false
        }
        lease = new
        return true
    }

    /// Releases a lease without a verdict, if the identity still has it.
    package mutating func release(_ old: LoginLease) {
        if lease?.number == old.number { lease = nil }
    }

    /// Counts or resets wrong PINs, and releases the lease. A wrong PIN is counted even if the lease was lost.
    mutating func count(_ verdict: LoginVerdict, lease own: LoginLease) -> CountedVerdict {
        let isLost = lease.map { $0.number != own.number && $0.ends > verdict.time } ?? false
        if isLost, verdict.isRight { return .tooLate }
        release(own)
        guard !isBlocked else { return .blocked }
        verdicts += 1
        recentFailures.add(RecentFailures.bytes(of: verdict.wrong, at: verdict.time))
        if verdict.mustRenew { needsRenewal = true }
        if verdict.isForgiving {
            forgetFailuresInARow()
            lastLogin = verdict.time
        } else {
            failures += verdict.wrong + verdict.blocking
            if verdict.wrong > 0 { lastFailure = verdict.time }
            begunForgotten = begunForgotten.map { $0 - verdict.refund }
        }
        return .counted(self)
    }

    /// Forgets wrong PINs, and logins without a verdict.
    mutating func forgetFailures() {
        forgetFailuresInARow()
        recentFailures = RecentFailures()
    }

    private mutating func forgetFailuresInARow() {
        failures = 0
        lastFailure = nil
        begunForgotten = nil
    }
}
