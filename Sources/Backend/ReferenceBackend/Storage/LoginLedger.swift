// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// Logins from pass 1 to their verdict, the third part of the storage: what each request of one does, in one step. A
/// database needs one round trip for a step, and of two at the same moment each counts. A process that dies between two
/// steps forgets nothing that was counted.
protocol LoginLedger: Sendable {
    /// Pass 1: counts a login that is begun, until it has a verdict or is forgotten, and keeps what was brought.
    /// - Returns: nil when there is no such identity.
    nonisolated(nonsending) func begin(
        _ order: LoginOrder, keeping record: PassOneRecord, in passOnes: any VolatileTable<MPinID, PassOneRecord>,
        now: WallTime
    ) async throws(StorageError) -> Beginning?

    /// Pass 2: what pass 1 has left goes, and waits with `second` under its authOTT to be judged.
    /// - Returns: whether there was a pass 1.
    nonisolated(nonsending) func answer(
        _ passOnes: any VolatileTable<MPinID, PassOneRecord>, of mpinID: MPinID, with second: PassTwo,
        in logins: any VolatileTable<OneTimeToken, BegunLogin>, under authOTT: OneTimeToken, now: WallTime
    ) async throws(StorageError) -> Bool

    /// A login that was taken and is not spent by what came of it waits under its authOTT once more, for a minute.
    nonisolated(nonsending) func keep(
        _ login: BegunLogin, in logins: any VolatileTable<OneTimeToken, BegunLogin>, under authOTT: OneTimeToken,
        now: WallTime
    ) async throws(StorageError)

    /// The last request: takes a login, and its identity for judging. A login whose identity is busy stays.
    /// - Parameters:
    ///   - isPlain: whether one with a browser is left where it is: it is its device's to present.
    ///   - sessions: where the browser's session is looked up.
    ///   - claim, end, now: as below.
    nonisolated(nonsending) func claim<Session: Codable & Sendable>(
        _ authOTT: OneTimeToken, in logins: any VolatileTable<OneTimeToken, BegunLogin>, isPlain: Bool,
        seeing sessions: any VolatileTable<String, Session>, as claim: UInt64, until end: WallTime, now: WallTime
    ) async throws(StorageError) -> LoginClaim<Session>

    /// Takes an identity for judging. That ends with `settle` or `release`, by itself at `end`, and where another login
    /// finds that the process of this one is gone.
    /// - Parameter claim: any number; it is what ends the claim. The caller chooses it, and so can end a claim of which
    ///   no answer came.
    nonisolated(nonsending) func claim(
        _ mpinID: MPinID, as claim: UInt64, until end: WallTime, now: WallTime
    ) async throws(StorageError) -> JudgingClaim

    /// Counts what was wrong, or forgives it; the beginning that it belongs to is taken back, and the claim ends. It is
    /// written before it returns; a wrong one is on the disk as well. A power cut may undo a right one, and then older
    /// failures stand. Of a claim that was lost to another one, which is being judged, a wrong one counts, and a right
    /// one is none: that throws.
    /// - Parameter sequel: what is to happen in the same step, if that is possible.
    nonisolated(nonsending) func settle(
        _ verdict: LoginVerdict, of mpinID: MPinID, claim: UInt64, now: WallTime, then sequel: VerdictSequel?
    ) async throws(StorageError) -> SettledLogin

    /// Ends a claim without a verdict, if it is still this one.
    /// - Parameter mpinID: nil when the answer did not come that would have said it.
    nonisolated(nonsending) func release(
        _ mpinID: MPinID?, claim: UInt64, now: WallTime
    ) async throws(StorageError)

    /// That an identity is not revoked, as a step of an attempt.
    func mustNotBeRevoked(_ mpinID: MPinID) -> (any VolatileStep)?
}

extension LoginLedger {
    func mustNotBeRevoked(_: MPinID) -> (any VolatileStep)? { nil }

    /// - Returns: nil when there is no such identity, or it is blocked already. Then nothing is counted.
    nonisolated(nonsending) func settle(
        _ verdict: LoginVerdict, of mpinID: MPinID, claim: UInt64, now: WallTime
    ) async throws(StorageError) -> RegisteredIdentity? {
        try await settle(verdict, of: mpinID, claim: claim, now: now, then: nil).identity
    }
}

