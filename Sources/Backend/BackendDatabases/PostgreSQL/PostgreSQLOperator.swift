// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto
import MPinServer
import PostgreSQL

/// The lists and counts that operators look at, in PostgreSQL.
extension PostgreSQLDurable: OperatorStorage {
    /// Uses the server's clock, not that of a process.
    private static let present = "floor(extract(epoch FROM clock_timestamp()) / 900)::bigint"
    private static let addTally = Statement(
        """
        INSERT INTO tally VALUES (\(present), $1, $2, $3, $4)
        ON CONFLICT (quarter) DO UPDATE SET right_pin = tally.right_pin + $1, wrong_pin = tally.wrong_pin + $2,
            blocked = tally.blocked + $3, unknown = tally.unknown + $4
        """)
    /// Quarters in the future were counted while the clock was wrong.
    private static let dropOldTally = Statement(
        """
        DELETE FROM tally WHERE quarter IN (
            SELECT quarter FROM tally WHERE quarter <= \(present) - $1 OR quarter > \(present) + 1
            FOR UPDATE SKIP LOCKED)
        """)
    private static let presentQuarter = Statement("SELECT \(present)")
    private static let tally = Statement(
        """
        SELECT quarter, right_pin, wrong_pin, blocked, unknown FROM tally
        WHERE quarter > \(present) - $1 AND quarter <= \(present)
        """)
    private static let isBlocked = "failures >= \(RegisteredIdentity.maximumFailures)"
    private static let counts = Statement(
        """
        SELECT (SELECT count(*) FROM identity),
            (SELECT count(*) FROM identity WHERE \(isBlocked) AND revoked IS NULL),
            (SELECT count(*) FROM identity WHERE revoked IS NOT NULL),
            (SELECT count(*) FROM registration WHERE expires > $1 AND NOT active),
            (SELECT count(*) FROM registration WHERE expires > $1 AND active)
        """)
    /// Reads one state of the database until the transaction's end.
    private static let beginReading = Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    private static let end = Statement("COMMIT")

    /// The statements by state of identities and by direction. Each is prepared once.
    private static let identityQueries = QueryStatements { status, isBackward in
        let condition =
            switch status {
            case .registered: "NOT (\(isBlocked)) AND revoked IS NULL"
            case .blocked: "\(isBlocked) AND revoked IS NULL"
            case .revoked: "revoked IS NOT NULL"
            default: "true"
            }
        return """
            SELECT \(RegisteredIdentity.columns) FROM identity
            WHERE \(span("registered", isBackward)) AND \(condition) \(order("registered", isBackward)) LIMIT $6
            """
    }

    private static let registrationQueries = QueryStatements { status, isBackward in
        let condition =
            switch status {
            case .confirmed: "active"
            case .unconfirmed: "NOT active"
            default: "true"
            }
        return """
            SELECT \(Registration.columns) FROM registration
            WHERE \(span("expires", isBackward)) AND \(condition) AND expires > $7
            \(order("expires", isBackward)) LIMIT $6
            """
    }

    private static func span(_ time: String, _ isBackward: Bool) -> String {
        """
        (user_id, \(time), mpin_id) \(isBackward ? "<" : ">") ($1, $2, $3)
            AND user_id \(isBackward ? ">=" : "<") $4 AND strpos(user_id, $5) > 0
        """
    }

    private static func order(_ time: String, _ isBackward: Bool) -> String {
        let way = isBackward ? "DESC" : "ASC"
        return "ORDER BY user_id \(way), \(time) \(way), mpin_id \(way)"
    }

    func users(_ query: UserQuery, now: WallTime) async throws(StorageError) -> UserPart {
        let place = query.place
        let parameters: [Parameter] = [
            .text(place.userID), .time(place.time), .bytes(place.mpinID.bytes), .text(query.bound),
            .text(query.contained), .integer(Int64(query.limit)),
        ]
        var calls = [Call(Self.beginReading)]
        if query.includesIdentities {
            calls.append(Call(Self.identityQueries[query.status, query.isBackward], parameters: parameters))
        }
        if query.includesRegistrations {
            calls.append(
                Call(
                    Self.registrationQueries[query.status, query.isBackward],
                    parameters: parameters + [.time(now)]))
        }
        return try await database.answers(to: calls + [Call(Self.end)]) { answers throws(DatabaseFault) in
            var part = UserPart()
            if query.includesIdentities { part.identities = try answers[1].identities() }
            if query.includesRegistrations { part.registrations = try answers[answers.count - 2].registrations() }
            return part
        }
    }

    func userCounts(now: WallTime) async throws(StorageError) -> UserCounts {
        try await database.answer(to: Call(Self.counts, .time(now))) { rows throws(DatabaseFault) in
            UserCounts(
                identities: try rows.count(0), blocked: try rows.count(1), revoked: try rows.count(2),
                unconfirmed: try rows.count(3), confirmed: try rows.count(4))
        }
    }

    func add(_ counts: LoginCounts, now _: WallTime) async throws(StorageError) {
        let calls = [
            Call(Self.waitForNoDisk),
            Call(
                Self.addTally, .integer(counts.right), .integer(counts.wrongPIN), .integer(counts.blocked),
                .integer(counts.unknown)), Call(Self.dropOldTally, .integer(LoginActivity.kept)),
        ]
        try await database.answers(to: calls) { _ in }
    }

    func activity(now _: WallTime) async throws(StorageError) -> LoginActivity {
        let calls = [Call(Self.presentQuarter), Call(Self.tally, .integer(LoginActivity.kept))]
        return try await database.answers(to: calls) { answers throws(DatabaseFault) in
            let rows = answers[1]
            let quarters = try rows.map { row throws(DatabaseFault) in
                (
                    try rows.integer(row, 0),
                    LoginCounts(
                        right: try rows.integer(row, 1), wrongPIN: try rows.integer(row, 2),
                        blocked: try rows.integer(row, 3), unknown: try rows.integer(row, 4))
                )
            }
            return LoginActivity(
                present: try answers[0].integer(0, 0), quarters: Dictionary(uniqueKeysWithValues: quarters))
        }
    }
}

/// A statement for each state and each direction.
private struct QueryStatements: Sendable {
    private struct Choice: Hashable {
        let status: BackendUser.Status?
        let isBackward: Bool
    }

    private let statements: [Choice: Statement]

    init(_ text: (BackendUser.Status?, Bool) -> String) {
        let states: [BackendUser.Status?] = [nil] + BackendUser.Status.allCases
        statements = Dictionary(
            uniqueKeysWithValues: states.flatMap { status in
                [false, true].map { (Choice(status: status, isBackward: $0), Statement(text(status, $0))) }
            })
    }

    subscript(status: BackendUser.Status?, isBackward: Bool) -> Statement {
        statements[Choice(status: status, isBackward: isBackward)] ?? Statement("SELECT")
    }
}
