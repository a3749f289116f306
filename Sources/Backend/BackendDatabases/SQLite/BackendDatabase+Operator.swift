// SPDX-License-Identifier: Apache-2.0

import BackendValues
import GRDB
import MPinServer

/// The lists and counts that operators look at, in SQLite.
extension BackendDatabase: OperatorStorage {
    func users(_ query: UserQuery, now: WallTime) async throws(StorageError) -> UserPart {
        try await read { database in
            var part = UserPart()
            if query.includesIdentities {
                part.identities = try RegisteredIdentity.fetchAll(
                    database.cachedStatement(sql: Self.identities(query)), arguments: query.arguments + [query.limit])
            }
            if query.includesRegistrations {
                part.registrations = try Registration.fetchAll(
                    database.cachedStatement(sql: Self.registrations(query)),
                    arguments: query.arguments + [now.milliseconds, query.limit])
            }
            return part
        }
    }

    /// Blocked and revoked identities are few and have indexes of their own.
    private static func identities(_ query: UserQuery) -> String {
        let blocked = "failures >= \(RegisteredIdentity.maximumFailures)"
        let (index, condition) =
            switch query.status {
            case .registered: ("identityByUser", "NOT (\(blocked)) AND revoked IS NULL")
            case .blocked: ("identityBlocked", "\(blocked) AND revoked IS NULL")
            case .revoked: ("identityRevoked", "revoked IS NOT NULL")
            default: ("identityByUser", "TRUE")
            }
        return """
            \(RegisteredIdentity.selection) FROM identity INDEXED BY \(index)
            WHERE \(span("registered", in: "identity", query)) AND \(condition) \(order("registered", query)) LIMIT ?
            """
    }

    private static func registrations(_ query: UserQuery) -> String {
        let condition =
            switch query.status {
            case .confirmed: "active"
            case .unconfirmed: "NOT active"
            default: "TRUE"
            }
        return """
            SELECT * FROM registration
            WHERE \(span("expires", in: "registration", query)) AND \(condition) AND expires > ?
            \(order("expires", query)) LIMIT ?
            """
    }

    private static func span(_ time: String, in table: String, _ query: UserQuery) -> String {
        """
        (userID, \(time), \(table).mpinID) \(query.isBackward ? "<" : ">") (?, ?, ?)
            AND userID \(query.isBackward ? ">=" : "<") ? AND instr(userID, ?) > 0
        """
    }

    private static func order(_ time: String, _ query: UserQuery) -> String {
        let way = query.isBackward ? "DESC" : "ASC"
        return "ORDER BY userID \(way), \(time) \(way), mpinID \(way)"
    }

    func userCounts(now: WallTime) async throws(StorageError) -> UserCounts {
        try await read { database in
            func count(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM " + sql, arguments: arguments) ?? 0
            }
            return UserCounts(
                identities: try count("identity"),
                blocked: try count(
                    "identity WHERE failures >= \(RegisteredIdentity.maximumFailures) AND revoked IS NULL"),
                revoked: try count("identity WHERE revoked IS NOT NULL"),
                unconfirmed: try count("registration WHERE expires > ? AND NOT active", [now.milliseconds]),
                confirmed: try count("registration WHERE expires > ? AND active", [now.milliseconds]))
        }
    }

    func add(_ counts: LoginCounts, now: WallTime) async throws(StorageError) {
        let present = LoginActivity.number(at: now)
        try await write(isOnDisk: false) { database in
            // SQLite does not write an unchanged page. Adding and removing a row shows a full disk also for zeros.
            try database.execute(
                sql: "INSERT OR REPLACE INTO tally VALUES (?, 0, 0, 0, 0)", arguments: [present - LoginActivity.kept])
            try database.execute(
                sql: """
                    INSERT INTO tally (quarter, rightPIN, wrongPIN, blocked, unknown) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (quarter) DO UPDATE SET rightPIN = rightPIN + excluded.rightPIN,
                        wrongPIN = wrongPIN + excluded.wrongPIN, blocked = blocked + excluded.blocked,
                        unknown = unknown + excluded.unknown
                    """,
                arguments: [present, counts.right, counts.wrongPIN, counts.blocked, counts.unknown])
            // Quarters in the future were counted while the clock was wrong.
            try database.execute(
                sql: "DELETE FROM tally WHERE quarter <= ? OR quarter > ?",
                arguments: [present - LoginActivity.kept, present])
        }
    }

    func activity(now: WallTime) async throws(StorageError) -> LoginActivity {
        let present = LoginActivity.number(at: now)
        let rows = try await read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM tally WHERE quarter > ? AND quarter <= ?",
                arguments: [present - LoginActivity.kept, present]
            ).map { row in
                (
                    row["quarter"] as Int64,
                    LoginCounts(
                        right: row["rightPIN"], wrongPIN: row["wrongPIN"], blocked: row["blocked"],
                        unknown: row["unknown"])
                )
            }
        }
        return LoginActivity(present: present, quarters: Dictionary(uniqueKeysWithValues: rows))
    }
}

extension UserQuery {
    /// The arguments of the condition that selects a span of users.
    fileprivate var arguments: StatementArguments {
        let place = place
        return [place.userID, place.time.milliseconds, place.mpinID.databaseBlob, bound, contained]
    }
}
