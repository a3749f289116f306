// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto
import PostgreSQL

/// The lists and counts that operators look at, in PostgreSQL.
extension PostgreSQLDurable {
    /// A verdict notes when a right PIN came. Callers of the function see no difference, whatever version they have.
    static let whatOperatorsLookAt = """
        ALTER TABLE identity ADD COLUMN last_login bigint;
        CREATE INDEX identity_blocked ON identity (user_id, registered, mpin_id) WHERE failures >= 3;

        CREATE OR REPLACE FUNCTION settle_login(
            an_id bytea, a_claim bigint, is_right boolean, is_forgiving boolean, wrong bigint, at bigint,
            taken_back bigint, maximum bigint
        ) RETURNS SETOF identity LANGUAGE plpgsql AS $$
        BEGIN
            -- A device does not wait for the disk to hear of a right PIN.
            IF is_right THEN PERFORM set_config('synchronous_commit', 'off', true); END IF;
            IF is_forgiving THEN DELETE FROM begun WHERE mpin_id = an_id;
            ELSE UPDATE begun SET forgotten = forgotten + taken_back WHERE mpin_id = an_id; END IF;
            RETURN QUERY UPDATE identity SET verdicts = verdicts + 1,
                failures = CASE WHEN is_forgiving THEN 0 ELSE failures + wrong END,
                last_failure = CASE WHEN is_forgiving THEN NULL WHEN wrong > 0 THEN at ELSE last_failure END,
                begun_forgotten = CASE WHEN is_forgiving THEN NULL ELSE begun_forgotten + taken_back END,
                last_login = CASE WHEN is_forgiving THEN at ELSE last_login END
                WHERE mpin_id = an_id AND failures < maximum RETURNING *;
            DELETE FROM judging WHERE mpin_id = an_id AND claim = a_claim;
        END $$;

        -- Judged logins of all processes, by quarters of an hour since 1970.
        CREATE TABLE tally (
            quarter bigint PRIMARY KEY, right_pin bigint NOT NULL, wrong_pin bigint NOT NULL, blocked bigint NOT NULL,
            unknown bigint NOT NULL
        ) WITH (fillfactor = 50);

        -- By the server's own clock, whatever that of a process says.
        CREATE FUNCTION present_quarter() RETURNS bigint LANGUAGE sql VOLATILE AS $$
            SELECT floor(extract(epoch FROM clock_timestamp()) / 900)::bigint
        $$;

        CREATE FUNCTION add_tally(rights bigint, wrongs bigint, blocks bigint, unknowns bigint, kept bigint)
        RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            present CONSTANT bigint := present_quarter();
        BEGIN
            PERFORM set_config('synchronous_commit', 'off', true);
            INSERT INTO tally VALUES (present, rights, wrongs, blocks, unknowns)
                ON CONFLICT (quarter) DO UPDATE SET right_pin = tally.right_pin + rights,
                    wrong_pin = tally.wrong_pin + wrongs, blocked = tally.blocked + blocks,
                    unknown = tally.unknown + unknowns;
            -- Those of the future were counted while the clock was wrong.
            DELETE FROM tally WHERE quarter IN (
                SELECT quarter FROM tally WHERE quarter <= present - kept OR quarter > present + 1
                FOR UPDATE SKIP LOCKED);
        END $$;
        """

    private static let addTally = Statement("SELECT add_tally($1, $2, $3, $4, $5)::text")
    private static let presentQuarter = Statement("SELECT present_quarter()")
    private static let tally = Statement(
        """
        SELECT quarter, right_pin, wrong_pin, blocked, unknown FROM tally
        WHERE quarter > present_quarter() - $1 AND quarter <= present_quarter()
        """)
    private static let isBlocked = "failures >= \(RegisteredIdentity.maximumFailures)"
    private static let counts = Statement(
        """
        SELECT (SELECT count(*) FROM identity),
            (SELECT count(*) FROM identity WHERE \(isBlocked) AND NOT \(isRevokedToo)),
            (SELECT count(*) FROM revocation JOIN identity USING (mpin_id)),
            (SELECT count(*) FROM registration WHERE expires > $1 AND NOT active),
            (SELECT count(*) FROM registration WHERE expires > $1 AND active)
        """)

    /// By state of identities and by whether the way is backward; each is prepared once.
    private static let identityQueries = QueryStatements { status, isBackward in
        let condition =
            switch status {
            case .registered: "NOT (\(isBlocked)) AND NOT \(isRevokedToo)"
            case .blocked: "\(isBlocked) AND NOT \(isRevokedToo)"
            case .revoked: isRevokedToo
            default: "true"
            }
        return """
            SELECT \(RegisteredIdentity.columns), \(isRevokedToo) FROM identity
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
        var part = UserPart()
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
        let answers = try await database.allRows(calls + [Call(Self.end)])
        if query.includesIdentities { part.identities = try answers[1].identitiesAndRevocations() }
        if query.includesRegistrations { part.registrations = try answers[calls.count - 1].registrations() }
        return part
    }

    func userCounts(now: WallTime) async throws(StorageError) -> UserCounts {
        let answer = try await database.rows(Call(Self.counts, .time(now)))
        return UserCounts(
            identities: try answer.count(0), blocked: try answer.count(1), revoked: try answer.count(2),
            unconfirmed: try answer.count(3), confirmed: try answer.count(4))
    }

    func add(_ counts: LoginCounts, now _: WallTime) async throws(StorageError) {
        _ = try await database.rows(
            Call(
                Self.addTally, .integer(counts.right), .integer(counts.wrongPIN), .integer(counts.blocked),
                .integer(counts.unknown), .integer(LoginActivity.kept)))
    }

    func activity(now _: WallTime) async throws(StorageError) -> LoginActivity {
        let answers = try await database.allRows([
            Call(Self.presentQuarter), Call(Self.tally, .integer(LoginActivity.kept)),
        ])
        let rows = answers[1]
        let quarters = try rows.read { row throws(DatabaseFault) in
            (
                try rows.integer(row, 0),
                LoginCounts(
                    right: try rows.integer(row, 1), wrongPIN: try rows.integer(row, 2),
                    blocked: try rows.integer(row, 3), unknown: try rows.integer(row, 4))
            )
        }
        return LoginActivity(
            present: Int64(try answers[0].count(0)), quarters: Dictionary(uniqueKeysWithValues: quarters))
    }
}

/// A statement for each state that may be asked for, and for each of the two ways.
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

extension Rows {
    /// Of rows that have the identity's columns, and then whether it is revoked.
    func identitiesAndRevocations() throws(StorageError) -> [(identity: RegisteredIdentity, isRevoked: Bool)] {
        let (identities, revoked) = (try identities(), try flags(RegisteredIdentity.columnCount))
        return zip(identities, revoked).map { ($0, isRevoked: $1) }
    }
}
