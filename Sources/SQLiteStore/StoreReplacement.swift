// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Glibc
import LoginValues
public import MPinClient

/// What a store holds at one moment, opened.
public struct StoreSnapshot: Sendable {
    public var identities: [StoredIdentity]
    /// The highest number that was ever given to an identity.
    public var highestNumber: Int
    /// How many changes there were.
    public var generation: Int
    /// How many rows there are whose record is not what was saved.
    public var damaged: Int

    public init(identities: [StoredIdentity] = [], highestNumber: Int = 0, generation: Int = 0, damaged: Int = 0) {
        self.identities = identities
        self.highestNumber = highestNumber
        self.generation = generation
        self.damaged = damaged
    }
}

extension StoreSnapshot {
    /// What a store has after a restore, and what becomes of whom.
    public struct Restored: Sendable {
        public var result: StoreSnapshot
        /// Came from the backup.
        public var restored: [IdentityKey] = []
        /// Are in both, and stay as they are here.
        public var kept: [IdentityKey] = []
        /// Are gone: the backup has them not.
        public var removed: [IdentityKey] = []
        /// Got another number, for theirs is or was another person's here.
        public var renumbered: [(key: IdentityKey, from: Int, to: Int)] = []
        /// How many of the restored ones were not here.
        public var missing = 0
    }

    /// - Parameters:
    ///   - backup: what comes back.
    ///   - replacing: whether this store's own identities give way. Else each stays as it is: the store cannot tell
    ///     which of two records is the newer one, and an older one would bring an old PIN back.
    ///   - isOwn: whether the backup is this kiosk's, so that its numbers were given here.
    public func restoring(_ backup: StoreSnapshot, replacing: Bool, isOwn: Bool) -> Restored {
        let here = Set(identities.map(\.key)), there = Set(backup.identities.map(\.key))
        var outcome = Restored(
            result: StoreSnapshot(
                identities: replacing ? [] : identities, highestNumber: max(highestNumber, backup.highestNumber),
                generation: max(generation, backup.generation)))
        outcome.kept = replacing ? [] : identities.map(\.key).filter(there.contains)
        outcome.removed = replacing ? identities.map(\.key).filter { !there.contains($0) } : []
        let taken = Set(identities.compactMap(\.number))
        for identity in backup.identities where replacing || !here.contains(identity.key) {
            let old = identity.number ?? 0
            var number = old
            if !replacing, taken.contains(old) || !isOwn && old <= highestNumber {
                outcome.result.highestNumber += 1
                number = outcome.result.highestNumber
                outcome.renumbered.append((identity.key, old, number))
            }
            outcome.restored.append(identity.key)
            outcome.result.identities.append(
                StoredIdentity(key: identity.key, record: identity.record, number: number))
        }
        outcome.missing = outcome.restored.filter { !here.contains($0) }.count
        return outcome
    }
}

extension SQLiteIdentityStorage {
    /// All of one moment. A process that writes waits no longer than it takes to copy the sealed rows.
    public func snapshot() throws(StoreOpeningError) -> StoreSnapshot {
        guard let seal else { return StoreSnapshot() }
        let (book, rows) = try looking { db in (try StoreBook.load(seal, db), try StoredRow.all(db)) }
        let identities = rows.compactMap { row in
            row.record(seal).map { StoredIdentity(key: row.key, record: $0, number: row.number) }
        }
        return StoreSnapshot(
            identities: identities, highestNumber: book.highest, generation: book.generation,
            damaged: rows.count - identities.count)
    }

    private func looking<Value>(_ body: (Database) throws -> Value) throws(StoreOpeningError) -> Value {
        do { return try queue.read(body) } catch { throw StoreOpeningError(error, location.databaseFile) }
    }

    /// Makes a database with other identities beside the store's own, complete and on the disk. Whoever moves it to
    /// ``StoreLocation/database`` has them count from then on, in one step and without room on the disk.
    ///
    /// The store is closed and keeps its lock for as long as it lives.
    ///
    /// - Parameters:
    ///   - snapshot: with the numbers that the identities are to have. The highest number and the count of changes
    ///     become the larger one of its and the store's own, so that no number is given twice and the database is not
    ///     taken for an older one.
    ///   - restored: how many of the identities were not in this store: so many of the lost ones are back.
    /// - Throws: `unavailable`, also for a full disk. Nothing is left of what was begun then.
    public func stage(_ snapshot: StoreSnapshot, restored: Int) throws(StoreOpeningError) {
        guard let seal, !queue.configuration.readonly else {
            throw StoreOpeningError(.unavailable, "\(location.databaseFile) is open for reading only")
        }
        let old = try looking { db in try StoreBook.load(seal, db) }
        let rows = snapshot.identities.compactMap { identity in
            identity.number.map { (key: identity.key, number: $0, record: identity.record) }
        }
        let book = StoreBook(
            generation: max(old.generation, snapshot.generation) + 1,
            highest: ([old.highest, snapshot.highestNumber] + rows.map(\.number)).max() ?? 0, count: rows.count,
            lost: max(0, old.lost - restored))
        do {
            try DatabaseFile.make(location.replacement, rows, book, seal, in: directory)
            try queue.close()
        } catch {
            StoreLocation.removeDatabase(location.replacement)
            throw StoreOpeningError(error, location.replacement)
        }
    }
}

extension StoreLocation {
    /// The file with the identities.
    public var database: String { databaseFile }
    /// What a restore makes ready to take its place.
    public var replacement: String { databaseFile + ".restored" }

    /// Takes away what was made ready and never came to count.
    public func removeReplacement() { StoreLocation.removeDatabase(replacement) }

    static func removeDatabase(_ path: String) { for name in [path, path + "-journal"] { unsafe unlink(name) } }
}

extension DatabaseFile {
    /// A new database with these rows, in this order.
    static func make(
        _ path: String, _ rows: [(key: IdentityKey, number: Int, record: SecretBytes)], _ book: StoreBook,
        _ seal: RecordSeal, in directory: borrowing PrivateDirectory
    ) throws {
        let file = DatabaseFile(path: path)
        // Left over by a power cut.
        StoreLocation.removeDatabase(path)
        try file.makeIfMissing(in: directory)
        let queue = try file.open(readOnly: false).queue
        try Schema.migrator(seal, legacy: seal).migrate(queue)
        try queue.write { db in
            for row in rows {
                try StoredRow.save(row.record, for: row.key, number: row.number, id: nil, seal, db)
            }
            try book.save(seal, db)
        }
        try queue.close()
    }
}
