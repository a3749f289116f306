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

/// An operator's search.
struct UserSearch: Sendable, Equatable {
    /// The typed text, cut to ``longest``.
    let typed: String
    let match: UserQuery.Match
    let status: BackendUser.Status?
    /// The text normalised like user ids; nil if no user id can contain it.
    let text: String?

    /// In characters. User ids have 255 bytes at most.
    static let longest = 255

    init(_ typed: String = "", match: UserQuery.Match = .beginning, status: BackendUser.Status? = nil) {
        self.typed = String(typed.unicodeScalars.prefix(Self.longest))
        self.match = match
        self.status = status
        let words = self.typed.unicodeScalars.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        let text = UserID.normalized(String(String.UnicodeScalarView(words)))
        let canBeFound =
            typed.utf8.count <= 4 * Self.longest && text.utf8.count <= UserID.maximumLength
            && !text.unicodeScalars.contains { $0 != " " && UserID.isInvisible($0) }
        self.text = canBeFound ? text : nil
    }
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
        let found =
            part.identities.map { row in
                (BackendUser(row, now: now), UserPosition(userID: row.userID, time: row.registered, mpinID: row.mpinID))
            }
            + part.registrations.map { row in
                (BackendUser(row), UserPosition(userID: row.userID, time: row.expires, mpinID: row.mpinID))
            }
        let rows = found.sorted { query.isBackward ? $1.1 < $0.1 : $0.1 < $1.1 }
        let hasMore = rows.count > size
        if query.isBackward, !hasMore { return try await users(search) }
        let shown = query.isBackward ? rows.prefix(size).reversed() : Array(rows.prefix(size))
        let hasBefore = query.isBackward || edge != .first
        return BackendUserList(
            users: shown.map(\.0), before: hasBefore ? shown.first?.1 : nil,
            after: query.isBackward || hasMore ? shown.last?.1 : nil)
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
