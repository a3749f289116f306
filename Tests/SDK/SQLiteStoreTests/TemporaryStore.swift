// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import KioskTestKit
import LoginValues
import MPinClient

@testable import SQLiteStore

/// A directory for a store, deleted with this object.
final class TemporaryStore {
    let root: String
    let location: StoreLocation

    /// - Parameter inMemory: whether writes need no disk, for tests that open a store a thousand times.
    init(inMemory: Bool = false) {
        let memory = URL(filePath: "/dev/shm")
        let isThere = inMemory && FileManager.default.isWritableFile(atPath: memory.path)
        root =
            (isThere ? memory : FileManager.default.temporaryDirectory).appending(
                path: "kiosk-store-\(UUID().uuidString)"
            ).path
        location = StoreLocation(directory: "\(root)/state", keyFile: "\(root)/keys/store.key")
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// Creates a directory that only this user can access, whatever the umask is.
    func makeDirectory(_ name: String = "") throws {
        for path in [root, "\(root)/\(name)"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
    }

    /// The bytes of every file of the store.
    var files: [String: Data] {
        let names = FileManager.default.subpaths(atPath: root) ?? []
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                (try? Data(contentsOf: URL(fileURLWithPath: "\(root)/\(name)"))).map { (name, $0) }
            })
    }

    /// Writes files that only this user can access.
    func write(_ files: [String: Data]) throws {
        for (name, data) in files {
            try data.write(to: URL(fileURLWithPath: "\(root)/\(name)"))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: "\(root)/\(name)")
        }
    }

    /// Converts the database to the version before numbers were sealed (2), or before there were numbers (1).
    func makeEarlier(version: Int) throws {
        let key = SecretBytes(copying: try Data(contentsOf: URL(fileURLWithPath: location.keyFile)))
        let (seal, earlier) = (RecordSeal(key: key), RecordSeal(key: key, version: 1))
        let queue = try open()
        try queue.write { db in
            for row in try StoredRow.all(db) {
                let sealed = row.record(seal).flatMap {
                    earlier.seal($0, context: SealContext.record(of: row.key, number: nil))
                }
                try db.execute(
                    sql: "UPDATE identity SET sealed = ? WHERE id = ?", arguments: [sealed.map { Data($0) }, row.id])
            }
            let header = try StoreHeader.load(seal, db)
            try StoreHeader.noteKey(earlier, db)
            try db.execute(sql: "DROP TABLE header; DELETE FROM grdb_migrations WHERE identifier LIKE '3:%'")
            if version == 1 {
                try db.execute(
                    sql: """
                        ALTER TABLE identity DROP COLUMN number;
                        DELETE FROM grdb_migrations WHERE identifier LIKE '2:%'
                        """)
            } else {
                try db.execute(
                    sql: """
                        CREATE TABLE numbering (id INTEGER PRIMARY KEY CHECK (id = 1), highest INTEGER NOT NULL) STRICT;
                        INSERT INTO numbering VALUES (1, \(header.highest))
                        """)
            }
        }
        try queue.close()
        try FileManager.default.removeItem(atPath: location.keyFile + ".counter")
    }

    /// The database, whose lock the previous store may still be releasing.
    private func open() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: location.database, configuration: configuration)
    }

    /// Changes the database behind the store's back.
    func change(_ sql: String, _ arguments: StatementArguments = []) throws {
        try open().write { try $0.execute(sql: sql, arguments: arguments) }
    }

    func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value { try open().read(body) }

    func save(_ identities: [StoredIdentity]) async throws {
        let store = try await reopened(location)
        for identity in identities { try await store.save(identity) }
    }

    /// This test program again with one test, which finds the words in an environment variable of this name.
    func child(_ test: String, _ variable: String, _ words: String = "") throws -> ChildProcess {
        var environment = ProcessInfo.processInfo.environment
        environment[variable] = root + words
        return try ChildProcess(
            "/proc/self/exe", ["--testing-library", "swift-testing", "--filter", test],
            environment: environment.map { "\($0.key)=\($0.value)" })
    }

    func mode(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
    }
}

func identity(
    _ userID: String, _ record: [UInt8], backend: String = "mpin.example.com", number: Int = 1
) -> StoredIdentity {
    StoredIdentity(
        key: IdentityKey(userID: userID, backend: backend), record: SecretBytes(copying: record), number: number)
}

/// Random numbers from a seed.
struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
}

/// Opens a store again once the previous one has released its lock, which its last reading may hold for a moment.
func reopened(_ location: StoreLocation) async throws -> SQLiteIdentityStorage {
    while true {
        do throws(StoreOpeningError) { return try SQLiteIdentityStorage(at: location) } catch {
            guard error.code == .inUse else { throw error }
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}

func openingError(_ location: StoreLocation, _ access: SQLiteIdentityStorage.Access = .exclusive) -> StoreOpeningError?
{
    do throws(StoreOpeningError) {
        _ = try SQLiteIdentityStorage(at: location, access)
        return nil
    } catch { return error }
}

func storageError(_ body: () async throws(IdentityStorageError) -> Void) async -> IdentityStorageError? {
    do throws(IdentityStorageError) {
        try await body()
        return nil
    } catch { return error }
}
