// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

// The rule by which logins count, from pass 1 to their verdict. Every storage runs it on the row of an identity, in one
// transaction for each step. docs/decisions/0128-one-rule-of-counting.md

/// The identity that a login may be begun with.
struct LoginOrder: Sendable {
    let mpinID: MPinID
    /// The key that the device says it has; nil: it has none.
    var publicKey: [UInt8]?
    /// Whether one that is blocked or revoked may not begin.
    var mustBeGood = false
    var rule = LoginRateLimit()

    func isKey(of identity: RegisteredIdentity) -> Bool {
        publicKey == identity.publicKey || (publicKey != nil && publicKey == identity.nextPublicKey)
    }

    package func admits(_ identity: RegisteredIdentity) -> Bool {
        isKey(of: identity) && !(mustBeGood && (identity.isRevoked || identity.isBlocked))
    }
}

/// How many logins of an identity may be begun without a verdict.
struct LoginRateLimit: Sendable {
    /// When one is forgotten.
    var forgetting = Duration.seconds(30)
    /// As many, and one more each time that one is forgotten.
    var most = 20
    /// The most by which the clocks of processes that share a database differ, and by which a request may wait for its
    /// turn. What is later than that was noted before the clock was set back.
    static let clockTolerance = Duration.seconds(60)

    /// - Parameter known: when those that were begun before are forgotten.
    /// - Returns: when all will be, and how long the device has to wait; nil when it may go on.
    func beginning(after known: WallTime?, _ now: WallTime) -> (forgotten: WallTime, wait: Duration?) {
        let latest = now + forgetting * most
        let known = known.map { $0 > latest + Self.clockTolerance ? now : min($0, latest) }
        let before = max(known ?? now, now)
        let after = before + forgetting
        return after <= latest ? (after, nil) : (before, after - latest)
    }
}

/// The result of beginning a login.
enum Beginning: Sendable, Equatable {
    case begun
    /// The order does not admit the identity: nothing was counted.
    case refused
    /// Too many were begun without a verdict.
    case tooMany(wait: Duration)
}

/// The right of one login to be judged. It ends with a verdict, by being given back, and by itself: a process that dies
/// meanwhile keeps an identity from being judged no longer.
package struct JudgingLease: Sendable, Equatable {
    /// Longer than judging takes, with its pause.
    static let lifetime = Duration.seconds(15)

    package let number: UInt64
    package let ends: WallTime

    package init(number: UInt64 = .random(in: .min ... .max), ends: WallTime) {
        (self.number, self.ends) = (number, ends)
    }

    /// One that begins now.
    init(_ now: WallTime) { self.init(ends: now + Self.lifetime) }
}

/// The result of judging a login, as the identity keeps it.
struct LoginVerdict: Sendable {
    let isRight: Bool
    /// Whether a right one makes up for wrong ones before it.
    let forgives: Bool
    /// Wrong ones that count from now on: this one, and those that could not be written before.
    let wrong: Int64
    let time: WallTime
    /// By how much earlier the begun ones are forgotten, now that this one has a verdict; negative.
    var takenBack = .zero - LoginRateLimit().forgetting
    /// More that count, so that the identity is blocked from now on.
    var blocking: Int64 = 0
    /// Whether the device has to take a new secret.
    var mustRenew = false

    var isForgiving: Bool { isRight && forgives }
}

/// The result of counting a verdict.
enum CountedVerdict: Sendable, Equatable {
    /// The identity as it is now.
    case counted(RegisteredIdentity)
    /// The identity was blocked already, and nothing has changed.
    case blocked
    /// Another login has the lease. A right PIN is none then, because that one looks at a PIN now.
    case tooLate
}

extension RegisteredIdentity {
    /// Pass 1: counts a login that is begun, until it has a verdict or is forgotten.
    mutating func begin(_ order: LoginOrder, now: WallTime) -> Beginning {
        guard order.admits(self) else { return .refused }
        let (forgotten, wait) = order.rule.beginning(after: begunForgotten, now)
        begunForgotten = forgotten
        return wait.map { .tooMany(wait: $0) } ?? .begun
    }

    /// The last request: claims the identity for judging.
    /// - Returns: false when another login is being judged.
    package mutating func take(_ new: JudgingLease, now: WallTime) -> Bool {
        // A lease that ends later was made before the clock was set back.
        if let lease, lease.ends > now, lease.ends <= now + JudgingLease.lifetime + LoginRateLimit.clockTolerance {
            return false
        }
        lease = new
        return true
    }

    /// Ends a lease without a verdict, if it is still this one.
    package mutating func release(_ old: JudgingLease) {
        if lease?.number == old.number { lease = nil }
    }

    /// Counts what was wrong, or forgives it, and ends the lease. A wrong one counts also when the lease was lost.
    mutating func count(_ verdict: LoginVerdict, lease own: JudgingLease) -> CountedVerdict {
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
            begunForgotten = begunForgotten.map { $0 + verdict.takenBack }
        }
        return .counted(self)
    }

    /// Forgets the wrong logins, and those without a verdict.
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
