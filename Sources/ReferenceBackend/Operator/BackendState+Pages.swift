// SPDX-License-Identifier: Apache-2.0

import GRDB

extension BackendState {
    /// - Parameter page: from 1 on; one behind the last is empty.
    /// - Throws: `BackendError.database`.
    func users(page: Int) async throws(BackendError) -> BackendUserList {
        let now = clock.now
        let (limit, offset) = (BackendUserList.pageSize, (page - 1) * BackendUserList.pageSize)
        return try await attempt {
            try await database.read { database in
                let identities = try RegisteredIdentity.page(limit: limit, offset: offset, in: database).map {
                    identity in
                    BackendUser(identity, isRevoked: try Revocation.contains(identity.mpinID, in: database))
                }
                let registrations = try Registration.page(limit: limit, offset: offset, in: database, now: now)
                return BackendUserList(
                    page: page,
                    identities: BackendUserList.Part(
                        users: identities, total: try RegisteredIdentity.fetchCount(database)),
                    registrations: BackendUserList.Part(
                        users: registrations.map { BackendUser($0) },
                        total: try Registration.count(in: database, now: now)))
            }
        }
    }
}
