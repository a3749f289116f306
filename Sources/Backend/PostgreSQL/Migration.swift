// SPDX-License-Identifier: Apache-2.0

/// A step of the schema's migration. A released step is never changed; later changes are new steps.
public struct Migration: Sendable {
    let name: String
    /// One statement that runs all commands.
    let statement: Statement

    /// - Parameter commands: without parameters, separated by semicolons.
    public init(_ name: String, _ commands: String) {
        self.name = name
        statement = Statement("DO $migration$ BEGIN EXECUTE $commands$\(commands)$commands$; END $migration$")
    }
}

extension ServerConnection {
    private static let isThere = Statement(
        "SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1::text)")
    private static let hasList = Statement(
        "SELECT EXISTS (SELECT FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = 'migration')")
    private static let done = Statement("SELECT name FROM migration ORDER BY number")
    private static let lock = Statement("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
    /// The longest time that the steps take, here or in another process. Steps may rewrite large tables, and a start
    /// that times out leaves the tables as they were.
    private static let longestMigration = Duration.seconds(3600)
    private static let waitForOthers = Statement(
        "SELECT set_config('statement_timeout', '1h', true), set_config('lock_timeout', '1h', true)")
    /// Logins wait behind a step that waits for a table.
    private static let waitForTables = Statement("SELECT set_config('lock_timeout', '60s', true)")
    private static let makeList = Statement(
        """
        CREATE TABLE IF NOT EXISTS migration (
            number bigint PRIMARY KEY, name text NOT NULL, applied timestamptz NOT NULL DEFAULT now())
        """)
    private static let add = Statement("INSERT INTO migration (number, name) VALUES ($1, $2)")

    /// Brings the tables of `schema` up to date: all steps that are missing, or none. If several processes start at the
    /// same moment, one runs the steps and the others wait for it.
    ///
    /// - Parameter start: until when it must be known whether steps are missing.
    func migrate(
        _ migrations: [Migration], in schema: String, start: ContinuousClock.Instant
    ) throws(DatabaseFault) {
        if try isComplete(migrations, in: schema, until: start) { return }
        let deadline = ContinuousClock.now + Self.longestMigration
        try run(Call(Self.begin), until: deadline)
        do throws(DatabaseFault) {
            let turn = Call(Self.lock, .text("login-kiosk \(schema)"))
            try run([Call(Self.waitForOthers), turn, Call(Self.waitForTables)], until: deadline)
            if try !run(Call(Self.isThere, .text(schema)), until: deadline).boolean(0, 0) {
                try run(Call(Statement("CREATE SCHEMA \(schema)")), until: deadline)
            }
            try run(Call(Self.makeList), until: deadline)
            let count = try applied(migrations, until: deadline)
            for (number, migration) in migrations.enumerated().dropFirst(count) {
                let note = Call(Self.add, .integer(Int64(number)), .text(migration.name))
                try run([Call(migration.statement), note], until: deadline)
            }
            try run(Call(Self.commit), until: deadline)
        } catch {
            // Otherwise the server ends it with the connection.
            if !error.endsConnection { _ = try? run(Call(Self.rollBack), until: deadline) }
            guard error.kind == .refused(sqlState: "42501") else { throw error }
            throw DatabaseFault(
                error.kind, error.problem,
                hint: "as the database's owner: CREATE SCHEMA \(schema) AUTHORIZATION the-user-of-this-program")
        }
    }

    private func isComplete(
        _ migrations: [Migration], in schema: String, until deadline: ContinuousClock.Instant
    ) throws(DatabaseFault) -> Bool {
        guard try run(Call(Self.hasList, .text(schema)), until: deadline).boolean(0, 0) else { return false }
        return try applied(migrations, until: deadline) == migrations.count
    }

    /// - Returns: how many of them there are.
    private func applied(
        _ migrations: [Migration], until deadline: ContinuousClock.Instant
    ) throws(DatabaseFault) -> Int {
        let rows = try run(Call(Self.done), until: deadline)
        for row in 0..<rows.count {
            guard row < migrations.count, try rows.text(row, 0) == migrations[row].name else {
                throw DatabaseFault(
                    .unexpected, "the database's tables are of another version of this program",
                    hint: "use the newest version that any process on this database has")
            }
        }
        return rows.count
    }
}
