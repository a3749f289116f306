// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// Some of the identities and open registrations, as an operator looks for them. All are in one order: by user id, as
/// its bytes compare, then by time (of the registration, or of its end), then by mpin_id. A page begins behind the last
/// row of the one before it, so that rows that come or go meanwhile move none that stays.
struct UserQuery: Sendable, Equatable {
    /// How a user id is compared with ``text``.
    enum Match: String, Sendable, CaseIterable {
        /// Found by the index, however many there are.
        case beginning
        /// Every user id is looked at, in the index alone.
        case containing
    }

    enum Edge: Sendable, Equatable {
        case first
        case after(UserPosition)
        case before(UserPosition)
    }

    /// In the spelling of user ids; empty for all. No character of it stands for others.
    var text = ""
    var match = Match.beginning
    /// Nil for any.
    var status: BackendUser.Status?
    var edge = Edge.first
    /// How many at most, of each kind.
    var limit: Int

    /// All user ids that come into question are from here on, and before ``upperBound``.
    private var lowerBound: String { match == .beginning ? text : "" }
    /// No user id has that character, which is behind all others.
    private var upperBound: String { lowerBound + "\u{10FFFF}" }
    /// Where the way ends at the latest: before it forwards, with it backwards.
    var bound: String { isBackward ? lowerBound : upperBound }
    /// The text that each user id contains. Every text contains the empty one.
    var contained: String { match == .containing ? text : "" }

    var isBackward: Bool { if case .before = edge { true } else { false } }

    /// The row that the part begins behind, or ends before. It lies within the span that comes into question, so that
    /// an index needs no other beginning.
    var place: UserPosition {
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
    var includesIdentities: Bool { status.map { $0 != .unconfirmed && $0 != .confirmed } ?? true }
    var includesRegistrations: Bool { status.map { $0 == .unconfirmed || $0 == .confirmed } ?? true }
}

/// Where a row stands in that order.
struct UserPosition: Sendable, Hashable, Codable, Comparable {
    let userID: String
    let time: WallTime
    let mpinID: MPinID

    static func < (left: UserPosition, right: UserPosition) -> Bool {
        guard left.userID == right.userID else {
            return left.userID.utf8.lexicographicallyPrecedes(right.userID.utf8)
        }
        guard left.time == right.time else { return left.time < right.time }
        return left.mpinID.bytes.lexicographicallyPrecedes(right.mpinID.bytes)
    }
}

/// The rows that a query finds, in the order of its way. A backward query has the last row first.
struct UserPart: Sendable {
    var identities: [RegisteredIdentity] = []
    var registrations: [Registration] = []
}

/// How many there are in each state.
struct UserCounts: Sendable, Equatable {
    private(set) var counts: [BackendUser.Status: Int] = [:]

    init(identities: Int, blocked: Int, revoked: Int, unconfirmed: Int, confirmed: Int) {
        counts = [
            .registered: identities - blocked - revoked, .blocked: blocked, .revoked: revoked,
            .unconfirmed: unconfirmed, .confirmed: confirmed,
        ]
    }

    subscript(status: BackendUser.Status) -> Int { counts[status] ?? 0 }

    var total: Int { counts.values.reduce(0, +) }
}

/// Judged logins by verdict.
struct LoginCounts: Sendable, Equatable {
    var right: Int64 = 0
    var wrongPIN: Int64 = 0
    var blocked: Int64 = 0
    var unknown: Int64 = 0

    var isZero: Bool { self == LoginCounts() }
    /// Of a blocked identity, or of one that is not there any more.
    var refused: Int64 { blocked + unknown }
    var failures: Int64 { wrongPIN + refused }

    mutating func count(_ verdict: JudgedProof.Verdict) {
        switch verdict {
        case .right: right += 1
        case .wrongPIN: wrongPIN += 1
        case .blocked: blocked += 1
        case .unknown: unknown += 1
        case .elsewhere: break
        }
    }

    static func + (left: LoginCounts, right: LoginCounts) -> LoginCounts {
        LoginCounts(
            right: left.right + right.right, wrongPIN: left.wrongPIN + right.wrongPIN,
            blocked: left.blocked + right.blocked, unknown: left.unknown + right.unknown)
    }

    static func += (left: inout LoginCounts, right: LoginCounts) { left = left + right }
}

/// The logins of a day, by quarters of an hour.
struct LoginActivity: Sendable, Equatable {
    static let quarter = Duration.seconds(900)
    /// As many quarters are kept: 25 hours.
    static let kept: Int64 = 100

    /// The quarter that it is now by the storage's clock: how many there were since 1970.
    let present: Int64
    /// By number; those without a login are missing.
    let quarters: [Int64: LoginCounts]

    static func number(at time: WallTime) -> Int64 {
        time.milliseconds.flooredQuotient(by: quarter.wholeMilliseconds)
    }
}
