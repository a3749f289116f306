// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Synchronization

/// The SQLite file of the state directory. Server and management commands use it at the same time.
struct BackendDatabase: Sendable {
    private let pool: DatabasePool
    /// A connection for what takes less time than another thread takes to wake up, on the calling thread. It never waits
    /// for the disk, nor for another connection.
    private let quick: DatabaseQueue
    private let checkpoints = Checkpoints()

    /// Opens `backend.sqlite` and brings its tables up to date.
    /// - Throws: `BackendError.file`, `.database`.
    init(state: StateDirectory) throws(BackendError) {
        let path = state.file("backend.sqlite")
        // SQLite gives its journal the permissions of the database, so the file is made before SQLite can.
        if try !StateDirectory.has(path) { try StateDirectory.create(path, content: []) }
        var configuration = Configuration()
        configuration.label = "backend"
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        do {
            pool = try DatabasePool(path: path, configuration: configuration)
            // GRDB sets NORMAL when it turns the write-ahead log on, after `prepareDatabase`. A power cut must not undo
            // a counted failure. There is one connection of the pool that writes, as long as it lives.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try Self.migrator.migrate(pool)
            configuration.prepareDatabase {
                try $0.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0")
            }
            // Opening waits for a command that closes the database in this moment; nothing does after that.
            quick = try DatabaseQueue(path: path, configuration: configuration)
            try quick.inDatabase { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
        } catch {
            throw .database(Self.fault(error).reason)
        }
    }

    /// One state of the database for all of `body`.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StorageError) -> Value {
        do { return try await pool.read(body) } catch { throw Self.fault(error) }
    }

