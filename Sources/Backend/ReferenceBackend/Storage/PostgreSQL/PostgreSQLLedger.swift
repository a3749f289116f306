// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto
import PostgreSQL

/// Logins in PostgreSQL: identities' rows, and UNLOGGED tables. Each step is one round trip.
struct PostgreSQLLedger: LoginLedger {
    let database: Database

    private static let begin = Statement(
        """
        SELECT new_end, wait, is_revoked, \(RegisteredIdentity.knownColumns)
        FROM begin_with_pass($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        """)
    private static let answer = Statement("SELECT answer_pass($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)")
    private static let keep = Statement("SELECT keep_login($1, $2, $3, $4, $5, $6, $7, $8, $9)::text")
    private static let claimLogin = Statement(
        """
        SELECT outcome, login, session_value, session_end, session_owner, session_version,
            \(RegisteredIdentity.knownColumns)
        FROM take_login($1, $2, $3, $4, $5, $6, $7, $8, $9)
        """)
    private static let claim = Statement(
        "SELECT is_free, \(RegisteredIdentity.knownColumns) FROM take_identity($1, $2, $3, $4, $5)")
    private static let settle = Statement(
        """
        SELECT is_revoked, \(RegisteredIdentity.knownColumns)
        FROM end_login($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        """)
    private static let release = Statement("DELETE FROM judging WHERE mpin_id = $1 AND claim = $2")
    private static let releaseAny = Statement("DELETE FROM judging WHERE claim = $1")
    private static let mustNotBeRevoked = Statement("SELECT must_not_be_revoked($1)::text")

    /// Every table of this storage is one of PostgreSQL's.
    private static func table<Key, Value>(
        _ table: any VolatileTable<Key, Value>
    ) throws(StorageError) -> PostgreSQLTable<Key, Value> {
        guard let table = table as? PostgreSQLTable<Key, Value> else {
            throw StorageError(reason: "a table of another storage")
        }
        return table
    }

    nonisolated(nonsending) func begin(
        _ order: LoginOrder, keeping record: PassOneRecord, in passOnes: any VolatileTable<MPinID, PassOneRecord>,
        now: WallTime
    ) async throws(StorageError) -> Beginning? {
        let (table, rule) = (try Self.table(passOnes), order.rule)
        let answer = try await database.rows(
            Call(
                Self.begin, .bytes(order.mpinID.bytes), .bytes(order.publicKey), .boolean(order.mustBeGood),
                .integer(RegisteredIdentity.maximumFailures), .integer(rule.forgetting.wholeMilliseconds),
                .integer(Int64(rule.most)), .integer((rule.forgetting * (rule.kept - 1)).wholeMilliseconds),
                .text(table.name), table.digest(order.mpinID), .bytes(try table.encoded(record)),
                .time(now + PassOneRecord.lifetime), table.newVersion, .integer(Int64(table.bounds.capacity)),
                .time(now)))
        guard let identity = try answer.identityIfAny(from: 3) else { return nil }
        return try answer.read { row throws(DatabaseFault) in
            Beginning(
                identity: identity, isRevoked: try answer.boolean(row, 2), forgotten: try answer.timeIfAny(row, 0),
                wait: try answer.integerIfAny(row, 1).map { .milliseconds($0) })
        }.first
    }

    nonisolated(nonsending) func answer(
        _ passOnes: any VolatileTable<MPinID, PassOneRecord>, of mpinID: MPinID, with second: PassTwo,
        in logins: any VolatileTable<OneTimeToken, BegunLogin>, under authOTT: OneTimeToken, now: WallTime
    ) async throws(StorageError) -> Bool {
        let (passOnes, logins) = (try Self.table(passOnes), try Self.table(logins))
        return try await database.rows(
            Call(
                Self.answer, .bytes(mpinID.bytes), .text(passOnes.name), passOnes.digest(mpinID), .text(logins.name),
                logins.digest(authOTT), .bytes(try logins.encoded(second)), .time(now + BegunLogin.lifetime),
                .bytes(second.accessCode.map { Digest.sha256($0.bytes) }), logins.newVersion,
                .integer(Int64(logins.bounds.capacity)), .time(now))
        ).flag()
    }

