// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The counting of logins, the third part of the storage: what pass 1 and the judge do to the counters of an identity,
/// each in one step. A database needs one round trip for a step, and of two at the same moment each counts.
protocol LoginLedger: Sendable {
    /// Counts a login that is begun, until it has a verdict or is forgotten.
    /// - Parameter rule: makes of when all that were begun are forgotten, or nil, when they are now. It may be called
    ///   more than once.
    /// - Returns: what the rule said last.
    nonisolated(nonsending) func begin(
        _ identity: RegisteredIdentity, now: WallTime, rule: (WallTime?) -> Beginning
    ) async throws(StorageError) -> Beginning

    /// Takes an identity for judging. That ends with `settle` or `release`, and by itself at `end`: a process that dies
    /// keeps it no longer.
    /// - Parameter claim: any number; it is what ends the claim. The caller chooses it, and so can end a claim of which
    ///   no answer came.
    nonisolated(nonsending) func claim(
        _ mpinID: MPinID, as claim: UInt64, until end: WallTime, now: WallTime
    ) async throws(StorageError) -> JudgingClaim

    /// Counts what was wrong, or forgives it; the beginning that it belongs to is taken back, and the claim ends. It is
    /// written before it returns; a wrong one is on the disk as well. A power cut may undo a right one, and then older
    /// failures stand.
    /// - Returns: nil when there is no such identity, or it is blocked already. Then nothing is counted.
    nonisolated(nonsending) func settle(
        _ verdict: LoginVerdict, of mpinID: MPinID, claim: UInt64, now: WallTime
    ) async throws(StorageError) -> RegisteredIdentity?

    /// Ends a claim without a verdict, if it is still this one.
    nonisolated(nonsending) func release(
        _ mpinID: MPinID, claim: UInt64, now: WallTime
    ) async throws(StorageError)
}

/// What a rule made of a login that is begun.
struct Beginning: Sendable {
    /// When all that were begun will be forgotten.
    let forgotten: WallTime
    /// Whether it is worth being on the disk: fewer are forgiven by a restart.
    let isKept: Bool
    /// How long the device has to wait; nil when it may go on.
    let wait: Duration?
}

enum JudgingClaim: Sendable {
    /// Another login of the identity is being judged.
    case busy
    /// The identity as it is now; nil for one that is not known.
    case free(RegisteredIdentity?)
}

/// What is counted in SQLite, and what a restart may forget in volatile tables.
struct EmbeddedLedger: LoginLedger {
    private let database: BackendDatabase
    /// Identities of which a login is being judged right now, by the number of who does it.
    private let judging: any VolatileTable<MPinID, UInt64>
    /// When every login that was begun without a verdict will be forgotten.
    private let begun: any VolatileTable<MPinID, WallTime>

    init(database: BackendDatabase, volatile: any VolatileStorage) {
        self.database = database
        judging = volatile.table("logins being judged")
        begun = volatile.table("logins without a verdict")
    }

    nonisolated(nonsending) func begin(
        _ identity: RegisteredIdentity, now: WallTime, rule: (WallTime?) -> Beginning
    ) async throws(StorageError) -> Beginning {
        let (beginning, isChanged) = try await begun.change(identity.mpinID, now: now) { entry -> (Beginning, Bool) in
            let known = entry?.value ?? identity.begunForgotten
            let beginning = rule(known)
            entry = TableEntry(value: beginning.forgotten, expires: beginning.forgotten)
            return (beginning, beginning.forgotten != known)
        }
        if isChanged, beginning.isKept {
            try await database.countBeginning(of: identity.mpinID, forgotten: beginning.forgotten)
        }
        return beginning
    }

    nonisolated(nonsending) func claim(
        _ mpinID: MPinID, as claim: UInt64, until end: WallTime, now: WallTime
    ) async throws(StorageError) -> JudgingClaim {
        let isFree = try await judging.change(mpinID, now: now) { entry in
            guard entry == nil else { return false }
            entry = TableEntry(value: claim, expires: end)
            return true
        }
        return isFree ? .free(try await database.identity(mpinID)) : .busy
    }

    nonisolated(nonsending) func settle(
        _ verdict: LoginVerdict, of mpinID: MPinID, claim: UInt64, now: WallTime
    ) async throws(StorageError) -> RegisteredIdentity? {
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
        _ mpinID: MPinID, claim: UInt64, now: WallTime
    ) async throws(StorageError) {
        try await judging.change(mpinID, now: now) { entry in
            if entry?.value == claim { entry = nil }
        }
    }
}
