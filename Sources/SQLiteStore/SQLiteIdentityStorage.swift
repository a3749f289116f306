// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import LoginValues
public import MPinClient
import Synchronization

/// Identities in an SQLite database, every record sealed. See `docs/storage.md`.
///
/// One process has a store for writing; others may open it for reading meanwhile. A record that does not open is left
/// out and counted in ``health``; the others stay usable.
public final class SQLiteIdentityStorage: IdentityStorage {
    public enum Access: Sendable {
        /// The only process that writes. Makes what is missing and moves a damaged database aside.
        case exclusive
        /// Beside the process that writes: looks, changes nothing, `save` and `remove` fail.
        case reading
    }

    private let location: StoreLocation
    /// Open for as long as the store is: it holds the lock.
    private let directory: PrivateDirectory
    private let queue: DatabaseQueue
    private let seal: RecordSeal
    private let state: Mutex<StoreHealth>

    /// Opens the store. Waits for the disk: call it while the program starts.
    public init(at location: StoreLocation, _ access: Access = .exclusive) throws(StoreOpeningError) {
        let directory = try PrivateDirectory(location.directory, creating: access == .exclusive)
        try directory.requirePrivate()
        if access == .exclusive, !directory.lock() {
            throw StoreOpeningError(
                .inUse, "the store \(location.directory) is in use by another process: stop that one first")
        }
        var health = StoreHealth()
        queue = try SQLiteIdentityStorage.open(location, access, directory, &health)
        seal = RecordSeal(key: try SQLiteIdentityStorage.key(location, access, queue))
        self.location = location
        self.directory = directory
        state = Mutex(health)
        try scan()
    }

    /// As of the last reading.
    public var health: StoreHealth { state.withLock(\.self) }

    public func identities() async throws(IdentityStorageError) -> [StoredIdentity] {
        let result = await withCheckedContinuation { continuation in
            queue.asyncRead { db in continuation.resume(returning: Result { try self.read(try db.get()) }) }
        }
        return try unwrap(result)
    }

    @discardableResult
    public func save(_ identity: StoredIdentity) async throws(IdentityStorageError) -> Int {
        guard identity.record.count <= StoredIdentity.maximumRecordLength else {
            throw IdentityStorageError(
                .recordTooLong,
                detail: "the record has \(identity.record.count) bytes, at most "
                    + "\(StoredIdentity.maximumRecordLength) are stored")
        }
        guard let sealed = seal.seal(identity.record, context: SealContext.record(of: identity.key)) else {
            throw IdentityStorageError(
                .unavailable, detail: "OpenSSL did not seal the record: memory or randomness is out")
        }
        return try await write { db in
            let number = try Int.fetchOne(
                db,
                sql: """
                    INSERT INTO identity (user_id, backend, sealed, number)
                    VALUES (?, ?, ?, (SELECT highest + 1 FROM numbering))
                    ON CONFLICT (user_id, backend) DO UPDATE SET sealed = excluded.sealed
                    RETURNING number
                    """,
                arguments: [Data(identity.key.userID.utf8), Data(identity.key.backend.utf8), Data(sealed)])
            guard let number else { throw DatabaseError(resultCode: .SQLITE_INTERNAL, message: "nothing was saved") }
            try db.execute(sql: "UPDATE numbering SET highest = max(highest, ?)", arguments: [number])
            return number
        }
    }

    public func remove(_ key: IdentityKey) async throws(IdentityStorageError) {
        try await write { db in
            try db.execute(
                sql: "DELETE FROM identity WHERE user_id = ? AND backend = ?",
                arguments: [Data(key.userID.utf8), Data(key.backend.utf8)])
        }
    }

    /// One transaction on the database's own thread. It ignores the cancelling of the calling task on purpose: a token
    /// that the server gave out once must not be lost because somebody walked away from the kiosk.
    private func write<Value: Sendable>(
        _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws(IdentityStorageError) -> Value {
        let result = await withCheckedContinuation { continuation in
            queue.asyncWrite(change) { _, result in continuation.resume(returning: result) }
        }
        return try unwrap(result)
    }

    private func unwrap<Value>(_ result: Result<Value, any Error>) throws(IdentityStorageError) -> Value {
        do { return try result.get() } catch {
            let failure = StoreFailure(error)
            throw IdentityStorageError(failure.code, detail: "\(location.databaseFile): \(failure.detail)")
        }
    }

    /// Reads every identity, and notes those that do not open.
    private func read(_ db: Database) throws -> [StoredIdentity] {
        var damagedRows: [Int64] = []
        let rows = try Row.fetchAll(db, sql: "SELECT id, user_id, backend, sealed, number FROM identity ORDER BY id")
        let identities = rows.compactMap { row -> StoredIdentity? in
            let (userID, backend, sealed): (Data, Data, Data) = (row["user_id"], row["backend"], row["sealed"])
            let key = IdentityKey(
                userID: String(decoding: userID, as: UTF8.self), backend: String(decoding: backend, as: UTF8.self))
            guard let record = seal.open(Array(sealed), context: SealContext.record(of: key)) else {
                damagedRows.append(row["id"])
                return nil
            }
            return StoredIdentity(key: key, record: record, number: row["number"])
        }
        state.withLock { $0.damagedRows = damagedRows }
        return identities
    }

    private func scan() throws(StoreOpeningError) {
        do { _ = try queue.read(read) } catch {
            throw StoreOpeningError(.unavailable, "\(location.databaseFile): \(StoreFailure(error).detail)")
        }
    }
}
