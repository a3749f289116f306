// SPDX-License-Identifier: Apache-2.0

/// Makes connections that have the settings which this program needs.
struct Connector: Sendable {
    /// The oldest server that is tested.
    private static let oldestServer: Int32 = 150_000
    /// Settings that this program needs; they override those of the user and the database.
    private static let settle = Statement(
        """
        SELECT set_config('search_path', $1, false), set_config('statement_timeout', $2, false),
            set_config('lock_timeout', $2, false), set_config('idle_in_transaction_session_timeout', $2, false),
            set_config('default_transaction_isolation', 'read committed', false),
            set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
                ELSE current_setting('synchronous_commit') END, false)
        """)
    private static let process = Statement("SELECT pg_backend_pid()::bigint")
    /// Number of checks for a pooler. Another program at the same pooler may make some succeed.
    private static let looks = 10

    let target: ServerTarget
    let settings: Database.Settings

    func connection(until deadline: ContinuousClock.Instant) throws(DatabaseFault) -> ServerConnection {
        let connection = try ServerConnection(to: target)
        guard connection.serverVersion >= Self.oldestServer else {
            throw DatabaseFault(
                .unexpected, "\(target): the server's version is \(connection.serverVersion / 10_000)",
                hint: "PostgreSQL 15 or newer is needed")
        }
        guard connection.serverEncoding == "UTF8" else {
            throw DatabaseFault(
                .unexpected, "\(target): its texts are in \(connection.serverEncoding)",
                hint: "make one for UTF-8: createdb --encoding UTF8 --template template0 NAME")
        }
        let limit = "\(Int64(settings.limit / .milliseconds(1) as Double))"
        try connection.run(Call(Self.settle, .text("\(settings.schema), pg_catalog"), .text(limit)), until: deadline)
        return connection
    }

    /// Connects, and checks that no pooler is in between.
    func firstConnection(until deadline: ContinuousClock.Instant) throws(DatabaseFault) -> ServerConnection {
        do throws(DatabaseFault) {
            let first = try connection(until: deadline)
            try requireSession(first, until: deadline)
            return first
        } catch {
            // Another connection has prepared statements in the same session.
            throw ["42P05", "26000"].contains { error.kind == .refused(sqlState: $0) } ? pooler : error
        }
    }

    /// Checks that settings, prepared statements and notifications last as long as a connection.
    /// - Throws: when a pooler gives each transaction another session. Then a second connection gets the session of the
    ///   first one, or the first one gets another session.
    private func requireSession(
        _ first: ServerConnection, until deadline: ContinuousClock.Instant
    ) throws(DatabaseFault) {
        func session(_ connection: ServerConnection) throws(DatabaseFault) -> Int64 {
            try connection.run(Call(Self.process), until: deadline).integer(0, 0)
        }
        let second = try connection(until: deadline)
        for _ in 0..<Self.looks {
            let before = try session(first)
            try second.run(Call(ServerConnection.begin), until: deadline)
            guard try session(second) != before, try session(first) == before else { throw pooler }
            try second.run(Call(ServerConnection.commit), until: deadline)
        }
    }

    private var pooler: DatabaseFault {
        DatabaseFault(
            .unexpected, "\(target): a pooler in between gives each transaction another session of the server",
            hint: "name the server itself, or set the pooler to keep sessions: pool_mode = session of PgBouncer")
    }
}
