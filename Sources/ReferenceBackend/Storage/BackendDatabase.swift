// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Synchronization

/// The SQLite file of the state directory. Server and management commands use it at the same time.
struct BackendDatabase: Sendable {
    private let pool: DatabasePool
    /// A connection for single statements alone: to borrow one of the pool takes longer than to find a row.
    private let reader: DatabaseQueue
    private let synchrony = Synchrony()

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
            // a counted failure. There is one connection that writes, as long as the pool lives.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try Self.migrator.migrate(pool)
            configuration.readonly = true
            reader = try DatabaseQueue(path: path, configuration: configuration)
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

    /// Reads with one statement, on the calling thread: a row is found in less time than another thread takes to wake
    /// up, and thanks to the write-ahead log a reader does not wait for the writer.
    func lookUp<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
        do { return try reader.unsafeRead(body) } catch { throw Self.fault(error) }
    }

    /// All of `body` or nothing.
    /// - Parameter survivesPowerCut: whether it is on the disk at the end, and not only with the system. A disk that is
    ///   full or takes no writes is noticed either way.
    func write<Value: Sendable>(
        survivesPowerCut: Bool = true, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StorageError) -> Value {
        let synchrony = synchrony
        do {
            return try await pool.writeWithoutTransaction { database in
                try synchrony.set(isFull: survivesPowerCut, of: database)
                var value: Value?
                try database.inTransaction(.immediate) {
                    value = try body(database)
                    return .commit
                }
                guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
                return value
            }
        } catch {
            throw Self.fault(error)
        }
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
        return migrator
    }
}

/// What the connection that writes waits for. It is said only where it changes: most writes are right verdicts.
private final class Synchrony: Sendable {
    private let isFull = Mutex(true)

    func set(isFull wanted: Bool, of database: Database) throws {
        guard isFull.withLock({ $0 }) != wanted else { return }
        try database.execute(sql: "PRAGMA synchronous = \(wanted ? "FULL" : "NORMAL")")
        isFull.withLock { $0 = wanted }
    }
}