/// The identity that a login may be begun with.
struct LoginOrder: Sendable {
    let mpinID: MPinID
    /// The key that the device says it has; nil: it has none.
    var publicKey: [UInt8]?
    /// Whether one that is blocked or revoked may not begin.
    var mustBeGood = false
    var rule = BeginningRule()

    func isKey(of identity: RegisteredIdentity) -> Bool {
        publicKey == identity.publicKey || (publicKey != nil && publicKey == identity.nextPublicKey)
    }

    func admits(_ identity: RegisteredIdentity, isRevoked: Bool) -> Bool {
        isKey(of: identity) && !(mustBeGood && (isRevoked || identity.isBlocked))
    }
}

/// How many logins of an identity may be begun without a verdict.
struct BeginningRule: Sendable {
    /// When one is forgotten.
    var forgetting = Duration.seconds(30)
    /// As many, and one more each time that one is forgotten.
    var most = 20
    /// Fewer than this are not worth being on the disk; a restart forgives them.
    var kept = 4

    /// - Parameter known: when those that were begun before are forgotten.
    /// - Returns: when all will be, and how long the device has to wait; nil when it may go on.
    func beginning(after known: WallTime?, _ now: WallTime) -> (forgotten: WallTime, wait: Duration?) {
        let latest = now + forgetting * most
        // A clock that was set back must not turn minutes into hours.
        let before = min(max(known ?? now, now), latest)
        let after = before + forgetting
        return after <= latest ? (after, nil) : (before, after - latest)
    }

    func isKept(_ forgotten: WallTime, _ now: WallTime) -> Bool { forgotten > now + forgetting * (kept - 1) }
}

/// The result of beginning a login.
struct Beginning: Sendable {
    let identity: RegisteredIdentity
    let isRevoked: Bool
    /// When all that were begun will be forgotten; nil when the order does not admit the identity: nothing was counted.
    let forgotten: WallTime?
    /// How long the device has to wait, of whom nothing is kept; nil when it may go on.
    let wait: Duration?
}

enum JudgingClaim: Sendable {
    /// Another login of the identity is being judged.
    case busy
    /// The identity as it is now; nil for one that is not known.
    case free(RegisteredIdentity?)
}

enum LoginClaim<Session: Codable & Sendable>: Sendable {
    /// There is no such login, or not any more.
    case unknown
    /// Another login of the identity is being judged; this one counts for another minute.
    case busy
    case taken(BegunLogin, identity: RegisteredIdentity?, session: TableEntry<Session>?)
}

/// The steps that a right verdict is to bring about.
struct VerdictSequel: Sendable {
    let steps: [(any VolatileStep)?]
    /// Whether nothing of it happens for an identity that is revoked.
    var mustBeGood = false
}

struct SettledLogin: Sendable {
    /// After the verdict; nil when there is no such identity, or it was blocked already. Then nothing was counted.
    let identity: RegisteredIdentity?
    let isRevoked: Bool
    /// Whether the sequel has happened; else nothing of it.
    var hasSequel = false
}

/// Keeps counts in SQLite, and all that a restart may forget in volatile tables.
struct EmbeddedLedger: LoginLedger {
    private struct Judge: Codable, Sendable {
        let mpinID: MPinID
        let claim: UInt64
    }

    private let database: BackendDatabase
    /// Identities of which a login is being judged right now.
    private let judging: any VolatileTable<MPinID, Judge>
    /// When every login that was begun without a verdict will be forgotten.
    private let begun: any VolatileTable<MPinID, WallTime>

    init(database: BackendDatabase, volatile: any VolatileStorage) {
        self.database = database
        judging = volatile.table("logins being judged")
        begun = volatile.table("logins without a verdict")
    }

    nonisolated(nonsending) func begin(
        _ order: LoginOrder, keeping record: PassOneRecord, in passOnes: any VolatileTable<MPinID, PassOneRecord>,
        now: WallTime
    ) async throws(StorageError) -> Beginning? {
        let mpinID = order.mpinID
        guard let identity = try await database.identity(mpinID) else { return nil }
        let isRevoked = order.mustBeGood ? try await database.isRevoked(mpinID) : false
        guard order.admits(identity, isRevoked: isRevoked) else {
            return Beginning(identity: identity, isRevoked: isRevoked, forgotten: nil, wait: nil)
        }
        let (forgotten, wait, isChanged) = try await begun.change(mpinID, now: now) { entry in
            let known = entry?.value ?? identity.begunForgotten
            let (forgotten, wait) = order.rule.beginning(after: known, now)
            entry = TableEntry(value: forgotten, expires: forgotten)
            return (forgotten, wait, forgotten != known)
        }
        if isChanged, order.rule.isKept(forgotten, now) {
            try await database.countBeginning(of: mpinID, forgotten: forgotten)
        }
        if wait == nil {
            try await passOnes.insert(record, for: mpinID, expires: now + PassOneRecord.lifetime, now: now)
        }
        return Beginning(identity: identity, isRevoked: isRevoked, forgotten: forgotten, wait: wait)
    }

