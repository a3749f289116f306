// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import MPinServer

/// The part of the list that a page shows, as its address describes it.
struct OperatorView: Sendable, Equatable {
    /// An edge with its sealed position.
    enum Edge: Sendable, Equatable {
        case after(String)
        case before(String)
    }

    var search = UserSearch()
    /// Nil for the first page.
    var edge: Edge?

    init(search: UserSearch = UserSearch(), edge: Edge? = nil) { (self.search, self.edge) = (search, edge) }

    /// Reads an address and ignores invalid parts.
    init(_ fields: FormFields) {
        search = UserSearch(
            fields["q"] ?? "", match: fields["match"].flatMap { UserQuery.Match(rawValue: $0) } ?? .beginning,
            status: fields["state"].flatMap { BackendUser.Status(rawValue: $0) })
        edge = fields["after"].map { .after($0) } ?? fields["before"].map { .before($0) }
    }

    var query: String { FormFields.text(fields) }

    /// The address, which needs only ampersands escaped in quoted attribute values.
    var address: String { Self.address(OperatorPages.path, fields) }

    func question(about user: BackendUser) -> String {
        Self.address(
            OperatorPages.path + "/revoke", [("user", user.userID), ("identity", user.fingerprint)] + fields)
    }

    private static func address(_ path: String, _ fields: [(name: String, value: String)]) -> String {
        HTMLText.escaped(fields.isEmpty ? path : path + "?" + FormFields.text(fields))
    }

    private var fields: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if !search.typed.isEmpty { fields.append(("q", search.typed)) }
        if search.match != .beginning { fields.append(("match", search.match.rawValue)) }
        if let status = search.status { fields.append(("state", status.rawValue)) }
        switch edge {
        case .after(let place): fields.append(("after", place))
        case .before(let place): fields.append(("before", place))
        case nil: break
        }
        return fields
    }
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
