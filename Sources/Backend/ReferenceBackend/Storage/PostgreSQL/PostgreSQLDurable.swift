// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto
import PostgreSQL

/// Identities, open registrations and revocations in PostgreSQL: each call one transaction and one round trip.
struct PostgreSQLDurable: DurableStorage {
    let database: Database

    /// Of two at the same moment the second one waits for the first one's row.
    private static let belongs = Statement(
        """
        INSERT INTO server_secret (digest) VALUES ($1)
        ON CONFLICT (single) DO UPDATE SET digest = server_secret.digest RETURNING digest = $1
        """)
    private static let find = Statement("SELECT \(RegisteredIdentity.columns) FROM identity WHERE mpin_id = $1")
    private static let isRevoked = Statement("SELECT EXISTS (SELECT FROM revocation WHERE mpin_id = $1)")
    private static let standing = Statement(
        "SELECT \(RegisteredIdentity.columns), \(isRevokedToo) FROM identity WHERE mpin_id = $1")
    private static let dropUnused = Statement("DELETE FROM identity WHERE replaces = $1")
    private static let insert = Statement(
        "INSERT INTO identity (\(RegisteredIdentity.columns)) VALUES (\(RegisteredIdentity.placeholders))")
    private static let expect = Statement(
        "UPDATE identity SET next_public_key = $2 WHERE mpin_id = $1 RETURNING failures")
    private static let settle = Statement("SELECT \(RegisteredIdentity.columns) FROM settle_key($1, $2)")

    func belongs(toServerSecret digest: [UInt8]) async throws(StorageError) -> Bool {
        try await database.rows(Call(Self.belongs, .bytes(digest))).flag()
    }

    nonisolated(nonsending) func identity(_ mpinID: MPinID) async throws(StorageError) -> RegisteredIdentity? {
        try await database.rows(Call(Self.find, .bytes(mpinID.bytes))).identities().first
    }

    nonisolated(nonsending) func isRevoked(_ mpinID: MPinID) async throws(StorageError) -> Bool {
        try await database.rows(Call(Self.isRevoked, .bytes(mpinID.bytes))).flag()
    }

    nonisolated(nonsending) func standing(
        of mpinID: MPinID
    ) async throws(StorageError) -> (identity: RegisteredIdentity, isRevoked: Bool)? {
        try await database.rows(Call(Self.standing, .bytes(mpinID.bytes))).identitiesAndRevocations().first
    }

    func add(_ identity: RegisteredIdentity) async throws(StorageError) {
        _ = try await database.allRows(
            (identity.replaces.map { [Call(Self.dropUnused, .bytes($0.bytes))] } ?? [])
                + [Call(Self.insert, parameters: identity.parameters)])
    }

    func expect(publicKey: [UInt8], of mpinID: MPinID) async throws(StorageError) -> Bool {
        try await !database.rows(Call(Self.expect, .bytes(mpinID.bytes), .bytes(publicKey))).isEmpty
    }

    func settle(publicKey: [UInt8]?, of mpinID: MPinID) async throws(StorageError) -> RegisteredIdentity? {
        try await database.rows(Call(Self.settle, .bytes(mpinID.bytes), .bytes(publicKey))).identities().first
    }
}

/// Registrations.
extension PostgreSQLDurable {
    private static let findRegistration = Statement(
        "SELECT \(Registration.columns) FROM registration WHERE mpin_id = $1 AND expires > $2")
    private static let addRegistration = Statement("SELECT add_registration($1, $2, $3, $4, $5, $6, $7, $8, $9)")
    private static let extend = Statement(
        """
        UPDATE registration SET active = active OR $2, expires = $3 WHERE mpin_id = $1 AND expires > $4
        RETURNING \(Registration.columns)
        """)
    private static let activate = Statement(
        "UPDATE registration SET active = true WHERE mpin_id = $1 AND expires > $2 RETURNING mpin_id")
    /// Of two at the same moment one finds the registration. An identity that was to take the same place, and was never
    /// used, goes.
    private static let finish = Statement(
        """
        WITH finished AS (DELETE FROM registration WHERE mpin_id = $1 AND active AND expires > $\(RegisteredIdentity.columnCount + 1) RETURNING mpin_id),
            unused AS (DELETE FROM identity WHERE replaces = $6 AND EXISTS (SELECT FROM finished))
        INSERT INTO identity (\(RegisteredIdentity.columns))
        SELECT \(RegisteredIdentity.placeholders) FROM finished RETURNING mpin_id
        """)

    nonisolated(nonsending) func registration(
        of mpinID: MPinID, now: WallTime
    ) async throws(StorageError) -> Registration? {
        try await database.rows(Call(Self.findRegistration, .bytes(mpinID.bytes), .time(now))).registrations().first
    }

