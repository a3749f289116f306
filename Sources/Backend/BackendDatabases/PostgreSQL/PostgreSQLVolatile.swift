// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import Foundation
import MPinServer
import PostgreSQL
import Sealing

/// Volatile tables in PostgreSQL: the rows of one UNLOGGED table, by digests of their keys.
final class PostgreSQLVolatile: VolatileStorage {
    /// Stays connected as long as this object exists.
    let database: Database
    fileprivate let changes: EntryChanges
    fileprivate let sweeper = Sweeper()
    fileprivate let fullTables = FullTables()
    private let credentials: AppCredentials?

    /// - Parameter credentials: those of the state directory. Every process has them, and the database has not. Nil for
    ///   processes that make no page.
    init(database: Database, changes: EntryChanges, credentials: AppCredentials?) {
        self.database = database
        self.changes = changes
        self.credentials = credentials
    }

    func table<Key: TableKey, Value: Codable & Sendable>(
        _ name: String, bounds: TableQuota, of _: Key.Type, _: Value.Type
    ) -> any VolatileTable<Key, Value> {
        PostgreSQLTable<Key, Value>(storage: self, name: name, bounds: bounds)
    }

    func key(for name: String) throws(BackendError) -> SecretBytes {
        guard let credentials else { return SecretBytes(try RandomBytes.make(32)) }
        return credentials.key(for: name)
    }
}

/// A volatile table: the rows with its name. A change reads its row with a lock, and writes it in the same transaction.
private struct PostgreSQLTable<Key: TableKey, Value: Codable & Sendable>: VolatileTable {
    let storage: PostgreSQLVolatile
    let name: String
    let bounds: TableQuota

    /// A row, expired or not.
    private struct Present {
        let entry: TableEntry<Value>
        let encoded: [UInt8]
    }

    private var tableName: Parameter { .text(name) }

    private func digest(_ key: Key) -> Parameter { .bytes(Digest.sha256(key.bytes)) }

    /// Encodes the value in an array, because `JSONEncoder` once refused top-level fragments.
    private func encoded(_ value: Value) throws(DatabaseFault) -> [UInt8] {
        do { return [UInt8](try JSONEncoder().encode([value])) } catch {
            throw DatabaseFault(.unexpected, "a value cannot be encoded")
        }
    }

    private func decoded(_ bytes: [UInt8]) throws(DatabaseFault) -> Value {
        guard let value = try? JSONDecoder().decode([Value].self, from: Data(bytes)).first else {
            throw DatabaseFault(
                .unexpected, "a value has another form; an older version of this program may have written it")
        }
        return value
    }

    private func present(_ rows: Rows) throws(DatabaseFault) -> Present? {
        guard !rows.isEmpty else { return nil }
        let encoded = try rows.bytes(0, 0)
        let owner = rows.bytesIfAny(0, 2) == nil ? nil : try rows.text(0, 2)
        return Present(
            entry: TableEntry(
                value: try decoded(encoded), expires: try rows.time(0, 1), owner: owner.map { EntryOwner(stored: $0) }),
            encoded: encoded)
    }

    nonisolated(nonsending) func entry(for key: Key, now: WallTime) async throws(StorageError) -> TableEntry<Value>? {
        let present = try await storage.database.answer(to: Call(EntryStatement.find, tableName, digest(key))) {
            rows throws(DatabaseFault) -> Present? in try self.present(rows)
        }
        return present.flatMap { $0.entry.expires > now ? $0.entry : nil }
    }

    nonisolated(nonsending) func take(_ key: Key, now: WallTime) async throws(StorageError) -> Value? {
        defer { storage.changes.wake(notice(of: key)) }
        let calls = [Call(EntryStatement.take, tableName, digest(key))] + notifications(of: key)
        let present = try await storage.database.answers(to: calls) { answers throws(DatabaseFault) -> Present? in
            try self.present(answers[0])
        }
        return present.flatMap { $0.entry.expires > now ? $0.entry.value : nil }
    }

    nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, of owner: EntryOwner?, expires: WallTime, now: WallTime
    ) async throws -> Bool {
        let new = TableEntry(value: value, expires: expires, owner: owner)
        return try await write(key, of: owner, now) { write throws(DatabaseFault) in
            let (known, own) = try lock(write)
            let isKnown = known.map { $0.entry.expires > now } ?? false
            var calls: [Call] = []
            if owner == nil || !isKnown || known?.entry.owner != owner {
                switch try makeRoom(write, besides: own) {
                case .failure(let refusal): return .failure(refusal)
                case .success(let removals): calls = removals
                }
            }
            try store(new, over: known != nil, after: calls, write)
            return .success(!isKnown)
        }
    }

    nonisolated(nonsending) func change<Result: Sendable>(
        _ key: Key, of owner: EntryOwner?, now: WallTime,
        _ body: @escaping @Sendable (inout TableEntry<Value>?) -> Result
    ) async throws -> Result {
        try await write(key, of: owner, now) { write throws(DatabaseFault) in
            let (row, own) = try lock(write)
            let known = row.flatMap { $0.entry.expires > now ? $0 : nil }
            var entry = known?.entry
            let result = body(&entry)
            guard var entry else {
                if known != nil { try write.transaction.commit([removal(of: key)] + notifications(of: key)) }
                return .success(result)
            }
            var calls: [Call] = []
            if let known {
                if entry.owner != nil { entry.owner = known.entry.owner }
                let isSame = try encoded(entry.value) == known.encoded && entry.expires == known.entry.expires
                if isSame, entry.owner == known.entry.owner { return .success(result) }
            } else {
                entry.owner = owner
                switch try makeRoom(write, besides: own) {
                case .failure(let refusal): return .failure(refusal)
                case .success(let removals): calls = removals
                }
            }
            try store(entry, over: row != nil, after: calls, write)
            return .success(result)
        }
    }

    /// A transaction that writes one entry.
    private struct Write {
        let key: Key
        /// The owner of a new entry.
        let owner: EntryOwner?
        let now: WallTime
        let transaction: Transaction
    }

    private nonisolated(nonsending) func write<Success: Sendable>(
        _ key: Key, of owner: EntryOwner?, _ now: WallTime,
        _ body: @escaping @Sendable (Write) throws(DatabaseFault) -> Result<Success, Refusal>
    ) async throws -> Success {
        // Notifies even if it is unknown whether the change has happened.
        defer { storage.changes.wake(notice(of: key)) }
        let written = try await storage.database.change { transaction throws(DatabaseFault) in
            try body(Write(key: key, owner: owner, now: now, transaction: transaction))
        }
        let result = try written.get()
        await storage.sweeper.sweepIfDue(storage.database, now: now)
        return result
    }

    /// Locks the row of the key.
    /// - Returns: the row, and number and first end of the owner's other entries; nil for an entry without an owner.
    private func lock(_ write: Write) throws(DatabaseFault) -> (row: Present?, own: Rows?) {
        var calls = [Call(EntryStatement.lock, tableName, digest(write.key))]
        if let owner = write.owner {
            calls.append(
                Call(EntryStatement.ownCount, tableName, .text(owner.stored), .time(write.now), digest(write.key)))
        }
        let answers = try write.transaction.run(calls)
        return (try present(answers[0]), write.owner == nil ? nil : answers[1])
    }

    private func removal(of key: Key) -> Call { Call(EntryStatement.remove, tableName, digest(key)) }

    /// The last calls of a transaction.
    /// - Parameter isOld: whether the transaction has the key's row.
    private func store(
        _ entry: TableEntry<Value>, over isOld: Bool, after calls: [Call], _ write: Write
    ) throws(DatabaseFault) {
        let call = Call(
            isOld ? EntryStatement.update : EntryStatement.insert, tableName, digest(write.key),
            .bytes(try encoded(entry.value)), .time(entry.expires), .text(entry.owner?.stored))
        let answers = try write.transaction.commit(calls + [call] + notifications(of: write.key))
        // Another transaction has inserted it meanwhile.
        if answers[calls.count].isEmpty { throw .inTheWay }
    }

    /// Whether a new entry fits, and the calls that remove others for it. They never remove the key itself, which
    /// another process may have inserted meanwhile. Insertions at the same moment may exceed a bound by their number.
    /// - Parameter own: number and first end of the owner's other entries.
    private func makeRoom(_ write: Write, besides own: Rows?) throws(DatabaseFault) -> Result<[Call], Refusal> {
        if let owner = write.owner, let own {
            let count = try own.count(0)
            if owner.isNewcomer {
                if count >= bounds.perAddress { return .failure(.tooMany(until: try own.timeIfAny(0, 1), write.now)) }
                let newcomers = try write.transaction.run([
                    Call(EntryStatement.newcomerCount, tableName, .time(write.now))
                ])
                if try newcomers[0].count(0) >= bounds.newcomers { return .failure(try full(write)) }
            } else if count >= bounds.perPerson {
                return .success([removal(ofOldest: count - bounds.perPerson + 1, of: owner, write)])
            }
        }
        return try makeRoomInTable(write)
    }

    /// Whether a new entry fits into the whole table, and the calls that remove others for it.
    private func makeRoomInTable(_ write: Write) throws(DatabaseFault) -> Result<[Call], Refusal> {
        if storage.fullTables.takeRoom(in: name) { return .success([]) }
        let count = Call(EntryStatement.count, tableName, .time(write.now), digest(write.key))
        let counts = try write.transaction.run([count])[0]
        let excess = try counts.count(0) + 1 - bounds.capacity
        storage.fullTables.noteRoom(of: name, -excess)
        guard excess > 0 else { return .success([]) }
        let ownerless = try counts.count(1)
        guard write.owner == nil || ownerless >= excess else {
            let refusal = try full(write)
            if write.owner?.isNewcomer == false { storage.fullTables.note(name, refusal, now: write.now) }
            return .failure(refusal)
        }
        return .success([removal(ofOldest: excess, of: nil, write)])
    }

    private func removal(ofOldest count: Int, of owner: EntryOwner?, _ write: Write) -> Call {
        Call(
            EntryStatement.removeOldest, tableName, .text(owner?.stored), .time(write.now), .integer(Int64(count)),
            digest(write.key))
    }

    private func full(_ write: Write) throws(DatabaseFault) -> Refusal {
        let end = try write.transaction.run([Call(EntryStatement.firstEnd, tableName, .time(write.now))])[0]
        return .full(until: try end.timeIfAny(0, 0), write.now)
    }

    nonisolated(nonsending) func values(now: WallTime) async throws(StorageError) -> [Value] {
        try await storage.database.answer(to: Call(EntryStatement.all, tableName, .time(now))) {
            rows throws(DatabaseFault) in
            try rows.map { row throws(DatabaseFault) in try decoded(try rows.bytes(row, 0)) }
        }
    }

    func refusal(for _: EntryOwner, now: WallTime) -> Refusal? { storage.fullTables.refusal(by: name, now: now) }

    func changes(of key: Key) -> AsyncStream<Void> { storage.changes.stream(notice(of: key)) }

    private func notice(of key: Key) -> String { storage.changes.name(name, key) }

    private func notifications(of key: Key) -> [Call] {
        bounds.isWatched ? [storage.database.notification(notice(of: key))] : []
    }
}

extension EntryOwner {
    /// The stored form. Its first letter is the case.
    var stored: String {
        switch self {
        case .newcomer(let address): "n" + address.key
        case .person(let userID): "p" + userID
        }
    }

    fileprivate init(stored: String) {
        self =
            stored.first == "n"
            ? .newcomer(ClientAddress(key: String(stored.dropFirst()))) : .person(String(stored.dropFirst()))
    }
}
