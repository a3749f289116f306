// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Foundation
import PostgreSQL
import Synchronization

/// One volatile table: rows of the table `entry` with its name.
struct PostgreSQLTable<Key: TableKey, Value: Codable & Sendable>: VolatileTable {
    let database: Database
    let name: String
    let bounds: TableBounds
    let turns: KeyedTurns
    let sweeper: Sweeper
    let fullTables: FullTables
    /// Nil for a table that no page polls.
    let polled: PolledEntries?
    private let seen = SeenEntries<Key, Present>()

    init(
        database: Database, name: String, bounds: TableBounds, turns: KeyedTurns, sweeper: Sweeper,
        fullTables: FullTables, polled: PolledEntries?
    ) {
        self.polled = polled
        self.database = database
        self.name = name
        self.bounds = bounds
        self.turns = turns
        self.sweeper = sweeper
        self.fullTables = fullTables
    }

    /// An entry with what tells it from every other one that had its key.
    fileprivate struct Present: Sendable {
        let entry: TableEntry<Value>
        let encoded: [UInt8]
        let version: Int64
    }

    func digest(_ key: Key) -> Parameter { .bytes(Digest.sha256(key.bytes)) }

    var newVersion: Parameter { .integer(.random(in: .min ... .max)) }

    /// In a list, for a JSON text of old was no bare number.
    private static func encode(_ value: some Encodable) throws(StorageError) -> [UInt8] {
        do { return [UInt8](try JSONEncoder().encode([value])) } catch {
            throw StorageError(reason: "a value cannot be encoded")
        }
    }

    func encoded(_ part: some Encodable) throws(StorageError) -> [UInt8] { try Self.encode(part) }

    func decoded(_ bytes: [UInt8]) throws(StorageError) -> Value { try Self.decode(bytes) }

    private static func decode(_ bytes: [UInt8]) throws(StorageError) -> Value {
        guard let value = try? JSONDecoder().decode([Value].self, from: Data(bytes)).first else {
            throw StorageError(reason: "a value has another form; an older version of this program may have written it")
        }
        return value
    }

    nonisolated(nonsending) func entry(for key: Key, now: WallTime) async throws(StorageError) -> TableEntry<Value>? {
        try await read(key, now)?.entry
    }

    nonisolated(nonsending) func polledEntry(
        for key: Key, now: WallTime, while isWaiting: (TableEntry<Value>?) -> Bool
    ) async throws(StorageError) -> TableEntry<Value>? {
        guard let polled else { return try await entry(for: key, now: now) }
        let (name, connection) = (polled.name(name, key), database.listeningConnection)
        if let known = polled.entry(name, of: TableEntry<Value>.self, connection, now: now) { return known }
        let reading = polled.begin(name, connection, now: now)
        let present = try await read(key, now)
        let mayBeKept = present.map { $0.encoded.count <= PolledEntries.longest } ?? (bounds.polling == .ofAll)
        let isKept = mayBeKept && isWaiting(present?.entry)
        polled.end(reading, at: name, with: present?.entry, isKept: isKept)
        return present?.entry
    }

    func changes(of key: Key) -> AsyncStream<[UInt8]> {
        guard let polled else { return Subscriptions<Key>().stream(key) }
        return polled.changes(polled.name(name, key))
    }

    /// Runs a call that may change an entry, and tells all processes that remember it.
    private nonisolated(nonsending) func rows(_ call: Call, changing key: Key) async throws(StorageError) -> Rows {
        guard let polled else { return try await database.rows(call) }
        let name = polled.name(name, key)
        // Also when it is not known whether it has happened.
        defer { polled.forget(name) }
        return try await database.allRows([call, database.notification(polled.text(name))])[0]
    }

