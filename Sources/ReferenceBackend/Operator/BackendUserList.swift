// SPDX-License-Identifier: Apache-2.0

/// One page of all who are registered or are about to be.
struct BackendUserList: Sendable {
    static let pageSize = 50

    struct Part: Sendable {
        let users: [BackendUser]
        /// On all pages.
        let total: Int
    }

    /// From 1 on.
    let page: Int
    let identities: Part
    let registrations: Part

    /// At least one.
    var pages: Int {
        max(1, (max(identities.total, registrations.total) + Self.pageSize - 1) / Self.pageSize)
    }
}

extension BackendState {
    /// - Parameter page: from 1 on; one behind the last is empty.
    /// - Throws: `BackendError.database`.
    func users(page: Int) async throws(BackendError) -> BackendUserList {
        let size = BackendUserList.pageSize
        let listing = try await listing(ListingPart(limit: size, offset: (page - 1) * size))
        return BackendUserList(
            page: page,
            identities: BackendUserList.Part(
                users: listing.identities.map { BackendUser($0.identity, isRevoked: $0.isRevoked) },
                total: listing.identityCount),
            registrations: BackendUserList.Part(
                users: listing.registrations.map { BackendUser($0) }, total: listing.registrationCount))
    }
}
