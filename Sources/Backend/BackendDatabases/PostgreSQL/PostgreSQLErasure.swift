// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinServer
import PostgreSQL

extension PostgreSQLDurable {
    private static let eraseIdentities = Statement("DELETE FROM identity WHERE user_id = $1 RETURNING mpin_id")
    private static let eraseRegistrations = Statement("DELETE FROM registration WHERE user_id = $1 RETURNING mpin_id")
    /// Sessions, tokens and codes of the user.
    private static let eraseEntries = Statement("DELETE FROM entry WHERE owner = $1")

    func erase(userID: String) async throws(StorageError) -> ErasedUser {
        let calls = [
            Call(Self.eraseIdentities, .text(userID)), Call(Self.eraseRegistrations, .text(userID)),
            Call(Self.eraseEntries, .text(EntryOwner.person(userID).stored)),
        ]
        return try await database.answers(to: calls) { answers in
            ErasedUser(identities: answers[0].count, registrations: answers[1].count)
        }
    }
}