    nonisolated(nonsending) func keep(
        _ login: BegunLogin, in logins: any VolatileTable<OneTimeToken, BegunLogin>, under authOTT: OneTimeToken,
        now: WallTime
    ) async throws(StorageError) {
        let logins = try Self.table(logins)
        _ = try await database.rows(
            Call(
                Self.keep, .bytes(login.mpinID.bytes), .text(logins.name), logins.digest(authOTT),
                .bytes(try logins.encoded(login)), .time(now + BegunLogin.lifetime),
                .bytes(login.accessCode.map { Digest.sha256($0.bytes) }), logins.newVersion,
                .integer(Int64(logins.bounds.capacity)), .time(now)))
    }

    nonisolated(nonsending) func claim<Session: Codable & Sendable>(
        _ authOTT: OneTimeToken, in logins: any VolatileTable<OneTimeToken, BegunLogin>, isPlain: Bool,
        seeing sessions: any VolatileTable<String, Session>, as claim: UInt64, until end: WallTime, now: WallTime
    ) async throws(StorageError) -> LoginClaim<Session> {
        let (logins, sessions) = (try Self.table(logins), try Self.table(sessions))
        let answer = try await database.rows(
            Call(
                Self.claimLogin, .text(logins.name), logins.digest(authOTT), .boolean(isPlain), .text(sessions.name),
                .integer(Int64(bitPattern: claim)), .time(end), .time(now + BegunLogin.lifetime), .time(now),
                .integer(database.presence)))
        switch try answer.count(0) {
        case 2:
            guard let bytes = answer.bytesIfAny(0, 1) else { throw StorageError(reason: "a login without its passes") }
            let login = try logins.decoded(bytes)
            var session: TableEntry<Session>?
            if let accessCode = login.passTwo.accessCode {
                session = try sessions.entry(for: accessCode, in: answer, from: 2)
            }
            return .taken(login, identity: try answer.identityIfAny(from: 6), session: session)
        case 1: return .busy
        default: return .unknown
        }
    }

    nonisolated(nonsending) func claim(
        _ mpinID: MPinID, as claim: UInt64, until end: WallTime, now: WallTime
    ) async throws(StorageError) -> JudgingClaim {
        let answer = try await database.rows(
            Call(
                Self.claim, .bytes(mpinID.bytes), .integer(Int64(bitPattern: claim)), .time(end), .time(now),
                .integer(database.presence)))
        return try answer.flag() ? .free(try answer.identityIfAny(from: 1)) : .busy
    }

    nonisolated(nonsending) func settle(
        _ verdict: LoginVerdict, of mpinID: MPinID, claim: UInt64, now: WallTime, then sequel: VerdictSequel?
    ) async throws(StorageError) -> SettledLogin {
        func call(_ sequel: VerdictSequel?) -> Call {
            Call(
                Self.settle, .bytes(mpinID.bytes), .integer(Int64(bitPattern: claim)), .boolean(verdict.isRight),
                .boolean(verdict.isForgiving), .integer(verdict.wrong + verdict.blocking), .time(verdict.time),
                .integer(verdict.takenBack.wholeMilliseconds), .integer(RegisteredIdentity.maximumFailures),
                .boolean(sequel != nil), .boolean(sequel?.mustBeGood ?? false), .bytes(verdict.recentFailures),
                .boolean(verdict.mustRenew))
        }
        if let sequel, let answers = try await database.attempt([call(sequel)], sequel.steps) {
            return try Self.settled(answers[0], hasSequel: true)
        }
        return try Self.settled(try await database.rows(call(nil)), hasSequel: false)
    }

    private static func settled(_ rows: Rows, hasSequel: Bool) throws(StorageError) -> SettledLogin {
        SettledLogin(
            identity: try rows.identityIfAny(from: 1), isRevoked: try rows.flag(), hasSequel: hasSequel)
    }

    nonisolated(nonsending) func release(
        _ mpinID: MPinID?, claim: UInt64, now: WallTime
    ) async throws(StorageError) {
        let number = Parameter.integer(Int64(bitPattern: claim))
        _ = try await database.rows(
            mpinID.map { Call(Self.release, .bytes($0.bytes), number) } ?? Call(Self.releaseAny, number))
    }

    func mustNotBeRevoked(_ mpinID: MPinID) -> (any VolatileStep)? {
        PostgreSQLStep(Call(Self.mustNotBeRevoked, .bytes(mpinID.bytes)))
    }
}

extension Rows {
    /// Of the only row.
    /// - Parameter first: the column that an identity's begin with; all are NULL when there is none.
    fileprivate func identityIfAny(from first: Int) throws(StorageError) -> RegisteredIdentity? {
        isEmpty || bytesIfAny(0, first) == nil ? nil : try identities(from: first).first
    }
}
