// SPDX-License-Identifier: Apache-2.0

/// One page of everybody who is registered or is about to be.
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
