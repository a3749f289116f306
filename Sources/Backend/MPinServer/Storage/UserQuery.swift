// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import MPinCrypto

/// An operator's search for identities and open registrations. Both are in one order: by the bytes of the user id, by
/// time (of the registration, or of its end), and by mpin_id. A page begins after the last row of the previous page, so
/// that rows that are added or removed meanwhile move no other row.
package struct UserQuery: Sendable, Equatable {
    /// The comparison of a user id with ``text``.
    package enum Match: String, Sendable, CaseIterable {
        /// Uses the index.
        case beginning
        /// Reads every user id in the index.
        case containing
    }

    package enum Edge: Sendable, Equatable {
        case first
        case after(UserPosition)
        case before(UserPosition)
    }

    /// In the spelling of user ids, without wildcards; empty for all.
    var text = ""
    var match = Match.beginning
    /// The state; nil for any.
    package var status: BackendUser.Status?
    var edge = Edge.first
    /// The largest number of rows of each kind.
    package var limit: Int

    package init(
        text: String = "", match: Match = .beginning, status: BackendUser.Status? = nil, edge: Edge = .first,
        limit: Int
    ) {
        self.text = text
        self.match = match
        self.status = status
        self.edge = edge
        self.limit = limit
    }

    /// The first user id that may match. All are before ``upperBound``.
    private var lowerBound: String { match == .beginning ? text : "" }
    /// Ends with a character that no user id has and that is greater than all others.
    private var upperBound: String { lowerBound + "\u{10FFFF}" }
    /// The end of the search: exclusive when it goes forward, inclusive when it goes backward.
    package var bound: String { isBackward ? lowerBound : upperBound }
    /// The text that each user id contains. Every text contains the empty one.
    package var contained: String { match == .containing ? text : "" }

    package var isBackward: Bool { if case .before = edge { true } else { false } }

    /// The row after which the part begins, or before which it ends. It is within the searched span, so an index needs
    /// no other start.
    package var place: UserPosition {
        func start(_ userID: String) -> UserPosition {
            UserPosition(userID: userID, time: WallTime(milliseconds: .min), mpinID: MPinID([]))
        }
        return switch edge {
        case .first: start(lowerBound)
        case .after(let place): max(place, start(lowerBound))
        case .before(let place): min(place, start(upperBound))
        }
    }

    /// Whether identities, or open registrations, can have the requested state.
    package var includesIdentities: Bool { status.map { $0 != .unconfirmed && $0 != .confirmed } ?? true }
    package var includesRegistrations: Bool { status.map { $0 == .unconfirmed || $0 == .confirmed } ?? true }
}

/// The position of a row in that order.
package struct UserPosition: Sendable, Hashable, Codable, Comparable {
    package let userID: String
    package let time: WallTime
    package let mpinID: MPinID

    package init(userID: String, time: WallTime, mpinID: MPinID) {
        self.userID = userID
        self.time = time
        self.mpinID = mpinID
    }

    package static func < (left: UserPosition, right: UserPosition) -> Bool {
        guard left.userID == right.userID else {
            return left.userID.utf8.lexicographicallyPrecedes(right.userID.utf8)
        }
        guard left.time == right.time else { return left.time < right.time }
        return left.mpinID.bytes.lexicographicallyPrecedes(right.mpinID.bytes)
    }
}

/// The rows of a query. A backward query has the last row first.
package struct UserPart: Sendable {
    package var identities: [RegisteredIdentity] = []
    package var registrations: [Registration] = []

    package init(identities: [RegisteredIdentity] = [], registrations: [Registration] = []) {
        self.identities = identities
        self.registrations = registrations
    }
}

/// Number of identities and registrations in each state.
package struct UserCounts: Sendable, Equatable {
    package private(set) var counts: [BackendUser.Status: Int] = [:]

    package init(identities: Int, blocked: Int, revoked: Int, unconfirmed: Int, confirmed: Int) {
        counts = [
            .registered: identities - blocked - revoked, .blocked: blocked, .revoked: revoked,
            .unconfirmed: unconfirmed, .confirmed: confirmed,
        ]
    }

    package subscript(status: BackendUser.Status) -> Int { counts[status] ?? 0 }

    package var total: Int { counts.values.reduce(0, +) }
}
