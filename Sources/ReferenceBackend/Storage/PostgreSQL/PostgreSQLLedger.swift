// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto
import PostgreSQL

/// What logins count, in PostgreSQL: identities' rows, and two UNLOGGED tables. Each step is one round trip, but for a
/// second login that is begun before the first one's verdict.
struct PostgreSQLLedger: LoginLedger {
    let database: Database

    /// As often a rule is asked again, because another process has begun a login of the same identity.
    private static let attempts = 100

    private static let begin = Statement("SELECT is_done, present FROM begin_login($1, $2, $3, $4, $5)")
    private static let claim = Statement("SELECT is_free, (known).* FROM claim_identity($1, $2, $3, $4)")
    private static let settle = Statement(
        "SELECT \(RegisteredIdentity.columns) FROM settle_login($1, $2, $3, $4, $5, $6, $7, $8)")
    private static let release = Statement("DELETE FROM judging WHERE mpin_id = $1 AND claim = $2")

    nonisolated(nonsending) func begin(
        _ identity: RegisteredIdentity, now: WallTime, rule: (WallTime?) -> Beginning
    ) async throws(StorageError) -> Beginning {
        // Most people have finished what they began, so that there is nothing to be read first.
        var present: WallTime?
        for _ in 0..<Self.attempts {
            let known = present ?? identity.begunForgotten
            let beginning = rule(known)
            let answer = try await database.rows(
                Call(
                    Self.begin, .bytes(identity.mpinID.bytes), .time(present), .time(beginning.forgotten),
                    .boolean(beginning.isKept && beginning.forgotten != known), .time(now)))
            if try answer.flag() { return beginning }
            present = try answer.read { row throws(DatabaseFault) in try answer.timeIfAny(row, 1) }.first ?? nil
        }
        throw StorageError(reason: "too many logins of one identity are begun at the same time")
    }

    nonisolated(nonsending) func claim(
        _ mpinID: MPinID, as claim: UInt64, until end: WallTime, now: WallTime
    ) async throws(StorageError) -> JudgingClaim {
        let answer = try await database.rows(
            Call(
                Self.claim, .bytes(mpinID.bytes), .integer(Int64(bitPattern: claim)), .time(end), .time(now)))
        guard try answer.flag() else { return .busy }
        let isKnown = answer.bytesIfAny(0, 1) != nil
        return .free(isKnown ? try answer.identities(from: 1).first : nil)
    }

    nonisolated(nonsending) func settle(
        _ verdict: LoginVerdict, of mpinID: MPinID, claim: UInt64, now: WallTime
    ) async throws(StorageError) -> RegisteredIdentity? {
        try await database.rows(
            Call(
                Self.settle, .bytes(mpinID.bytes), .integer(Int64(bitPattern: claim)), .boolean(verdict.isRight),
                .boolean(verdict.isForgiving), .integer(verdict.wrong), .time(verdict.time),
                .integer(verdict.takenBack.wholeMilliseconds), .integer(RegisteredIdentity.maximumFailures))
        ).identities().first
    }

    nonisolated(nonsending) func release(
        _ mpinID: MPinID, claim: UInt64, now: WallTime
    ) async throws(StorageError) {
        _ = try await database.rows(
            Call(Self.release, .bytes(mpinID.bytes), .integer(Int64(bitPattern: claim))))
    }
}
