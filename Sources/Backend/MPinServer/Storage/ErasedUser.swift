// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// Numbers of a user's rows that an erasure deleted.
package struct ErasedUser: Sendable, Equatable {
    package let identities: Int
    /// Open registrations of the classic dialects, including expired ones.
    package let registrations: Int

    package init(identities: Int, registrations: Int) {
        self.identities = identities
        self.registrations = registrations
    }
}

extension BackendState {
    /// Deletes everything that the storage keeps about `userID`. A device of the user is then unknown, as one that never
    /// registered. The user can register again.
    /// - Parameter userID: in any spelling.
    /// - Returns: the user id in its one spelling, and the numbers of deleted rows.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    package func erase(userID: String) async throws(BackendError) -> (userID: String, rows: ErasedUser) {
        let userID = try Self.selection(userID, nil).userID
        let rows = try await attempt(try await storage.durable.erase(userID: userID))
        return (userID, rows)
    }
}
