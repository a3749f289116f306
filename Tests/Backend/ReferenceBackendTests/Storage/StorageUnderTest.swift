// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import Foundation
import MPinCrypto
import Patience
import PostgreSQL
import PostgreSQLTestKit
import Sealing
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The storages that have to keep the contract.
enum StorageUnderTest: String, CaseIterable, Sendable {
    /// SQLite and the memory of the process.
    case embedded
    /// The same, where every key is digested and every value encoded, as they are where they leave the process.
    case encoded
    /// A server of its own, where it is installed.
    case postgreSQL

    static let allCases: [StorageUnderTest] =
        [.embedded, .encoded] + (PostgreSQLServer.isInstalled ? [.postgreSQL] : [])

    /// Those that several processes may share; of an embedded one the volatile part is its process's.
    static let shared = allCases.filter { $0 != .embedded }

    /// The storages of two processes.
    func openTwice(in state: TemporaryFolder) throws -> (BackendStorage, BackendStorage) {
        let first = try open(in: state)
        return (first, self == .postgreSQL ? try open(in: state) : first)
    }

    func open(in state: TemporaryFolder) throws -> BackendStorage {
        let directory = try StateDirectory(path: state.path)
        return switch self {
        case .embedded: try .embedded(in: directory)
        case .encoded: BackendStorage(try BackendDatabase(state: directory), volatile: EncodedTables())
        case .postgreSQL:
            // One folder, one schema: what opens it later finds the same.
            try .postgreSQL(
                at: PostgreSQLServer.shared.address,
                settings: Database.Settings(
                    schema: "test_" + Hexadecimal.text(Digest.sha256(Array(state.path.utf8))).prefix(16),
                    limit: .seconds(60)),
                credentials: AppCredentials(path: directory.file("credentials")))
        }
    }
}

/// The results of as many tasks at the same time.
func together<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for number in 0..<count { group.addTask { try await body(number) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}

/// Volatile tables that keep what a database would: digests of keys, and values as JSON.
final class EncodedTables: VolatileStorage {
    private let memory = MemoryTables()

    func table<Key: TableKey, Value: Codable & Sendable>(
        _ name: String, bounds: TableQuota, of _: Key.Type, _: Value.Type
    ) -> any VolatileTable<Key, Value> {
        EncodedTable(entries: memory.table(name, bounds: bounds))
    }
}

private struct EncodedTable<Key: TableKey, Value: Codable & Sendable>: VolatileTable {
    let entries: any VolatileTable<String, Data>

    private func digest(_ key: Key) -> String { Hexadecimal.text(Digest.sha256(key.bytes)) }

    private func decoded(_ entry: TableEntry<Data>) throws -> TableEntry<Value> {
        let value = try JSONDecoder().decode([Value].self, from: entry.value)[0]
        return TableEntry(value: value, expires: entry.expires, owner: entry.owner)
    }

    private func encoded(_ value: Value) throws -> Data { try JSONEncoder().encode([value]) }

    nonisolated(nonsending) func entry(for key: Key, now: WallTime) async throws(StorageError) -> TableEntry<Value>? {
        guard let entry = try await entries.entry(for: digest(key), now: now) else { return nil }
        do { return try decoded(entry) } catch { throw StorageError(reason: "\(error)") }
    }

    nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, of owner: EntryOwner?, expires: WallTime, now: WallTime
    ) async throws -> Bool {
        try await entries.insert(try encoded(value), for: digest(key), of: owner, expires: expires, now: now)
    }

    nonisolated(nonsending) func take(_ key: Key, now: WallTime) async throws(StorageError) -> Value? {
        guard let data = try await entries.take(digest(key), now: now) else { return nil }
        do { return try JSONDecoder().decode([Value].self, from: data)[0] } catch {
            throw StorageError(reason: "\(error)")
        }
    }

    nonisolated(nonsending) func change<Result: Sendable>(
        _ key: Key, of owner: EntryOwner?, now: WallTime,
        _ body: @escaping @Sendable (inout TableEntry<Value>?) -> Result
    ) async throws -> Result {
        let result = try await entries.change(digest(key), of: owner, now: now) {
            entry -> Swift.Result<Result, StorageError> in
            do {
                var known = try entry.map { try decoded($0) }
                let result = body(&known)
                entry = try known.map {
                    TableEntry(value: try encoded($0.value), expires: $0.expires, owner: $0.owner)
                }
                return .success(result)
            } catch {
                return .failure(StorageError(reason: "\(error)"))
            }
        }
        return try result.get()
    }

    func refusal(for owner: EntryOwner, now: WallTime) -> Refusal? { entries.refusal(for: owner, now: now) }

    func changes(of key: Key) -> AsyncStream<Void> { entries.changes(of: digest(key)) }

    nonisolated(nonsending) func values(now: WallTime) async throws(StorageError) -> [Value] {
        let all = try await entries.values(now: now)
        do { return try all.map { try JSONDecoder().decode([Value].self, from: $0)[0] } } catch {
            throw StorageError(reason: "\(error)")
        }
    }
}
