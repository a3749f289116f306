// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Foundation
import GRDB
import MPinServer

/// The applications of operators, in SQLite.
extension BackendDatabase {
    static let applicationTable = """
        CREATE TABLE application (
            id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL UNIQUE, redirectURIs TEXT NOT NULL, secretDigest BLOB,
            added INTEGER NOT NULL
        )
        """

    func application(_ id: String) async throws(StorageError) -> RegisteredApplication? {
        try await read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM application WHERE id = ?", arguments: [id])
                .map { RegisteredApplication($0) }
        }
    }

    func applications() async throws(StorageError) -> [RegisteredApplication] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM application ORDER BY name")
                .map { RegisteredApplication($0) }
        }
    }

    func add(_ application: RegisteredApplication) async throws(StorageError) -> Bool {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO application (id, name, redirectURIs, secretDigest, added, postLogoutURIs)
                    SELECT ?, ?, ?, ?, ?, ?
                    WHERE (SELECT count(*) FROM application) < ? AND NOT EXISTS (
                        SELECT * FROM application WHERE name = ?)
                    """,
                arguments: [
                    application.id, application.name, RegisteredApplication.join(application.redirectURIs),
                    application.secretDigest.map { Data($0) }, application.added.milliseconds,
                    RegisteredApplication.join(application.postLogoutURIs), RegisteredApplication.capacity,
                    application.name,
                ])
            return database.changesCount > 0
        }
    }

    func removeApplication(_ id: String) async throws(StorageError) -> Bool {
        try await write { database in
            try database.execute(sql: "DELETE FROM application WHERE id = ?", arguments: [id])
            return database.changesCount > 0
        }
    }

    func replaceSecret(ofApplication id: String, with digest: [UInt8]) async throws(StorageError) -> Bool {
        let digest = Data(digest)
        return try await write { database in
            try database.execute(
                sql: "UPDATE application SET secretDigest = ? WHERE id = ? AND secretDigest IS NOT NULL",
                arguments: [digest, id])
            return database.changesCount > 0
        }
    }
}

extension RegisteredApplication {
    /// Separates addresses. No address contains it.
    static func join(_ addresses: [String]) -> String { addresses.joined(separator: "\n") }

    static func separateURIs(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    fileprivate init(_ row: Row) {
        self.init(
            id: row["id"], name: row["name"], redirectURIs: Self.separateURIs(row["redirectURIs"]),
            postLogoutURIs: Self.separateURIs(row["postLogoutURIs"]),
            secretDigest: (row["secretDigest"] as Data?).map { [UInt8]($0) },
            added: WallTime(milliseconds: row["added"]))
    }
}
