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

    private var place: Parameter { .text(name) }

    private func digest(_ key: Key) -> Parameter { .bytes(Digest.sha256(key.bytes)) }

    /// In an array: `JSONEncoder` once refused top-level fragments.
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
        let present = try await storage.database.answer(to: Call(EntryStatement.find, place, digest(key))) {
            rows throws(DatabaseFault) -> Present? in try self.present(rows)
        }
        return present.flatMap { $0.entry.expires > now ? $0.entry : nil }
    }

    nonisolated(nonsending) func take(_ key: Key, now: WallTime) async throws(StorageError) -> Value? {
        defer { storage.changes.wake(notice(of: key)) }
        let calls = [Call(EntryStatement.take, place, digest(key))] + notifications(of: key)
        let present = try await storage.database.answers(to: calls) { answers throws(DatabaseFault) -> Present? in
            try self.present(answers[0])
        }
        return present.flatMap { $0.entry.expires > now ? $0.entry.value : nil }
    }

    nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, of owner: EntryOwner?, expires: WallTime, now: WallTime
    ) async throws -> Bool {
        let new = TableEntry(value: value, expires: expires, owner: owner)
        return try await write(key, now) { transaction throws(DatabaseFault) -> Written<Bool> in
            let answers = try transaction.run(lock(key, of: owner, now))
            let known = try present(answers[0])
            let isKnown = known.map { $0.entry.expires > now } ?? false
            var calls: [Call] = []
            if owner == nil || !isKnown || known?.entry.owner != owner {
                switch try makeRoom(for: key, of: owner, answers.last, transaction, now) {
                case .failure(let refusal): return .refused(refusal)
                case .success(let removals): calls = removals
                }
            }
            try store(new, for: key, over: known != nil, after: calls, transaction)
            return .done(!isKnown)
        }
    }

    nonisolated(nonsending) func change<Result: Sendable>(
        _ key: Key, of owner: EntryOwner?, now: WallTime,
        _ body: @escaping @Sendable (inout TableEntry<Value>?) -> Result
    ) async throws -> Result {
        try await write(key, now) { transaction throws(DatabaseFault) -> Written<Result> in
            let answers = try transaction.run(lock(key, of: owner, now))
            let row = try present(answers[0])
            let known = row.flatMap { $0.entry.expires > now ? $0 : nil }
            var entry = known?.entry
            let result = body(&entry)
            guard var entry else {
                if known != nil { try transaction.commit([removal(of: key)] + notifications(of: key)) }
                return .done(result)
            }
            var calls: [Call] = []
            if let known {
                if entry.owner != nil { entry.owner = known.entry.owner }
                let isSame = try encoded(entry.value) == known.encoded && entry.expires == known.entry.expires
                if isSame, entry.owner == known.entry.owner { return .done(result) }
            } else {
                entry.owner = owner
                switch try makeRoom(for: key, of: owner, answers.last, transaction, now) {
                case .failure(let refusal): return .refused(refusal)
                case .success(let removals): calls = removals
                }
            }
            try store(entry, for: key, over: row != nil, after: calls, transaction)
            return .done(result)
        }
    }

    private enum Written<Result: Sendable> {
        case done(Result)
        case refused(Refusal)
    }

    private nonisolated(nonsending) func write<Result>(
        _ key: Key, _ now: WallTime, _ body: @escaping @Sendable (Transaction) throws(DatabaseFault) -> Written<Result>
    ) async throws -> Result {
        // Also if it is unknown whether the change has happened.
        defer { storage.changes.wake(notice(of: key)) }
        switch try await storage.database.change(body) {
        case .refused(let refusal): throw refusal
        case .done(let result):
            await storage.sweeper.sweepIfDue(storage.database, now: now)
            return result
        }
    }

    /// Reads the row of a key, and the number of its owner's other entries.
    private func lock(_ key: Key, of owner: EntryOwner?, _ now: WallTime) -> [Call] {
        [Call(EntryStatement.lock, place, digest(key))]
            + (owner.map { [Call(EntryStatement.ownCount, place, .text($0.stored), .time(now), digest(key))] } ?? [])
    }

    private func removal(of key: Key) -> Call { Call(EntryStatement.remove, place, digest(key)) }

    /// The last calls of a transaction.
    /// - Parameter isOld: whether the transaction has the key's row.
    private func store(
        _ entry: TableEntry<Value>, for key: Key, over isOld: Bool, after calls: [Call], _ transaction: Transaction
    ) throws(DatabaseFault) {
        let call = Call(
            isOld ? EntryStatement.update : EntryStatement.insert, place, digest(key),
            .bytes(try encoded(entry.value)), .time(entry.expires), .text(entry.owner?.stored))
        let answers = try transaction.commit(calls + [call] + notifications(of: key))
        // Another transaction has inserted it meanwhile.
        if answers[calls.count].isEmpty { throw .inTheWay }
    }

    /// Whether an entry of `owner` fits, and the calls that remove others for it. They never remove the key itself,
    /// which another process may have inserted meanwhile. Insertions at the same moment may exceed a bound by their
    /// number.
    /// - Parameter own: the number of the owner's other entries.
    private func makeRoom(
        for key: Key, of owner: EntryOwner?, _ own: Rows?, _ transaction: Transaction, _ now: WallTime
    ) throws(DatabaseFault) -> Swift.Result<[Call], Refusal> {
        var calls: [Call] = []
        if let owner, let own {
            let count = try own.count(0)
            if owner.isNewcomer {
                if count >= bounds.perAddress { return .failure(.tooMany(until: try own.timeIfAny(0, 1), now)) }
                let newcomers = try transaction.run([Call(EntryStatement.newcomerCount, place, .time(now))])[0]
                if try newcomers.count(0) >= bounds.newcomers { return .failure(try full(transaction, now)) }
            } else if count >= bounds.perPerson {
                calls.append(
                    Call(
                        EntryStatement.removeOldest, place, .text(owner.stored), .time(now),
                        .integer(Int64(count - bounds.perPerson + 1)), digest(key)))
                return .success(calls)
            }
        }
        guard storage.fullTables.isToCount(name) else { return .success(calls) }
        let counts = try transaction.run([Call(EntryStatement.count, place, .time(now), digest(key))])[0]
        let excess = try counts.count(0) + 1 - bounds.capacity
        storage.fullTables.noteRoom(of: name, -excess)
        guard excess > 0 else { return .success(calls) }
        let ownerless = try counts.count(1)
        guard owner == nil || ownerless >= excess else {
            let refusal = try full(transaction, now)
            if owner?.isNewcomer == false { storage.fullTables.note(name, refusal, now: now) }
            return .failure(refusal)
        }
        calls.append(
            Call(EntryStatement.removeOldest, place, .text(nil), .time(now), .integer(Int64(excess)), digest(key)))
        return .success(calls)
    }

    private func full(_ transaction: Transaction, _ now: WallTime) throws(DatabaseFault) -> Refusal {
        let end = try transaction.run([Call(EntryStatement.firstEnd, place, .time(now))])[0]
        return .full(until: try end.timeIfAny(0, 0), now)
    }

    nonisolated(nonsending) func values(now: WallTime) async throws(StorageError) -> [Value] {
        try await storage.database.answer(to: Call(EntryStatement.all, place, .time(now))) {
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
