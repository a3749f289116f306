// SPDX-License-Identifier: Apache-2.0

import GRDB

@testable import ReferenceBackend

/// Lets no identity of a running backend be written, as a full disk would: the database itself refuses.
struct FailingWrites: Sendable {
    private let database: DatabaseQueue
    /// The statement that fails.
    private let statement: String

    init(_ state: TemporaryFolder, statement: String = "UPDATE ON identity") throws {
        database = try DatabaseQueue(path: state.path + "/backend.sqlite")
        self.statement = statement
    }

    func begin() async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER failing BEFORE \(statement)
                    BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END
                    """)
        }
    }

    func end() async throws { try await database.write { try $0.execute(sql: "DROP TRIGGER failing") } }
}