    /// Such a call as a step.
    /// - Parameter isFirst: whether it only happens where nothing is.
    private func step(
        _ call: Call, changing key: Key, isFirst: Bool = false, insertsAt time: WallTime? = nil,
        _ happened: @escaping @Sendable () -> Void = {}
    ) -> PostgreSQLStep {
        guard let polled, !isFirst || bounds.polling == .ofAll else {
            return PostgreSQLStep(call, insertsAt: time, happened)
        }
        let name = polled.name(name, key)
        return PostgreSQLStep(call, then: database.notification(polled.text(name)), insertsAt: time) {
            polled.forget(name)
            happened()
        }
    }

    private nonisolated(nonsending) func read(_ key: Key, _ now: WallTime) async throws(StorageError) -> Present? {
        let present = try Self.present(
            in: await database.rows(Call(EntryStatement.find, .text(name), digest(key), .time(now))), from: 0,
            seen: seen.value(for: key))
        seen.set(present, for: key)
        return present
    }

    /// Returns the entry that another statement has found under `key`.
    /// - Parameter first: the column that the entry's begin with.
    func entry(for key: Key, in rows: Rows, from first: Int) throws(StorageError) -> TableEntry<Value>? {
        let present = try Self.present(in: rows, from: first, seen: seen.value(for: key))
        seen.set(present, for: key)
        return present?.entry
    }

    /// - Parameter seen: what need not be decoded once more if it is still the same.
    private static func present(
        in rows: Rows, from first: Int, seen: Present? = nil
    ) throws(StorageError) -> Present? {
        guard !rows.isEmpty, let encoded = rows.bytesIfAny(0, first) else { return nil }
        let value: Value
        if let seen, seen.encoded == encoded { value = seen.entry.value } else { value = try decode(encoded) }
        return try rows.read { row throws(DatabaseFault) in
            let owner = rows.bytesIfAny(row, first + 2) == nil ? nil : try rows.text(row, first + 2)
            return Present(
                entry: TableEntry(
                    value: value, expires: WallTime(milliseconds: try rows.integer(row, first + 1)),
                    owner: owner.map { EntryOwner(stored: $0) }),
                encoded: encoded, version: try rows.integer(row, first + 3))
        }.first
    }

    nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, expires: WallTime, now: WallTime
    ) async throws(StorageError) {
        _ = try await rows(
            Call(
                EntryStatement.insert, .text(name), digest(key), .bytes(try Self.encode(value)), .time(expires),
                newVersion, .integer(Int64(bounds.capacity)), .time(now)), changing: key)
        await sweeper.sweepIfDue(database, now: now)
    }

    nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, of owner: EntryOwner, expires: WallTime, now: WallTime
    ) async throws -> Bool {
        let inserted = Present(
            entry: TableEntry(value: value, expires: expires, owner: owner), encoded: try Self.encode(value),
            version: .random(in: .min ... .max))
        let answer = try await rows(
            Call(EntryStatement.insertOwned, parameters: ownedParameters(inserted, for: key, of: owner, now: now)),
            changing: key)
        let (outcome, end) = (try answer.integer(0, 0), try answer.timeIfAny(0, 1))
        switch outcome {
        case 2: throw Refusal.tooMany(until: end, now)
        case 3:
            if !owner.isNewcomer { fullTables.note(name, until: end, now: now) }
            throw Refusal.full(until: end, now)
        default:
            seen.set(inserted, for: key)
            await sweeper.sweepIfDue(database, now: now)
        }
        return outcome == 1
    }

    nonisolated(nonsending) func take(_ key: Key, now: WallTime) async throws(StorageError) -> Value? {
        seen.set(nil, for: key)
        let rows = try await rows(
            Call(EntryStatement.take, .text(name), digest(key), .time(now)), changing: key)
        return try rows.bytesIfAny(0, 0).map { bytes throws(StorageError) in try Self.decode(bytes) }
    }

    nonisolated(nonsending) func change<Result: Sendable>(
        _ key: Key, now: WallTime, _ body: (inout TableEntry<Value>?) -> Result
    ) async throws(StorageError) -> Result {
        let turn = Array(name.utf8) + [0] + key.bytes
        do throws(DatabaseFault) { try await turns.begin(turn) } catch { throw StorageError(error) }
        defer { turns.end(turn) }
        // As it was when this process saw it last; or there is none, as most often with one that is new here. A change
        // of that is done if that is still so, and else the answer says what is: reading first would take as long.
        var present = seen.value(for: key).flatMap { $0.entry.expires > now ? $0 : nil }
        var isKnown = false
        // Each time another process was faster.
        for _ in 0..<100 {
            var entry = present?.entry
            let result = body(&entry)
            if let write = try write(entry, for: key, over: present, now) {
                let answer = try await rows(
                    Call(EntryStatement.change, parameters: write.parameters), changing: key)
                if try answer.flag() {
                    seen.set(write.written, for: key)
                    return result
                }
                present = try Self.present(in: answer, from: 1)
            } else if isKnown {
                return result
            } else {
                present = try await read(key, now)
            }
            isKnown = true
        }
        throw StorageError(reason: "other processes change the same entry all the time")
    }

    /// - Returns: nil when nothing is to be written.
    private func write(
        _ entry: TableEntry<Value>?, for key: Key, over present: Present?, _ now: WallTime
    ) throws(StorageError) -> (parameters: [Parameter], written: Present?)? {
        var written: Present?
        if let entry {
            let owner = entry.owner == nil ? nil : present?.entry.owner
            written = Present(
                entry: TableEntry(value: entry.value, expires: entry.expires, owner: owner),
                encoded: try Self.encode(entry.value), version: .random(in: .min ... .max))
        }
        let losesOwner = present?.entry.owner != nil && written?.entry.owner == nil
        if written?.encoded == present?.encoded, entry?.expires == present?.entry.expires, !losesOwner { return nil }
        let parameters: [Parameter] = [
            .text(name), digest(key), .integer(present?.version), .bytes(written?.encoded), .time(entry?.expires),
            .boolean(losesOwner), .integer(written?.version), .integer(Int64(bounds.capacity)), .time(now),
        ]
        return (parameters, written)
    }

    func changing(
        _ key: Key, now: WallTime, _ body: (inout TableEntry<Value>?) -> Bool
    ) -> (any VolatileStep)? {
        let present = seen.value(for: key).flatMap { $0.entry.expires > now ? $0 : nil }
        var entry = present?.entry
        guard body(&entry), let write = try? write(entry, for: key, over: present, now) else { return nil }
        let seen = seen
        return step(Call(EntryStatement.mustChange, parameters: write.parameters), changing: key) {
            seen.set(write.written, for: key)
        }
    }

    func inserting(
        _ value: Value, for key: Key, of owner: EntryOwner?, expires: WallTime, now: WallTime
    ) -> (any VolatileStep)? {
        guard let encoded = try? Self.encode(value) else { return nil }
        guard let owner else {
            return step(
                Call(
                    EntryStatement.insert, .text(name), digest(key), .bytes(encoded), .time(expires), newVersion,
                    .integer(Int64(bounds.capacity)), .time(now)), changing: key, insertsAt: now)
        }
        let inserted = Present(
            entry: TableEntry(value: value, expires: expires, owner: owner), encoded: encoded,
            version: .random(in: .min ... .max))
        let seen = seen
        return step(
            Call(EntryStatement.mustInsert, parameters: ownedParameters(inserted, for: key, of: owner, now: now)),
            changing: key, isFirst: true, insertsAt: now
        ) { seen.set(inserted, for: key) }
    }

    private func ownedParameters(
        _ inserted: Present, for key: Key, of owner: EntryOwner, now: WallTime
    ) -> [Parameter] {
        [
            .text(name), digest(key), .bytes(inserted.encoded), .time(inserted.entry.expires), .text(owner.stored),
            .integer(inserted.version),
            .integer(Int64(bounds.capacity)), .integer(Int64(bounds.newcomers)),
            .integer(Int64(owner.isNewcomer ? bounds.perAddress : bounds.perPerson)), .time(now),
        ]
    }

    nonisolated(nonsending) func values(now: WallTime) async throws(StorageError) -> [Value] {
        let rows = try await database.rows(Call(EntryStatement.all, .text(name), .time(now)))
        let encoded = try rows.read { row throws(DatabaseFault) in try rows.bytes(row, 0) }
        return try encoded.map { bytes throws(StorageError) in try Self.decode(bytes) }
    }
}

