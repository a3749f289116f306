// SPDX-License-Identifier: Apache-2.0

package import MPinCrypto

/// Some of the identities and open registrations, as an operator looks for them. All are in one order: by user id, as
/// its bytes compare, then by time (of the registration, or of its end), then by mpin_id. A page begins behind the last
/// row of the one before it, so that rows that come or go meanwhile move none that stays.
package struct UserQuery: Sendable, Equatable {
    /// How a user id is compared with ``text``.
    package enum Match: String, Sendable, CaseIterable {
        /// Found by the index, however many there are.
        case beginning
        /// Every user id is looked at, in the index alone.
        case containing
    }

    package enum Edge: Sendable, Equatable {
        case first
        case after(UserPosition)
        case before(UserPosition)
    }

    /// In the spelling of user ids; empty for all. No character of it stands for others.
    var text = ""
    var match = Match.beginning
    /// Nil for any.
    package var status: BackendUser.Status?
    var edge = Edge.first
    /// How many at most, of each kind.
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

    /// All user ids that come into question are from here on, and before ``upperBound``.
    private var lowerBound: String { match == .beginning ? text : "" }
    /// No user id has that character, which is behind all others.
    private var upperBound: String { lowerBound + "\u{10FFFF}" }
    /// Where the way ends at the latest: before it forwards, with it backwards.
    package var bound: String { isBackward ? lowerBound : upperBound }
    /// The text that each user id contains. Every text contains the empty one.
    package var contained: String { match == .containing ? text : "" }

    package var isBackward: Bool { if case .before = edge { true } else { false } }

    /// The row that the part begins behind, or ends before. It lies within the span that comes into question, so that
    /// an index needs no other beginning.
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

    /// Whether identities, or open registrations, may have the state that is asked for.
    package var includesIdentities: Bool { status.map { $0 != .unconfirmed && $0 != .confirmed } ?? true }
    package var includesRegistrations: Bool { status.map { $0 == .unconfirmed || $0 == .confirmed } ?? true }
}

/// Where a row stands in that order.
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

/// The rows that a query finds, in the order of its way. A backward query has the last row first.
package struct UserPart: Sendable {
    package var identities: [RegisteredIdentity] = []
    package var registrations: [Registration] = []

    package init(identities: [RegisteredIdentity] = [], registrations: [Registration] = []) {
        self.identities = identities
        self.registrations = registrations
    }
}

/// How many there are in each state.
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

/// Judged logins by verdict.
package struct LoginCounts: Sendable, Equatable {
    package var right: Int64 = 0
    package var wrongPIN: Int64 = 0
    package var blocked: Int64 = 0
    package var unknown: Int64 = 0

    package init(right: Int64 = 0, wrongPIN: Int64 = 0, blocked: Int64 = 0, unknown: Int64 = 0) {
        self.right = right
        self.wrongPIN = wrongPIN
        self.blocked = blocked
        self.unknown = unknown
    }

    package var isZero: Bool { self == LoginCounts() }
    /// Of a blocked identity, or of one that is not there any more.
    package var refused: Int64 { blocked + unknown }
    var failures: Int64 { wrongPIN + refused }

    package mutating func count(_ verdict: JudgedProof.Verdict) {
        switch verdict {
        case .right: right += 1
        case .wrongPIN: wrongPIN += 1
        case .blocked: blocked += 1
        case .unknown: unknown += 1
        case .elsewhere: break
        }
    }

    package static func + (left: LoginCounts, right: LoginCounts) -> LoginCounts {
        LoginCounts(
            right: left.right + right.right, wrongPIN: left.wrongPIN + right.wrongPIN,
            blocked: left.blocked + right.blocked, unknown: left.unknown + right.unknown)
    }

    package static func += (left: inout LoginCounts, right: LoginCounts) { left = left + right }
}

/// The logins of a day, by quarters of an hour.
package struct LoginActivity: Sendable, Equatable {
    package static let quarter = Duration.seconds(900)
    /// As many quarters are kept: 25 hours.
    package static let kept: Int64 = 100

    /// The quarter that it is now by the storage's clock: how many there were since 1970.
    package let present: Int64
    /// By number; those without a login are missing.
    package let quarters: [Int64: LoginCounts]

    package init(present: Int64, quarters: [Int64: LoginCounts]) {
        self.present = present
        self.quarters = quarters
    }

    package static func number(at time: WallTime) -> Int64 {
        time.milliseconds.flooredQuotient(by: quarter.wholeMilliseconds)
    }
}
