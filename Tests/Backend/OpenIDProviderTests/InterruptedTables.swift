// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Synchronization

/// Another use of a code, which comes between two calls of the storage.
final class SecondUse: Sendable {
    /// Whether this task is the second use, whose own calls are not counted.
    @TaskLocal private static var isUnderWay = false

    /// The tokens that it got, if any.
    struct Result: Sendable {
        let tokens: JSONObject?
    }

    private struct State {
        var calls = 0
        var moment = 0
        var use: (@Sendable () async -> JSONObject?)?
        var result: Result?
    }

    private let state = Mutex(State())

    /// - Parameter moment: the number of the call before which it comes, from 1.
    func prepare(before moment: Int, _ use: @escaping @Sendable () async -> JSONObject?) {
        state.withLock { $0 = State(moment: moment, use: use) }
    }

    /// - Returns: nil when there were fewer calls.
    func end() -> Result? {
        state.withLock { state in
            defer { state = State() }
            return state.result
        }
    }

    fileprivate nonisolated(nonsending) func call() async {
        guard !SecondUse.isUnderWay else { return }
        let use = state.withLock { state in
            state.calls += 1
            return state.calls == state.moment ? state.use : nil
        }
        guard let use else { return }
        let tokens = await SecondUse.$isUnderWay.withValue(true) { await use() }
        state.withLock { $0.result = Result(tokens: tokens) }
    }
}

/// Tables that tell of each call before it happens.
struct InterruptedTables: VolatileStorage {
    let inner = MemoryTables()
    let second: SecondUse

    func table<Key: TableKey, Value: Codable & Sendable>(
        _ name: String, bounds: TableQuota, of _: Key.Type, _: Value.Type
    ) -> any VolatileTable<Key, Value> {
        InterruptedTable(inner: inner.table(name, bounds: bounds), second: second)
    }
}

private struct InterruptedTable<Key: TableKey, Value: Codable & Sendable>: VolatileTable {
    let inner: any VolatileTable<Key, Value>
    let second: SecondUse

    nonisolated(nonsending) func entry(for key: Key, now: WallTime) async throws(StorageError) -> TableEntry<Value>? {
        await second.call()
        return try await inner.entry(for: key, now: now)
    }

    nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, of owner: EntryOwner?, expires: WallTime, now: WallTime
    ) async throws -> Bool {
        await second.call()
        return try await inner.insert(value, for: key, of: owner, expires: expires, now: now)
    }

    nonisolated(nonsending) func take(_ key: Key, now: WallTime) async throws(StorageError) -> Value? {
        await second.call()
        return try await inner.take(key, now: now)
    }

    nonisolated(nonsending) func change<Result: Sendable>(
        _ key: Key, of owner: EntryOwner?, now: WallTime,
        _ body: @escaping @Sendable (inout TableEntry<Value>?) -> Result
    ) async throws -> Result {
        await second.call()
        return try await inner.change(key, of: owner, now: now, body)
    }

    func refusal(for owner: EntryOwner, now: WallTime) -> Refusal? { inner.refusal(for: owner, now: now) }

    func changes(of key: Key) -> AsyncStream<Void> { inner.changes(of: key) }

    nonisolated(nonsending) func values(now: WallTime) async throws(StorageError) -> [Value] {
        await second.call()
        return try await inner.values(now: now)
    }
}