/// A call that fails with ``sqlState`` when it is not possible, and takes all others of its transaction with it.
struct PostgreSQLStep: VolatileStep {
    static let sqlState = "LK001"

    let calls: [Call]
    /// When an entry came; nil for other changes.
    let insertion: WallTime?
    /// Notes what this process knows once the step has happened.
    let happened: @Sendable () -> Void

    /// - Parameter next: what belongs to it.
    init(
        _ call: Call, then next: Call? = nil, insertsAt time: WallTime? = nil,
        _ happened: @escaping @Sendable () -> Void = {}
    ) {
        calls = [call] + (next.map { [$0] } ?? [])
        insertion = time
        self.happened = happened
    }
}

extension Database {
    /// Runs `first` and then `steps` in one transaction.
    /// - Returns: nil when one of the steps is not possible: nothing has happened.
    nonisolated(nonsending) func attempt(
        _ first: [Call] = [], _ steps: [(any VolatileStep)?]
    ) async throws(StorageError) -> [Rows]? {
        let known = steps.compactMap { $0 as? PostgreSQLStep }
        guard known.count == steps.count else { return nil }
        let answers: [Rows]
        do throws(DatabaseFault) { answers = try await transaction(first + known.flatMap(\.calls)) } catch {
            if error.kind == .refused(sqlState: PostgreSQLStep.sqlState) { return nil }
            throw StorageError(error)
        }
        for step in known { step.happened() }
        return answers
    }
}

/// The entries as this process saw them last. They are a first guess at the present entries and are never relied on.
private final class SeenEntries<Key: TableKey, Present: Sendable>: Sendable {
    private let capacity = 1024

    private let entries = Mutex<[Key: Present]>([:])

    func value(for key: Key) -> Present? { entries.withLock { $0[key] } }

    func set(_ present: Present?, for key: Key) {
        entries.withLock { entries in
            if present != nil, entries.count >= capacity { entries = [:] }
            entries[key] = present
        }
    }
}

/// The same for tables of all keys and values.
private enum EntryStatement {
    static let find = Statement(
        "SELECT value, expires, owner, version FROM entry WHERE place = $1 AND key = $2 AND expires > $3")
    static let insert = Statement("SELECT insert_entry($1, $2, $3, $4, $5, $6, $7)::text")
    static let insertOwned = Statement(
        "SELECT outcome, next_end FROM insert_owned_entry($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)")
    static let take = Statement(
        """
        WITH taken AS (DELETE FROM entry WHERE place = $1 AND key = $2 RETURNING value, expires)
        SELECT value FROM taken WHERE expires > $3
        """)
    static let change = Statement(
        """
        SELECT is_done, (present).value, (present).expires, (present).owner, (present).version
        FROM change_entry($1, $2, $3, $4, $5, $6, $7, $8, $9)
        """)
    static let mustChange = Statement("SELECT must_change($1, $2, $3, $4, $5, $6, $7, $8, $9)::text")
    static let mustInsert = Statement("SELECT must_insert($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)::text")
    static let all = Statement("SELECT value FROM entry WHERE place = $1 AND expires > $2 ORDER BY number DESC")
}

extension EntryOwner {
    /// As the database has it: its first letter says which of the two it is.
    fileprivate var stored: String {
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