    /// Reads with one statement, on the calling thread: thanks to the write-ahead log a reader does not wait for the
    /// writer.
    func lookUp<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
        do {
            return try quick.unsafeRead(body)
        } catch let error where Self.isBusy(error) {
            // Another process puts the log in order, as after a crash.
            do { return try pool.unsafeRead(body) } catch { throw Self.fault(error) }
        } catch {
            throw Self.fault(error)
        }
    }

    /// All of `body` or nothing; it is on the disk at the end.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StorageError) -> Value {
        do {
            return try await pool.writeWithoutTransaction { try Self.transaction($0, body) }
        } catch {
            throw Self.fault(error)
        }
    }

    /// All of `body` or nothing; it is with the system at the end, so that a power cut may undo it. A disk that is full
    /// or takes no writes is noticed all the same. Where another connection writes, this waits beside the calling thread.
    func writeQuickly<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StorageError) -> Value {
        // A checkpoint begins the log anew where nothing was added meanwhile: what comes then waits behind it.
        guard !checkpoints.isUnderWay, let value = try tryToWrite(body) else { return try await write(body) }
        if checkpoints.noteWrite() {
            // It reads and writes much, so the pool's writer does it.
            pool.asyncWriteWithoutTransaction { [checkpoints] database in
                // What it could not do now, the next one does.
                _ = try? database.checkpoint(.passive)
                checkpoints.end()
            }
        }
        return value
    }

    /// - Returns: nil when another connection writes.
    private func tryToWrite<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value? {
        do {
            return try quick.writeWithoutTransaction { try Self.transaction($0, body) }
        } catch let error where Self.isBusy(error) {
            return nil
        } catch {
            throw Self.fault(error)
        }
    }

    private static func transaction<Value>(_ database: Database, _ body: (Database) throws -> Value) throws -> Value {
        var value: Value?
        try database.inTransaction(.immediate) {
            value = try body(database)
            return .commit
        }
        guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return value
    }

    private static func isBusy(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
    }

    /// SQLite's message without statement and arguments.
    private static func fault(_ error: any Error) -> StorageError {
        guard let error = error as? DatabaseError else { return StorageError(reason: "unexpected error") }
        return StorageError(reason: error.message ?? "result code \(error.resultCode.rawValue)")
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("first") { database in
            try database.execute(
                sql: """
                    CREATE TABLE registration (
                        mpinID BLOB PRIMARY KEY NOT NULL, userID TEXT NOT NULL, mobile INTEGER NOT NULL,
                        regOTTDigest BLOB NOT NULL, activateKeyDigest BLOB NOT NULL, active INTEGER NOT NULL,
                        expires INTEGER NOT NULL
                    );
                    CREATE INDEX registrationByExpiry ON registration (expires);
                    CREATE TABLE identity (
                        mpinID BLOB PRIMARY KEY NOT NULL, userID TEXT NOT NULL, registered INTEGER NOT NULL,
                        failures INTEGER NOT NULL, lastFailure INTEGER
                    );
                    CREATE INDEX identityByUser ON identity (userID);
                    CREATE TABLE revocation (mpinID BLOB PRIMARY KEY NOT NULL, revoked INTEGER NOT NULL);
                    """)
        }
        migrator.registerMigration("designated verifier") { database in
            try database.execute(
                sql: """
                    ALTER TABLE identity ADD COLUMN publicKey BLOB;
                    ALTER TABLE identity ADD COLUMN needsRenewal INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE identity ADD COLUMN replaces BLOB;
                    """)
        }
        migrator.registerMigration("key after key") { database in
            try database.execute(sql: "ALTER TABLE identity ADD COLUMN nextPublicKey BLOB")
        }
        migrator.registerMigration("verdicts") { database in
            try database.execute(
                sql: """
                    ALTER TABLE identity ADD COLUMN begunForgotten INTEGER;
                    ALTER TABLE identity ADD COLUMN verdicts INTEGER NOT NULL DEFAULT 0;
                    """)
        }
        migrator.registerMigration("one spelling of a user id") { database in
            for table in ["registration", "identity"] {
                for row in try Row.fetchAll(database, sql: "SELECT mpinID, userID FROM \(table)") {
                    let text: String = row["userID"]
                    try database.execute(
                        sql: "UPDATE \(table) SET userID = ? WHERE mpinID = ?",
                        arguments: [UserID(storedByOlderVersion: text).text, row["mpinID"] as Data])
                }
            }
        }
        migrator.registerMigration("server secret") { database in
            try database.execute(sql: "CREATE TABLE serverSecret (digest BLOB NOT NULL)")
        }
        migrator.registerMigration("what operators look at") { database in
            try database.execute(
                sql: """
                    ALTER TABLE identity ADD COLUMN lastLogin INTEGER;
                    DROP INDEX identityByUser;
                    CREATE INDEX identityByUser ON identity (userID, registered, mpinID);
                    CREATE INDEX identityBlocked ON identity (userID, registered, mpinID) WHERE failures >= 3;
                    CREATE TABLE tally (
                        quarter INTEGER PRIMARY KEY NOT NULL, rightPIN INTEGER NOT NULL, wrongPIN INTEGER NOT NULL,
                        blocked INTEGER NOT NULL, unknown INTEGER NOT NULL
                    );
                    """)
        }
        migrator.registerMigration("wrong PINs of thirty days") { database in
            try database.execute(
                sql: "ALTER TABLE identity ADD COLUMN recentFailures BLOB NOT NULL DEFAULT x''")
        }
        migrator.registerMigration("applications") { try $0.execute(sql: applicationTable) }
        migrator.registerMigration("mailed links") { try $0.execute(sql: mailedLinkTable) }
        migrator.registerMigration("personal cards") { try $0.execute(sql: cardTable) }
        return migrator
    }
}

/// When the write-ahead log is brought back into the file: otherwise it would grow as long as only the quick connection
/// writes.
private final class Checkpoints: Sendable {
    /// About as many pages as SQLite itself lets come together, at some four for a verdict.
    private static let interval = 256

    private struct State {
        var writes = 0
        var isUnderWay = false
    }

    private let state = Mutex(State())

    /// Counts a write.
    /// - Returns: whether a checkpoint is to begin, which `end` ends.
    func noteWrite() -> Bool {
        state.withLock { state in
            state.writes += 1
            guard state.writes >= Self.interval, !state.isUnderWay else { return false }
            state = State(writes: 0, isUnderWay: true)
            return true
        }
    }

    var isUnderWay: Bool { state.withLock { $0.isUnderWay } }

    func end() { state.withLock { $0.isUnderWay = false } }
}
