// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import GRDB
import Patience

@testable import ReferenceBackend

/// Makes writes of identities fail in a running backend's database, as on a full disk.
struct FailingWrites: Sendable {
    private let database: DatabaseQueue
    /// The failing statement.
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
