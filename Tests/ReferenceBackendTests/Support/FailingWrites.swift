// SPDX-License-Identifier: Apache-2.0

import GRDB

@testable import ReferenceBackend

/// Lets no identity of a running backend be written, as a full disk would: the database itself refuses.
struct FailingWrites: Sendable {
    private let database: DatabaseQueue

    init(_ state: TemporaryFolder) throws { database = try DatabaseQueue(path: state.path + "/backend.sqlite") }

    func begin() async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER failing BEFORE UPDATE ON identity
                    BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END
                    """)
        }
    }

    func end() async throws { try await database.write { try $0.execute(sql: "DROP TRIGGER failing") } }
}