    nonisolated(nonsending) func answer(
        _ passOnes: any VolatileTable<MPinID, PassOneRecord>, of mpinID: MPinID, with second: PassTwo,
        in logins: any VolatileTable<OneTimeToken, BegunLogin>, under authOTT: OneTimeToken, now: WallTime
    ) async throws(StorageError) -> Bool {
        guard let first = try await passOnes.take(mpinID, now: now) else { return false }
        try await logins.insert(
            BegunLogin(passOne: first, passTwo: second), for: authOTT, expires: now + BegunLogin.lifetime, now: now)
        return true
    }

    nonisolated(nonsending) func claim<Session: Codable & Sendable>(
        _ authOTT: OneTimeToken, in logins: any VolatileTable<OneTimeToken, BegunLogin>, isPlain: Bool,
        seeing sessions: any VolatileTable<String, Session>, as claim: UInt64, until end: WallTime, now: WallTime
    ) async throws(StorageError) -> LoginClaim<Session> {
        guard let login = try await logins.value(for: authOTT, now: now), !isPlain || login.passTwo.accessCode == nil
        else { return .unknown }
        let mpinID = login.mpinID
        guard try await take(mpinID, as: claim, until: end, now) else {
            try await logins.keep(authOTT, until: now + BegunLogin.lifetime, now: now)
            return .busy
        }
        guard try await logins.take(authOTT, now: now) != nil else {
            try await release(mpinID, claim: claim, now: now)
            return .unknown
        }
        var session: TableEntry<Session>?
        if let accessCode = login.passTwo.accessCode { session = try await sessions.entry(for: accessCode, now: now) }
        return .taken(login, identity: try await database.identity(mpinID), session: session)
    }

    nonisolated(nonsending) func keep(
        _ login: BegunLogin, in logins: any VolatileTable<OneTimeToken, BegunLogin>, under authOTT: OneTimeToken,
        now: WallTime
    ) async throws(StorageError) {
        try await logins.insert(login, for: authOTT, expires: now + BegunLogin.lifetime, now: now)
    }

    private nonisolated(nonsending) func take(
        _ mpinID: MPinID, as claim: UInt64, until end: WallTime, _ now: WallTime
    ) async throws(StorageError) -> Bool {
        try await judging.change(mpinID, now: now) { entry in
            guard entry == nil else { return false }
            entry = TableEntry(value: Judge(mpinID: mpinID, claim: claim), expires: end)
            return true
        }
    }

    nonisolated(nonsending) func claim(
        _ mpinID: MPinID, as claim: UInt64, until end: WallTime, now: WallTime
    ) async throws(StorageError) -> JudgingClaim {
        try await take(mpinID, as: claim, until: end, now) ? .free(try await database.identity(mpinID)) : .busy
    }

    nonisolated(nonsending) func settle(
        _ verdict: LoginVerdict, of mpinID: MPinID, claim: UInt64, now: WallTime, then _: VerdictSequel?
    ) async throws(StorageError) -> SettledLogin {
        if verdict.isRight, let other = try await judging.value(for: mpinID, now: now), other.claim != claim {
            throw StorageError(reason: "another login of the identity is judged now")
        }
        let settled = try await database.settle(verdict, of: mpinID)
        try await begun.change(mpinID, now: now) { entry in
            if verdict.isForgiving {
                entry = nil
            } else if let known = entry?.value {
                entry?.value = known + verdict.takenBack
            }
        }
        try await release(mpinID, claim: claim, now: now)
        return settled
    }

    nonisolated(nonsending) func release(
        _ mpinID: MPinID?, claim: UInt64, now: WallTime
    ) async throws(StorageError) {
        guard let mpinID else {
            for judge in try await judging.values(now: now) where judge.claim == claim {
                try await release(judge.mpinID, claim: claim, now: now)
            }
            return
        }
        try await judging.change(mpinID, now: now) { entry in
            if entry?.value.claim == claim { entry = nil }
        }
    }
}
