// SPDX-License-Identifier: Apache-2.0

import GRDB
public import MPinClient

/// The content of a store at one moment, unsealed.
public struct StoreSnapshot: Sendable, Equatable {
    /// All identities whose records are whole, in the order of their numbers.
    public var identities: [StoredIdentity]
    /// The highest number that any identity ever had.
    public var highestNumber: Int
    /// The number of changes so far.
    public var generation: Int
    /// The number of rows with damaged records.
    public var damaged: Int

    /// Makes a snapshot; without arguments that of an empty store.
    ///
    /// - Parameters:
    ///   - identities: unsealed, each with its number, in the order of the numbers.
    ///   - highestNumber: the highest number that any identity ever had; 0 if there never was one.
    ///   - generation: number of changes so far.
    ///   - damaged: number of rows with damaged records.
    public init(identities: [StoredIdentity] = [], highestNumber: Int = 0, generation: Int = 0, damaged: Int = 0) {
        self.identities = identities
        self.highestNumber = highestNumber
        self.generation = generation
        self.damaged = damaged
    }
}

extension SQLiteIdentityStorage {
    /// Reads everything in one moment. A process that writes waits only while the sealed rows are copied.
    public func snapshot() throws(StoreOpeningError) -> StoreSnapshot {
        guard let seal else { return StoreSnapshot() }
        let (header, rows) = try looking { db in (try StoreHeader.load(seal, db), try StoredRow.all(db)) }
        let identities = rows.compactMap { row in
            row.record(seal).map { StoredIdentity(key: row.key, record: $0, number: row.number) }
        }
        return StoreSnapshot(
            identities: identities, highestNumber: header.highest, generation: header.generation,
            damaged: rows.count - identities.count)
    }

    private func looking<Value>(_ body: (Database) throws -> Value) throws(StoreOpeningError) -> Value {
        do { return try queue.read(body) } catch { throw StoreOpeningError(error, location.database) }
    }

    /// Makes a database with a backup's identities, complete and on the disk, beside the store's own, which must be
    /// empty. The caller activates it by moving it to ``StoreLocation/database``, in one step that needs no room.
    ///
    /// The store is closed and keeps its lock for the rest of its life.
    ///
    /// - Parameter snapshot: contains the numbers for the identities. The highest number and the count of changes
    ///   become the larger of its and the store's own, so that no number is given out twice and the database does not
    ///   count as older.
    /// - Throws: `unavailable`, also for a full disk. Nothing unfinished remains then.
    public func stage(_ snapshot: StoreSnapshot) throws(StoreOpeningError) {
        guard let seal, !queue.configuration.readonly else {
            throw StoreOpeningError(.unavailable, "\(location.database) is open for reading only")
        }
        let old = try looking { db in try StoreHeader.load(seal, db) }
        let rows = snapshot.identities.compactMap { identity in
            identity.number.map { UnsealedRow(key: identity.key, number: $0, record: identity.record) }
        }
        let header = StoreHeader(
            generation: max(old.generation, snapshot.generation) + 1,
            highest: ([old.highest, snapshot.highestNumber] + rows.map(\.number)).max() ?? 0, count: rows.count,
            // Rows that are still here are damaged. Those that the backup does not bring back are lost.
            lost: max(0, old.lost + old.count - rows.count))
        do {
            try DatabaseFile(path: location.replacement).make(with: rows, header, seal)
            try queue.close()
        } catch {
            StoreLocation.removeDatabase(location.replacement)
            throw StoreOpeningError(error, location.replacement)
        }
    }
}
