// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import LoginValues
public import MPinClient
import Synchronization

/// Identities in an SQLite database, every record sealed. See `docs/storage.md`.
///
/// One process has a store for writing; others may open it for reading at the same time. A record that does not open is
/// left out and counted in ``health``; the others stay usable.
public final class SQLiteIdentityStorage: IdentityStorage {
    /// The right of a process to change the store.
    public enum Access: Sendable {
        /// For the only process that writes. Makes missing files and moves a damaged database aside.
        case exclusive
        /// For other processes: changes nothing, `save` and `remove` fail.
        case reading
    }

    let location: StoreLocation
    /// Open as long as the store is, because it holds the lock.
    let directory: PrivateDirectory
    let queue: DatabaseQueue
    /// Nil when nothing was ever saved and this store is for reading.
    let seal: RecordSeal?
    private let state: Mutex<StoreHealth>

    /// Opens the store. Waits for the disk: call it while the program starts.
    ///
    /// - Parameters:
    ///   - location: paths of the database's directory and the key's file.
    ///   - access: by default ``Access/exclusive``.
    /// - Throws: any reason of ``StoreOpeningError/Code``; ``StoreOpeningError/Code/inUse`` only for exclusive access.
    public convenience init(at location: StoreLocation, _ access: Access = .exclusive) throws(StoreOpeningError) {
        try self.init(StoreOpening(location: location, access: access, acceptsOlder: false))
    }

    init(_ opening: StoreOpening) throws(StoreOpeningError) {
        location = opening.location
        let isExclusive = opening.access == .exclusive
        let directory = try PrivateDirectory(location.directory, creating: isExclusive)
        try directory.requirePrivate()
        if isExclusive, !directory.lock() {
            throw StoreOpeningError(
                .inUse, "the store \(location.directory) is in use by another process: stop that one first")
        }
        let opened: StoreOpening.Opened
        do { opened = try opening.open(in: directory) } catch  where error.code == .wrongKey && !isExclusive {
            // Another process may have changed the key between the two attempts.
            opened = try opening.open(in: directory)
        }
        (queue, seal) = (opened.queue, opened.seal)
        self.directory = directory
        state = Mutex(opened.health)
        try scan()
    }

    /// The findings of the last reading.
    public var health: StoreHealth { state.withLock(\.self) }

    /// Accepts a database that is older than the last one written here, because the operator restored it.
    ///
    /// - Throws: as opening the store does.
    public static func acceptRestored(at location: StoreLocation) throws(StoreOpeningError) {
        _ = try SQLiteIdentityStorage(StoreOpening(location: location, access: .exclusive, acceptsOlder: true))
    }

    /// Removes the remains of lost identities from the database, after the operator took note.
    ///
    /// - Returns: the number of lost identities.
    public func acceptLosses() async throws(IdentityStorageError) -> Int {
        let missing = health.missing
        try await change { db, seal, header in
            for row in try StoredRow.all(db) where row.record(seal) == nil {
                try db.execute(sql: "DELETE FROM identity WHERE id = ?", arguments: [row.id])
            }
            header.lost = 0
        }
        state.withLock { $0.lost = 0 }
        _ = try await identities()
        return missing
    }

    public func prepareToSave() async throws(IdentityStorageError) {
        // Whether the database is writable, by taking its own lock and changing nothing; then whether there is room.
        try await access { queue, done in
            queue.asyncWriteWithoutTransaction { db in
                done(Result { try db.inTransaction(.immediate) { .rollback } })
            }
        }
        try StoreSpace.check(location)
    }

    public func identities() async throws(IdentityStorageError) -> [StoredIdentity] {
        // The database's thread does not hold the store, so that the lock ends with the caller's last reference.
        let seal = seal
        return note(
            try await access { queue, done in
                queue.asyncRead { db in done(Result { try SQLiteIdentityStorage.read(try db.get(), seal) }) }
            })
    }