    func add(_ registration: Registration, now: WallTime) async throws(StorageError) -> Bool {
        try await database.rows(
            Call(
                Self.addRegistration,
                parameters: registration.parameters + [.integer(Int64(Registration.capacity)), .time(now)])
        ).flag()
    }

    func extend(_ registration: Registration, now: WallTime) async throws(StorageError) -> Registration? {
        try await database.rows(
            Call(
                Self.extend, .bytes(registration.mpinID.bytes), .boolean(registration.active),
                .time(registration.expires), .time(now))
        ).registrations().first
    }

    func activateRegistration(of mpinID: MPinID, now: WallTime) async throws(StorageError) -> Bool {
        try await !database.rows(Call(Self.activate, .bytes(mpinID.bytes), .time(now))).isEmpty
    }

    func finishRegistration(as identity: RegisteredIdentity, now: WallTime) async throws(StorageError) -> Bool {
        try await !database.rows(Call(Self.finish, parameters: identity.parameters + [.time(now)])).isEmpty
    }
}

/// The operators' work.
extension PostgreSQLDurable {
    /// One moment for all that is read until the transaction's end.
    static let beginReading = Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    static let end = Statement("COMMIT")
    static let isRevokedToo = "EXISTS (SELECT FROM revocation WHERE revocation.mpin_id = identity.mpin_id)"
    private static let identities = Statement("SELECT \(RegisteredIdentity.columns), \(isRevokedToo) FROM identity")
    private static let registrations = Statement("SELECT \(Registration.columns) FROM registration WHERE expires > $1")

    /// As `MPinID.fingerprint` makes it.
    private static let chosen = """
        user_id = $1 AND ($2::text IS NULL OR left(encode(sha256(mpin_id), 'hex'), 16) = $2)
        """
    private static let revoke = Statement(
        """
        WITH meant AS (SELECT mpin_id FROM identity WHERE \(chosen)),
            done AS (INSERT INTO revocation SELECT mpin_id, $3 FROM meant ON CONFLICT DO NOTHING),
            gone AS (DELETE FROM card WHERE mpin_id IN (SELECT mpin_id FROM meant))
        SELECT mpin_id FROM meant
        """)
    private static let findAll = Statement(
        "SELECT \(RegisteredIdentity.columns), \(isRevokedToo) FROM identity WHERE \(chosen)")
    private static let renew = Statement(
        "UPDATE identity SET needs_renewal = true WHERE mpin_id = $1 RETURNING mpin_id")
    private static let forgive = Statement(
        """
        WITH gone AS (DELETE FROM begun WHERE mpin_id IN (SELECT mpin_id FROM identity WHERE \(chosen)))
        UPDATE identity SET failures = 0, last_failure = NULL, begun_forgotten = NULL, recent_failures = ''
        WHERE \(chosen) RETURNING mpin_id
        """)
    private static let activateAll = Statement(
        "UPDATE registration SET active = true WHERE \(chosen) AND expires > $3 RETURNING mpin_id")

    func listing(now: WallTime) async throws(StorageError) -> Listing {
        let answers = try await database.allRows([
            Call(Self.beginReading), Call(Self.identities), Call(Self.registrations, .time(now)), Call(Self.end),
        ])
        return Listing(
            identities: try answers[1].identitiesAndRevocations(), registrations: try answers[2].registrations())
    }

    func identities(
        _ selection: IdentitySelection
    ) async throws(StorageError) -> [(identity: RegisteredIdentity, isRevoked: Bool)] {
        try await database.rows(Call(Self.findAll, parameters: selection.parameters)).identitiesAndRevocations()
    }

    func revoke(_ selection: IdentitySelection, now: WallTime) async throws(StorageError) -> Int {
        try await database.rows(Call(Self.revoke, parameters: selection.parameters + [.time(now)])).count
    }

    func requestRenewal(of selection: IdentitySelection) async throws(StorageError) -> Int {
        // Which of them can is in their mpin_ids.
        let meant = try await database.rows(Call(Self.findAll, parameters: selection.parameters)).identities()
        let calls = meant.filter(\.canRenew).map { Call(Self.renew, .bytes($0.mpinID.bytes)) }
        guard !calls.isEmpty else { return 0 }
        return try await database.allRows(calls).reduce(0) { $0 + $1.count }
    }

    func forgetFailures(of selection: IdentitySelection) async throws(StorageError) -> Int {
        try await database.rows(Call(Self.forgive, parameters: selection.parameters)).count
    }

    func activateRegistrations(of selection: IdentitySelection, now: WallTime) async throws(StorageError) -> Int {
        try await database.rows(Call(Self.activateAll, parameters: selection.parameters + [.time(now)])).count
    }
}

extension IdentitySelection {
    fileprivate var parameters: [Parameter] { [.text(userID), .text(fingerprint)] }
}
