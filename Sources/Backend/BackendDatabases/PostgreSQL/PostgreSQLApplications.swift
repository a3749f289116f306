// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinServer
import PostgreSQL

/// The applications of operators, in PostgreSQL.
extension PostgreSQLDurable {
    private static let columns = "id, name, redirect_uris, secret_digest, added, post_logout_uris"
    private static let findApplication = Statement("SELECT \(columns) FROM application WHERE id = $1")
    private static let allApplications = Statement("SELECT \(columns) FROM application ORDER BY name")
    /// The first application with a name stays. Two additions at the same moment may exceed the bound by one.
    private static let addApplication = Statement(
        """
        INSERT INTO application (\(columns)) SELECT $1, $2, $3, $4, $5, $6
        WHERE (SELECT count(*) FROM application) < $7 ON CONFLICT (name) DO NOTHING RETURNING id
        """)
    private static let removeApplication = Statement("DELETE FROM application WHERE id = $1 RETURNING id")
    private static let replaceSecret = Statement(
        "UPDATE application SET secret_digest = $2 WHERE id = $1 AND secret_digest IS NOT NULL RETURNING id")

    func application(_ id: String) async throws(StorageError) -> RegisteredApplication? {
        try await database.answer(to: Call(Self.findApplication, .text(id))) { rows throws(DatabaseFault) in
            try rows.applications().first
        }
    }

    func applications() async throws(StorageError) -> [RegisteredApplication] {
        try await database.answer(to: Call(Self.allApplications)) { rows throws(DatabaseFault) in
            try rows.applications()
        }
    }

    func add(_ application: RegisteredApplication) async throws(StorageError) -> Bool {
        let call = Call(
            Self.addApplication, .text(application.id), .text(application.name),
            .text(RegisteredApplication.join(application.redirectURIs)), .bytes(application.secretDigest),
            .time(application.added), .text(RegisteredApplication.join(application.postLogoutURIs)),
            .integer(Int64(RegisteredApplication.capacity)))
        return try await database.answer(to: call) { !$0.isEmpty }
    }

    func removeApplication(_ id: String) async throws(StorageError) -> Bool {
        try await database.answer(to: Call(Self.removeApplication, .text(id))) { !$0.isEmpty }
    }

    func replaceSecret(ofApplication id: String, with digest: [UInt8]) async throws(StorageError) -> Bool {
        try await database.answer(to: Call(Self.replaceSecret, .text(id), .bytes(digest))) { !$0.isEmpty }
    }
}

extension Rows {
    fileprivate func applications() throws(DatabaseFault) -> [RegisteredApplication] {
        try map { row throws(DatabaseFault) in
            RegisteredApplication(
                id: try text(row, 0), name: try text(row, 1),
                redirectURIs: RegisteredApplication.separateURIs(try text(row, 2)),
                postLogoutURIs: RegisteredApplication.separateURIs(try text(row, 5)), secretDigest: bytesIfAny(row, 3),
                added: try time(row, 4))
        }
    }
}
