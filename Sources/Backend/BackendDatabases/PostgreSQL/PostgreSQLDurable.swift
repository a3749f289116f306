// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto
import MPinServer
import PostgreSQL

/// Identities and open registrations in PostgreSQL. A change reads a row with a lock and writes it in the same
/// transaction, which ends with its process.
struct PostgreSQLDurable: DurableStorage {
    let database: Database

    /// A second call at the same moment waits for the first one's row.
    private static let belongs = Statement(
        """
        INSERT INTO server_secret (digest) VALUES ($1)
        ON CONFLICT (single) DO UPDATE SET digest = server_secret.digest RETURNING digest = $1
        """)
    private static let all = Statement("SELECT \(RegisteredIdentity.columns) FROM identity")
    private static let find = Statement("SELECT \(RegisteredIdentity.columns) FROM identity WHERE mpin_id = $1")
    private static let findAll = Statement("SELECT \(RegisteredIdentity.columns) FROM identity WHERE user_id = $1")
    private static let lock = Statement(
        "SELECT \(RegisteredIdentity.columns) FROM identity WHERE mpin_id = $1 FOR UPDATE")
    private static let update = Statement(
        """
        UPDATE identity SET (\(RegisteredIdentity.columns)) = ROW(\(RegisteredIdentity.placeholders))
        WHERE mpin_id = $1
        """)
    private static let remove = Statement("DELETE FROM identity WHERE mpin_id = $1")
    private static let dropUnused = Statement("DELETE FROM identity WHERE replaces = $1")
    private static let insert = Statement(
        "INSERT INTO identity (\(RegisteredIdentity.columns)) VALUES (\(RegisteredIdentity.placeholders))")
    /// Makes the server answer before the changes are on its disk.
    static let waitForNoDisk = Statement("SELECT set_config('synchronous_commit', 'off', true)")

    func belongs(toServerSecret digest: [UInt8]) async throws(StorageError) -> Bool {
        try await database.answer(to: Call(Self.belongs, .bytes(digest))) { rows throws(DatabaseFault) in
            try rows.boolean(0, 0)
        }
    }

    func identity(_ mpinID: MPinID) async throws(StorageError) -> RegisteredIdentity? {
        try await database.answer(to: Call(Self.find, .bytes(mpinID.bytes))) { rows throws(DatabaseFault) in
            try rows.identities().first
        }
    }

    func identities(_ selection: IdentitySelection?) async throws(StorageError) -> [RegisteredIdentity] {
        let call = selection.map { Call(Self.findAll, .text($0.userID)) } ?? Call(Self.all)
        return try await database.answer(to: call) { rows throws(DatabaseFault) in try rows.identities() }
            .filter { selection?.contains($0.mpinID) ?? true }
    }

    func add(_ identity: RegisteredIdentity) async throws(StorageError) {
        try await database.answers(to: Self.insertion(of: identity)) { _ in }
    }

    private static func insertion(of identity: RegisteredIdentity) -> [Call] {
        (identity.replaces.map { [Call(dropUnused, .bytes($0.bytes))] } ?? [])
            + [Call(insert, parameters: identity.parameters)]
    }

    func change<Value: Sendable>(
        _ mpinID: MPinID, isOnDisk: Bool, _ body: @escaping @Sendable (inout RegisteredIdentity) -> Value
    ) async throws(StorageError) -> Value? {
        try await database.change { transaction throws(DatabaseFault) -> Value? in
            let rows = try transaction.run([Call(Self.lock, .bytes(mpinID.bytes))])[0]
            guard let known = try rows.identities().first else { return nil }
            var identity = known
            let value = body(&identity)
            guard identity != known else { return value }
            var calls = isOnDisk ? [] : [Call(Self.waitForNoDisk)]
            if let replaced = known.replaces, identity.replaces == nil {
                calls.append(Call(Self.remove, .bytes(replaced.bytes)))
            }
            try transaction.commit(calls + [Call(Self.update, parameters: identity.parameters)])
            return value
        }
    }
}

/// Registrations.
extension PostgreSQLDurable {
    private static let findRegistration = Statement(
        "SELECT \(Registration.columns) FROM registration WHERE mpin_id = $1 AND expires > $2")
    private static let lockRegistration = Statement(
        "SELECT \(Registration.columns) FROM registration WHERE mpin_id = $1 AND expires > $2 FOR UPDATE")
    private static let allRegistrations = Statement(
        "SELECT \(Registration.columns) FROM registration WHERE expires > $1")
    private static let dropOldRegistrations = Statement("DELETE FROM registration WHERE expires <= $1")
    /// Additions at the same moment may exceed the bound by their number.
    private static let addRegistration = Statement(
        """
        INSERT INTO registration (\(Registration.columns)) SELECT $1, $2, $3, $4, $5, $6, $7
        WHERE (SELECT count(*) FROM registration) < $8 RETURNING mpin_id
        """)
    private static let updateRegistration = Statement(
        "UPDATE registration SET active = $2, expires = $3 WHERE mpin_id = $1")
    private static let removeRegistration = Statement("DELETE FROM registration WHERE mpin_id = $1")

    func registration(of mpinID: MPinID, now: WallTime) async throws(StorageError) -> Registration? {
        try await database.answer(to: Call(Self.findRegistration, .bytes(mpinID.bytes), .time(now))) {
            rows throws(DatabaseFault) in try rows.registrations().first
        }
    }

    func registrations(now: WallTime) async throws(StorageError) -> [Registration] {
        try await database.answer(to: Call(Self.allRegistrations, .time(now))) { rows throws(DatabaseFault) in
            try rows.registrations()
        }
    }

    func add(_ registration: Registration, now: WallTime) async throws(StorageError) -> Bool {
        let calls = [
            Call(Self.dropOldRegistrations, .time(now)),
            Call(Self.addRegistration, parameters: registration.parameters + [.integer(Int64(Registration.capacity))]),
        ]
        return try await database.answers(to: calls) { !$0[1].isEmpty }
    }

    func change(
        registrationOf mpinID: MPinID, now: WallTime, _ body: @escaping @Sendable (inout Registration) -> Void
    ) async throws(StorageError) -> Registration? {
        try await database.change { transaction throws(DatabaseFault) -> Registration? in
            let rows = try transaction.run([Call(Self.lockRegistration, .bytes(mpinID.bytes), .time(now))])[0]
            guard var registration = try rows.registrations().first else { return nil }
            body(&registration)
            try transaction.commit([
                Call(
                    Self.updateRegistration, .bytes(mpinID.bytes), .boolean(registration.active),
                    .time(registration.expires))
            ])
            return registration
        }
    }

    func finishRegistration(as identity: RegisteredIdentity, now: WallTime) async throws(StorageError) -> Bool {
        let mpinID = Parameter.bytes(identity.mpinID.bytes)
        return try await database.change { transaction throws(DatabaseFault) -> Bool in
            let rows = try transaction.run([Call(Self.lockRegistration, mpinID, .time(now))])[0]
            guard try rows.registrations().first?.active == true else { return false }
            try transaction.commit([Call(Self.removeRegistration, mpinID)] + Self.insertion(of: identity))
            return true
        }
    }
}