    @discardableResult
    public func save(_ identity: StoredIdentity) async throws(IdentityStorageError) -> Int {
        guard identity.record.count <= StoredIdentity.maximumRecordLength else {
            throw IdentityStorageError(
                .recordTooLong,
                detail: "the record has \(identity.record.count) bytes, at most "
                    + "\(StoredIdentity.maximumRecordLength) are stored")
        }
        let isShorter: @Sendable (Database, RecordSeal) throws -> Bool = { db, seal in
            guard let old = try StoredRow.one(identity.key, db)?.record(seal) else { return false }
            return identity.record.count < old.count
        }
        return try await change(removing: isShorter) { db, seal, header in
            let old = try StoredRow.one(identity.key, db)
            let number = try SQLiteIdentityStorage.number(of: old, seal, &header, db)
            try UnsealedRow(key: identity.key, number: number, record: identity.record)
                .save(replacing: old?.id, seal, db)
            return number
        }
    }

    /// An identity keeps its number; a new one gets the next. A damaged row's number is used only if it fits.
    private static func number(
        of old: StoredRow?, _ seal: RecordSeal, _ header: inout StoreHeader, _ db: Database
    ) throws -> Int {
        if let old {
            if old.record(seal) != nil { return old.number }
            let others = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM identity WHERE number = ? AND id <> ?", arguments: [old.number, old.id])
            if (1...max(header.highest, 1)).contains(old.number), others == 0 { return old.number }
        }
        header.highest += 1
        return header.highest
    }

    public func remove(_ key: IdentityKey) async throws(IdentityStorageError) {
        try await change(removing: { _, _ in true }) { db, _, _ in
            try db.execute(
                sql: "DELETE FROM identity WHERE user_id = ? AND backend = ?",
                arguments: [Data(key.userID.utf8), Data(key.backend.utf8)])
        }
    }

    /// Makes one transaction on the database's own thread. It saves the header too, and notes it outside the database
    /// after the commit. It ignores cancellation on purpose: a token that the server gave out once must not be lost
    /// because the person walked away from the kiosk.
    ///
    /// - Parameter removes: whether the change removes something, so that a full disk must not stop it.
    private func change<Value: Sendable>(
        removing removes: @escaping @Sendable (Database, RecordSeal) throws -> Bool = { _, _ in false },
        _ body: @escaping StoreChange<Value>.Body
    ) async throws(IdentityStorageError) -> Value {
        guard let seal else {
            throw IdentityStorageError(.unavailable, detail: "\(location.database): open for reading only")
        }
        let counter = StoreCounter(of: location)
        let change = StoreChange(seal: seal, removes: removes, body: body)
        return try await access { queue, done in
            queue.asyncWriteWithoutTransaction { db in
                let result = Result { try change.perform(db) }
                // A late note does no harm: a database that is ahead of its note is the newer one.
                if let (_, header) = try? result.get() { try? counter.save(header) }
                done(result.map(\.value))
            }
        }
    }

    private func access<Value: Sendable>(
        _ body: (DatabaseQueue, @escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    ) async throws(IdentityStorageError) -> Value {
        let result = await withCheckedContinuation { continuation in
            body(queue) { continuation.resume(returning: $0) }
        }
        do { return try result.get() } catch {
            let failure = StoreFailure(error)
            throw IdentityStorageError(failure.code, detail: "\(location.database): \(failure.detail)")
        }
    }

    private typealias Reading = (identities: [StoredIdentity], damagedRows: [Int64])

    /// Reads every identity, and finds the rows that do not open.
    private static func read(_ db: Database, _ seal: RecordSeal?) throws -> Reading {
        guard let seal else { return ([], []) }
        var damagedRows: [Int64] = []
        let identities = try StoredRow.all(db).compactMap { row -> StoredIdentity? in
            guard let record = row.record(seal) else {
                damagedRows.append(Int64(row.id))
                return nil
            }
            return StoredIdentity(key: row.key, record: record, number: row.number)
        }
        return (identities, damagedRows)
    }

    private func note(_ reading: Reading) -> [StoredIdentity] {
        state.withLock { $0.damagedRows = reading.damagedRows }
        return reading.identities
    }

    private func scan() throws(StoreOpeningError) {
        do { _ = note(try queue.read { try SQLiteIdentityStorage.read($0, seal) }) } catch {
            throw StoreOpeningError(.unavailable, "\(location.database): \(StoreFailure(error).detail)")
        }
    }
}
