// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Volatile tables in the memory of this process: a restart forgets them. Nothing is encoded, and no caller waits.
package final class MemoryTables: VolatileStorage {
    private struct Waiters {
        var nextNumber: UInt64 = 0
        var continuations: [String: [UInt64: AsyncStream<[UInt8]>.Continuation]] = [:]
    }

    /// So that what people fill takes a few ten megabytes in each table, where there are so many people.
    private static let largestGrowth = 16

    private let tables = Mutex<[String: any Sendable]>([:])
    private let waiters = Mutex(Waiters())

    package init() {}

    package func table<Key: TableKey, Value: Codable & Sendable>(
        _ name: String, bounds: TableBounds, of _: Key.Type, _: Value.Type
    ) -> any VolatileTable<Key, Value> {
        tables.withLock { tables in
            if let known = tables[name] as? MemoryTable<Key, Value> { return known }
            assert(tables[name] == nil, "two tables are called \(name)")
            var bounds = bounds
            bounds.capacity *= min(bounds.growth, Self.largestGrowth)
            let new = MemoryTable<Key, Value>(bounds: bounds)
            tables[name] = new
            return new
        }
    }

    package func refusal(by name: String, for owner: EntryOwner, now: WallTime) -> Refusal? {
        (tables.withLock { $0[name] } as? any BoundedTable)?.refusal(for: owner, now: now)
    }

    package nonisolated(nonsending) func signal(
        _ topic: String, saying message: [UInt8]
    ) async throws(StorageError) {
        let continuations = waiters.withLock { $0.continuations[topic].map { Array($0.values) } ?? [] }
        for continuation in continuations { continuation.yield(message) }
    }

    package func signals(_ topic: String) -> AsyncStream<[UInt8]> {
        let (signals, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(1))
        let number = waiters.withLock { waiters in
            waiters.nextNumber += 1
            waiters.continuations[topic, default: [:]][waiters.nextNumber] = continuation
            return waiters.nextNumber
        }
        continuation.onTermination = { [self] _ in
            waiters.withLock { waiters in
                waiters.continuations[topic]?[number] = nil
                if waiters.continuations[topic]?.isEmpty == true { waiters.continuations[topic] = nil }
            }
        }
        return signals
    }
}

private protocol BoundedTable {
    func refusal(for owner: EntryOwner, now: WallTime) -> Refusal?
}

/// One of them.
private final class MemoryTable<Key: TableKey, Value: Codable & Sendable>: VolatileTable, BoundedTable {
    private let table: Mutex<ExpiringTable<Key, Value>>

    init(bounds: TableBounds) { table = Mutex(ExpiringTable(bounds: bounds)) }

    nonisolated(nonsending) func entry(for key: Key, now: WallTime) async throws(StorageError) -> TableEntry<Value>? {
        table.withLock { $0.entry(for: key, now: now) }
    }

    nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, expires: WallTime, now: WallTime
    ) async throws(StorageError) {
        table.withLock { $0.insert(value, for: key, expires: expires, now: now) }
    }

    nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, of owner: EntryOwner, expires: WallTime, now: WallTime
    ) async throws -> Bool {
        try table.withLock { table in
            let isNew = table.value(for: key, now: now) == nil
            try table.insert(value, for: key, of: owner, expires: expires, now: now)
            return isNew
        }
    }

    func refusal(for owner: EntryOwner, now: WallTime) -> Refusal? {
        table.withLock { $0.refusal(for: owner, now: now) }
    }

    nonisolated(nonsending) func take(_ key: Key, now: WallTime) async throws(StorageError) -> Value? {
        table.withLock { $0.remove(key, now: now) }
    }

    nonisolated(nonsending) func change<Result: Sendable>(
        _ key: Key, now: WallTime, _ body: (inout TableEntry<Value>?) -> Result
    ) async throws(StorageError) -> Result {
        table.withLock { $0.change(key, now: now, body) }
    }

    nonisolated(nonsending) func values(now: WallTime) async throws(StorageError) -> [Value] {
        table.withLock { $0.values(now: now) }
    }
}
