// SPDX-License-Identifier: Apache-2.0

import Encoding

@testable import BackendValues
@testable import ReferenceBackend

/// Tables that tell of each call, such as `change sessions`.
struct WatchedTables: VolatileStorage {
    let inner: any VolatileStorage
    /// The quota of a table, by its name and its usual one.
    var quota: @Sendable (String, TableQuota) -> TableQuota = { $1 }
    var before: @Sendable (String) async -> Void = { _ in }
    var after: @Sendable (String) -> Void = { _ in }

    func table<Key: TableKey, Value: Codable & Sendable>(
        _ name: String, bounds: TableQuota, of _: Key.Type, _: Value.Type
    ) -> any VolatileTable<Key, Value> {
        WatchedTable(inner: inner.table(name, bounds: quota(name, bounds)), name: name, all: self)
    }

    func key(for name: String) throws(BackendError) -> SecretBytes { try inner.key(for: name) }
}

private struct WatchedTable<Key: TableKey, Value: Codable & Sendable>: VolatileTable {
    let inner: any VolatileTable<Key, Value>
    let name: String
    let all: WatchedTables

    nonisolated(nonsending) func entry(for key: Key, now: WallTime) async throws(StorageError) -> TableEntry<Value>? {
        await all.before("entry \(name)")
        defer { all.after("entry \(name)") }
        return try await inner.entry(for: key, now: now)
    }

    nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, of owner: EntryOwner?, expires: WallTime, now: WallTime
    ) async throws -> Bool {
        await all.before("insert \(name)")
        defer { all.after("insert \(name)") }
        return try await inner.insert(value, for: key, of: owner, expires: expires, now: now)
    }

    nonisolated(nonsending) func take(_ key: Key, now: WallTime) async throws(StorageError) -> Value? {
        await all.before("take \(name)")
        defer { all.after("take \(name)") }
        return try await inner.take(key, now: now)
    }

    nonisolated(nonsending) func change<Result: Sendable>(
        _ key: Key, of owner: EntryOwner?, now: WallTime,
        _ body: @escaping @Sendable (inout TableEntry<Value>?) -> Result
    ) async throws -> Result {
        await all.before("change \(name)")
        defer { all.after("change \(name)") }
        return try await inner.change(key, of: owner, now: now, body)
    }

    func refusal(for owner: EntryOwner, now: WallTime) -> Refusal? { inner.refusal(for: owner, now: now) }
    func changes(of key: Key) -> AsyncStream<Void> { inner.changes(of: key) }

    nonisolated(nonsending) func values(now: WallTime) async throws(StorageError) -> [Value] {
        await all.before("values \(name)")
        defer { all.after("values \(name)") }
        return try await inner.values(now: now)
    }
}
