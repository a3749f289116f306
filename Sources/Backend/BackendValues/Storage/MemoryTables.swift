// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Volatile tables in the memory of this process, which a restart clears. Values are not encoded, and no caller
/// waits.
package final class MemoryTables: VolatileStorage {
    private let tables = Mutex<[String: any Sendable]>([:])

    package init() {}

    package func table<Key: TableKey, Value: Codable & Sendable>(
        _ name: String, bounds: TableQuota, of _: Key.Type, _: Value.Type
    ) -> any VolatileTable<Key, Value> {
        tables.withLock { tables in
            if let known = tables[name] as? MemoryTable<Key, Value> { return known }
            assert(tables[name] == nil, "two tables are called \(name)")
            let new = MemoryTable<Key, Value>(bounds: bounds)
            tables[name] = new
            return new
        }
    }
}

/// A table of ``MemoryTables``.
private final class MemoryTable<Key: TableKey, Value: Codable & Sendable>: VolatileTable {
    private let table: Mutex<ExpiringTable<Key, Value>>
    private let changed = Subscriptions<Key>()

    init(bounds: TableQuota) { table = Mutex(ExpiringTable(bounds: bounds)) }

    private func withTable<Result, Failure: Error>(
        at now: WallTime, _ body: (inout ExpiringTable<Key, Value>) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try table.withLock { table throws(Failure) in
            table.follow(now)
            return try body(&table)
        }
    }

    nonisolated(nonsending) func entry(for key: Key, now: WallTime) async throws(StorageError) -> TableEntry<Value>? {
        withTable(at: now) { $0.entry(for: key, now: now) }
    }

    nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, of owner: EntryOwner?, expires: WallTime, now: WallTime
    ) async throws -> Bool {
        let isNew = try withTable(at: now) { table in
            let isNew = table.value(for: key, now: now) == nil
            if let owner {
                try table.insert(value, for: key, of: owner, expires: expires, now: now)
            } else {
                table.insert(value, for: key, expires: expires, now: now)
            }
            return isNew
        }
        changed.wake(key)
        return isNew
    }

    func refusal(for owner: EntryOwner, now: WallTime) -> Refusal? {
        withTable(at: now) { $0.refusal(for: owner, now: now) }
    }

    nonisolated(nonsending) func take(_ key: Key, now: WallTime) async throws(StorageError) -> Value? {
        defer { changed.wake(key) }
        return withTable(at: now) { $0.remove(key, now: now) }
    }

    nonisolated(nonsending) func change<Result: Sendable>(
        _ key: Key, of owner: EntryOwner?, now: WallTime,
        _ body: @escaping @Sendable (inout TableEntry<Value>?) -> Result
    ) async throws -> Result {
        defer { changed.wake(key) }
        return try withTable(at: now) { table in
            guard let owner else { return table.change(key, now: now, body) }
            return try table.change(key, of: owner, now: now, body)
        }
    }

    func changes(of key: Key) -> AsyncStream<Void> { changed.stream(key) }

    nonisolated(nonsending) func values(now: WallTime) async throws(StorageError) -> [Value] {
        withTable(at: now) { $0.values(now: now) }
    }
}
