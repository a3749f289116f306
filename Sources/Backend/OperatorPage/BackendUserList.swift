// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinServer

/// A page of the list of identities and registrations.
struct BackendUserList: Sendable {
    /// Rows of a page, so that a page fits into the 64 KiB that the SDK's transport accepts.
    static let pageSize = 25

    let users: [BackendUser]
    /// The positions of the neighbouring pages; nil if there is none.
    let before: UserPosition?
    let after: UserPosition?
}

extension BackendState {
    /// The page at an edge. A page that would end before the first row becomes the first page.
    /// - Throws: `BackendError.database`.
    func users(_ search: UserSearch, at edge: UserQuery.Edge = .first) async throws(BackendError) -> BackendUserList {
        guard let text = search.text else { return BackendUserList(users: [], before: nil, after: nil) }
        let (now, size) = (clock.now, BackendUserList.pageSize)
        // One extra row shows whether there is a further page.
        let query = UserQuery(text: text, match: search.match, status: search.status, edge: edge, limit: size + 1)
        let part = try await attempt(try await storage.operators.users(query, now: now))
        var rows: [(user: BackendUser, place: UserPosition)] = part.identities.map { row in
            (BackendUser(row, now: now), UserPosition(userID: row.userID, time: row.registered, mpinID: row.mpinID))
        }
        rows += part.registrations.map { row in
            (BackendUser(row), UserPosition(userID: row.userID, time: row.expires, mpinID: row.mpinID))
        }
        rows.sort { query.isBackward ? $1.place < $0.place : $0.place < $1.place }
        let hasMore = rows.count > size
        if query.isBackward, !hasMore { return try await users(search) }
        let shown = query.isBackward ? rows.prefix(size).reversed() : Array(rows.prefix(size))
        let hasBefore = query.isBackward || edge != .first
        return BackendUserList(
            users: shown.map(\.user), before: hasBefore ? shown.first?.place : nil,
            after: query.isBackward || hasMore ? shown.last?.place : nil)
    }

    /// The identity on which an operator acts; nil when there is none.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    func user(_ userID: String, fingerprint: String) async throws(BackendError) -> BackendUser? {
        let selection = try Self.selection(userID, fingerprint)
        let found = try await attempt(try await storage.durable.identities(selection))
        return found.first.map { BackendUser($0, now: clock.now) }
    }

    /// The number of identities and registrations in each state.
    /// - Throws: `BackendError.database`.
    func userCounts() async throws(BackendError) -> UserCounts {
        try await attempt(try await storage.operators.userCounts(now: clock.now))
    }

    /// - Throws: `BackendError.database`.
    func activity() async throws(BackendError) -> LoginActivity {
        try await attempt(try await storage.operators.activity(now: clock.now))
    }
}
