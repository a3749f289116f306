// SPDX-License-Identifier: Apache-2.0

import BackendValues
import GRDB
import MPinServer

extension BackendDatabase {
    func erase(userID: String) async throws(StorageError) -> ErasedUser {
        let erased = try await write { database in
            func delete(from table: String) throws -> Int {
                try database.execute(sql: "DELETE FROM \(table) WHERE userID = ?", arguments: [userID])
                return database.changesCount
            }
            return ErasedUser(identities: try delete(from: "identity"), registrations: try delete(from: "registration"))
        }
        // Deleted rows are overwritten in the database, and remain in its log until that is empty.
        do throws(StorageError) { try await emptyLog() } catch {
            throw StorageError(
                reason:
                    "the user is erased, and backend.sqlite-wal has older rows until the backend stops: \(error.reason)"
            )
        }
        return erased
    }
}
