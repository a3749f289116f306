// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Foundation
import GRDB

/// The SQLite file of the state directory. Server and management commands use it at the same time.
struct BackendDatabase: Sendable {
    private let pool: DatabasePool

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
            try Self.migrator.migrate(pool)
        } catch {
            throw .database(Self.fault(error).reason)
        }
    }

    /// Runs `body` on one state of the database.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StorageError) -> Value {
        do { return try await pool.read(body) } catch { throw Self.fault(error) }
    }

    /// Runs `body` in a transaction.
    /// - Parameter isOnDisk: whether the changes are on the disk when this returns. If not, a power cut may undo them.
    func write<Value: Sendable>(
        isOnDisk: Bool = true, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StorageError) -> Value {
        do {
            return try await pool.writeWithoutTransaction { database in
                // GRDB sets NORMAL.
                try database.execute(sql: "PRAGMA synchronous = \(isOnDisk ? "FULL" : "NORMAL")")
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

    /// Moves the whole write-ahead log into the database.
    func emptyLog() async throws(StorageError) {
        do { try await pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) } } catch {
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
        migrator.registerMigration("wrong PINs of thirty days") { database in
            try database.execute(
                sql: "ALTER TABLE identity ADD COLUMN recentFailures BLOB NOT NULL DEFAULT x''")
        }
        migrator.registerMigration("applications") { try $0.execute(sql: applicationTable) }
        migrator.registerMigration("mailed links") { try $0.execute(sql: mailedLinkTable) }
        migrator.registerMigration("personal cards") { database in
            try database.execute(
                sql: """
                    CREATE TABLE card (
                        mpinID BLOB PRIMARY KEY NOT NULL REFERENCES identity ON DELETE CASCADE, issued INTEGER NOT NULL,
                        ends INTEGER NOT NULL
                    )
                    """)
        }
        migrator.registerMigration("one row an identity") { database in
            for column in ["revoked", "cardIssued", "cardEnds", "claim", "claimEnds"] {
                try database.execute(sql: "ALTER TABLE identity ADD COLUMN \(column) INTEGER")
            }
            try database.execute(
                sql: """
                    UPDATE identity SET
                        revoked = (SELECT revoked FROM revocation WHERE revocation.mpinID = identity.mpinID),
                        cardIssued = (SELECT issued FROM card WHERE card.mpinID = identity.mpinID),
                        cardEnds = (SELECT ends FROM card WHERE card.mpinID = identity.mpinID);
                    DROP TABLE card;
                    DROP TABLE revocation;
                    CREATE INDEX identityRevoked ON identity (userID, registered, mpinID) WHERE revoked IS NOT NULL;
                    """)
        }
        migrator.registerMigration("addresses after a logout") { database in
            try database.execute(sql: "ALTER TABLE application ADD COLUMN postLogoutURIs TEXT NOT NULL DEFAULT ''")
        }
        return migrator
    }
}
