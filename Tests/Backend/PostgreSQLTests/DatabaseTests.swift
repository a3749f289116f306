// SPDX-License-Identifier: Apache-2.0

import Glibc
import PostgreSQLTestKit
import Synchronization
import Testing

@testable import PostgreSQL

@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
struct DatabaseTests {
    private static let insert = Statement("INSERT INTO thing VALUES ($1, $2)")
    private static let count = Statement("SELECT count(*) FROM thing")

    private static func count(_ database: Database) async throws -> Int64 {
        try await database.run(Call(count)).integer(0, 0)
    }

    @Test func valuesComeBack() async throws {
        let database = try TestDatabase.open()
        let echo = Statement("SELECT $1::bytea, $2::text, $3::bigint, $4::boolean, NULL::bytea, NULL::bigint")
        for (bytes, text, number, flag) in [
            (Array(0...255), "zo\u{eb} '\"\\ $1", Int64.min, true), ([], "", .max, false), ([0], "\u{1f511}", -1, true),
        ] as [([UInt8], String, Int64, Bool)] {
            let rows = try await database.run(
                Call(echo, .bytes(bytes), .text(text), .integer(number), .boolean(flag)))
            #expect(rows.count == 1)
            #expect(try rows.bytes(0, 0) == bytes)
            #expect(try rows.text(0, 1) == text)
            #expect(try rows.integer(0, 2) == number)
            #expect(try rows.boolean(0, 3) == flag)
            #expect(rows.bytesIfAny(0, 4) == nil)
            #expect(try rows.integerIfAny(0, 5) == nil)
            #expect(throws: DatabaseFault.self) { try rows.integer(0, 5) }
            #expect(throws: DatabaseFault.self) { try rows.integer(0, 3) }
            #expect(throws: DatabaseFault.self) { try rows.bytes(1, 0) }
        }
        let nothing = try await database.run(Call(echo, .bytes(nil), .text(nil), .integer(nil), .boolean(nil)))
        for column in 0..<4 { #expect(nothing.bytesIfAny(0, column) == nil) }
    }

    /// Values that exceed a socket's buffer, in both directions.
    @Test func largeValuesComeBack() async throws {
        let database = try TestDatabase.open()
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let echo = Statement("SELECT $1::bytea")
        let rows = try await database.run([Call(echo, .bytes(bytes)), Call(echo, .bytes(bytes))])
        #expect(try rows[0].bytes(0, 0) == bytes && rows[1].bytes(0, 0) == bytes)
    }

    @Test func allOfATransactionHappensOrNothing() async throws {
        let database = try TestDatabase.openNarrow()
        let fault = await #expect(throws: DatabaseFault.self) {
            try await database.run([
                Call(Self.insert, .integer(1), .integer(1)), Call(Self.insert, .integer(1), .integer(4711)),
                Call(Self.insert, .integer(2), .integer(2)),
            ])
        }
        #expect(fault?.kind == .refused(sqlState: "23505"))
        // The error contains neither statements nor values, which may be secrets.
        #expect(fault?.description.contains("INSERT") == false && fault?.description.contains("4711") == false)
        // The same connection still works.
        #expect(try await Self.count(database) == 0)
        let answers = try await database.run([
            Call(Self.insert, .integer(1), .integer(1)), Call(Self.count), Call(Self.insert, .integer(2), .integer(2)),
            Call(Self.count),
        ])
        #expect(try answers.map(\.count) == [0, 1, 0, 1] && answers[1].integer(0, 0) == 1)
        #expect(try answers[3].integer(0, 0) == 2)
    }

    /// A broken transaction that the caller began itself does not affect later callers.
    @Test func noTransactionIsLeftOpen() async throws {
        let database = try TestDatabase.openNarrow()
        for _ in 0..<3 {
            await #expect(throws: DatabaseFault.self) {
                try await database.run([
                    Call(Statement("BEGIN ISOLATION LEVEL REPEATABLE READ")), Call(Statement("SELECT 1 / 0")),
                    Call(Statement("COMMIT")),
                ])
            }
            #expect(try await Self.count(database) == 0)
        }
    }

    /// A statement that the server cannot prepare fails each time, and affects no other.
    @Test func whatCannotBePrepared() async throws {
        let database = try TestDatabase.openNarrow()
        let wrong = Statement("SELECT * FROM no_such_table")
        for _ in 0..<3 {
            let fault = await #expect(throws: DatabaseFault.self) {
                try await database.run([
                    Call(Self.insert, .integer(1), .integer(1)), Call(wrong), Call(Self.count),
                ])
            }
            #expect(fault?.kind == .refused(sqlState: "42P01"))
            #expect(try await Self.count(database) == 0)
        }
        let prepared = Statement("SELECT count(*) FROM pg_prepared_statements")
        for _ in 0..<3 { #expect(try await database.run(Call(prepared)).integer(0, 0) == 4) }
    }

    /// The server reports a conflicting transaction a few times, then always.
    @Test(arguments: ["40001", "40P01"])
    func isRunAgain(_ sqlState: String) async throws {
        let database = try TestDatabase.open(
            migrations: [
                Migration(
                    "first",
                    """
                    CREATE SEQUENCE tries;
                    CREATE TABLE thing (key bigint PRIMARY KEY, value bigint);
                    CREATE FUNCTION fail(state text, times bigint) RETURNS void LANGUAGE plpgsql AS $$
                    BEGIN
                        IF nextval('tries') <= times THEN RAISE EXCEPTION 'in the way' USING ERRCODE = state; END IF;
                    END $$;
                    """)
            ])
        let (fail, tries) = (Statement("SELECT fail($1, $2)"), Statement("SELECT last_value FROM tries"))
        try await database.run([
            Call(Self.insert, .integer(1), .integer(1)), Call(fail, .text(sqlState), .integer(4)),
        ])
        #expect(try await database.run(Call(tries)).integer(0, 0) == 5)
        #expect(try await Self.count(database) == 1)
        let fault = await #expect(throws: DatabaseFault.self) {
            try await database.run(Call(fail, .text(sqlState), .integer(.max)))
        }
        #expect(fault?.kind == .refused(sqlState: sqlState))
        #expect(try await database.run(Call(tries)).integer(0, 0) == 15)
        // Other refusals are not retried.
        await #expect(throws: DatabaseFault.self) {
            try await database.run(Call(fail, .text("23505"), .integer(.max)))
        }
        #expect(try await database.run(Call(tries)).integer(0, 0) == 16)
    }

    /// A row that was read with a lock stays until it is written: of a hundred increments at once none is lost.
    @Test func aTransactionGoesFromCallToCall() async throws {
        let database = try TestDatabase.open()
        let lock = Statement("SELECT value FROM thing WHERE key = $1 FOR UPDATE")
        let write = Statement("UPDATE thing SET value = $2 WHERE key = $1")
        try await database.run(Call(Self.insert, .integer(1), .integer(0)))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await database.transaction { transaction throws(DatabaseFault) in
                        let value = try transaction.run([Call(lock, .integer(1))])[0].integer(0, 0)
                        try transaction.commit([Call(write, .integer(1), .integer(value + 1))])
                    }
                }
            }
            try await group.waitForAll()
        }
        let value = Statement("SELECT value FROM thing WHERE key = 1")
        #expect(try await database.run(Call(value)).integer(0, 0) == 100)
        // Changes without a commit are undone, and their connection stays usable.
        try await database.transaction { transaction throws(DatabaseFault) in
            _ = try transaction.run([Call(write, .integer(1), .integer(7))])
        }
        await #expect(throws: DatabaseFault.self) {
            try await database.transaction { transaction throws(DatabaseFault) in
                _ = try transaction.run([Call(write, .integer(1), .integer(8))])
                try transaction.commit([Call(Self.insert, .integer(1), .integer(9))])
            }
        }
        #expect(try await database.run(Call(value)).integer(0, 0) == 100)
        // One that found another one in its way is run again, and not for ever.
        let tries = Mutex(0)
        await #expect(throws: DatabaseFault.inTheWay) {
            try await database.transaction { transaction throws(DatabaseFault) in
                tries.withLock { $0 += 1 }
                _ = try transaction.run([Call(write, .integer(1), .integer(8))])
                throw DatabaseFault.inTheWay
            }
        }
        #expect(tries.withLock { $0 } == 10)
        #expect(try await database.run(Call(value)).integer(0, 0) == 100)
    }

    /// Those that take the same rows in another order end well, whatever the server does about it.
    @Test func deadlocksEndWell() async throws {
        let database = try TestDatabase.open()
        let add = Statement("UPDATE thing SET value = value + 1 WHERE key = $1")
        for key in 1...2 as ClosedRange<Int64> { try await database.run(Call(Self.insert, .integer(key), .integer(0))) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                let keys: [Int64] = number.isMultiple(of: 2) ? [1, 2] : [2, 1]
                group.addTask { _ = try await database.run(keys.map { Call(add, .integer($0)) }) }
            }
            try await group.waitForAll()
        }
        let sum = try await database.run(Call(Statement("SELECT min(value), max(value) FROM thing")))
        #expect(try sum.integer(0, 0) == 40 && sum.integer(0, 1) == 40)
    }

    @Test func connectionsAreBounded() async throws {
        let database = try TestDatabase.open(TestDatabase.settings(connections: 3))
        let backend = Statement("SELECT pg_backend_pid()::bigint, pg_sleep(0.01)::text")
        let backends = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<60 { group.addTask { try await database.run(Call(backend)).integer(0, 0) } }
            return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
        }
        #expect((1...3).contains(backends.count))
    }

    @Test func tooManyWaitersAreRefused() async throws {
        let (database, other) = (try TestDatabase.openNarrow(waiting: 2), try TestDatabase.openNarrow())
        // The first call lasts until all have come.
        let lock = Statement("SELECT pg_advisory_lock(1)")
        try await other.run(Call(lock))
        let kinds = try await withThrowingTaskGroup(of: DatabaseFault.Kind?.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    do throws(DatabaseFault) {
                        try await database.run(Call(lock))
                        return nil
                    } catch {
                        return error.kind
                    }
                }
            }
            var kinds: [DatabaseFault.Kind?] = []
            while let kind = try await group.next() {
                kinds.append(kind)
                if kinds.count == 7 { try await other.run(Call(Statement("SELECT pg_advisory_unlock(1)"))) }
            }
            return kinds
        }
        #expect(kinds.filter { $0 == nil }.count == 3 && kinds.filter { $0 == .busy }.count == 7)
    }

    /// The server ends a slow statement, or the client gives it up and then uses another connection.
    @Test func nothingTakesForEver() async throws {
        let database = try TestDatabase.openNarrow(limit: .milliseconds(300))
        let fault = await #expect(throws: DatabaseFault.self) {
            try await database.run(Call(Statement("SELECT pg_sleep(600)")))
        }
        #expect(fault?.kind == .late || fault?.kind == .refused(sqlState: "57014"))
        while true {
            do throws(DatabaseFault) {
                try await database.run(Call(Self.count))
                break
            } catch {
                // A slow machine.
                #expect(error.kind == .late || error.kind == .refused(sqlState: "57014"))
            }
        }
    }

    @Test func connectsAgain() async throws {
        let database = try TestDatabase.openNarrow()
        let own = Statement("SELECT pg_backend_pid()::bigint")
        let before = try await database.run(Call(own)).integer(0, 0)
        // Through another database, so that this one notices only the end of its connection.
        let other = try TestDatabase.openNarrow()
        let end = Statement("SELECT pg_terminate_backend($1::integer, 60000)")
        #expect(try await other.run(Call(end, .integer(before))).boolean(0, 0))
        #expect(try await database.run(Call(own)).integer(0, 0) != before)
        try await database.run(Call(Self.insert, .integer(1), .integer(1)))
        #expect(try await Self.count(database) == 1)
    }

    /// A server that became a standby, and a pooler that changes the connection's session: both fail once, and then
    /// another connection is used.
    @Test(arguments: [
        ("SET default_transaction_read_only = on", "25006"), ("DEALLOCATE ALL", "26000"),
    ])
    func connectsAgainAfter(_ setting: String, _ sqlState: String) async throws {
        let database = try TestDatabase.openNarrow()
        try await database.run(Call(Self.insert, .integer(1), .integer(1)))
        try await database.run(Call(Statement(setting)))
        let fault = await #expect(throws: DatabaseFault.self) {
            try await database.run(Call(Self.insert, .integer(2), .integer(2)))
        }
        #expect(fault?.kind == .refused(sqlState: sqlState))
        try await database.run(Call(Self.insert, .integer(2), .integer(2)))
        #expect(try await Self.count(database) == 2)
    }

    /// A server that stops answering, like an overloaded machine.
    @Test func aServerThatStandsStill() async throws {
        let database = try TestDatabase.openNarrow(limit: .milliseconds(500))
        let own = Statement("SELECT pg_backend_pid()::bigint")
        let other = try TestDatabase.open()
        var backend: Int64?
        while backend == nil { backend = try? await database.run(Call(own)).integer(0, 0) }
        let process = pid_t(try #require(backend))
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        let fault = await #expect(throws: DatabaseFault.self) {
            while true { try await database.run(Call(Self.insert, .integer(1), .integer(1))) }
        }
        #expect(fault?.kind == .late)
        // Another connection replaces it.
        var next: Int64?
        while next == nil { next = try? await database.run(Call(own)).integer(0, 0) }
        #expect(next != backend)
        #expect(try await Self.count(database) == 0)
        withExtendedLifetime(other) {}
    }

    @Test func hearsOfOtherProcesses() async throws {
        let (events, continuation) = AsyncStream.makeStream(of: Database.Event.self)
        let schema = TestDatabase.newSchema()
        let listening = try TestDatabase.open(TestDatabase.settings(schema: schema)) { continuation.yield($0) }
        let other = try TestDatabase.open(TestDatabase.settings(schema: schema))
        let elsewhere = try TestDatabase.open()
        try await elsewhere.run(elsewhere.notification("not for this schema"))
        try await other.run(other.notification("one"))
        try await listening.run(listening.notification("two"))
        var heard = events.makeAsyncIterator()
        for text in ["one", "two"] { #expect(await heard.text() == text) }
    }

    /// A listener loses its connection, and misses the messages until it listens again.
    @Test func listensAgain() async throws {
        let (events, continuation) = AsyncStream.makeStream(of: Database.Event.self)
        let schema = TestDatabase.newSchema()
        let listening = try TestDatabase.open(TestDatabase.settings(schema: schema)) { continuation.yield($0) }
        let other = try TestDatabase.open(TestDatabase.settings(schema: schema))
        // The first of the two.
        let end = Statement(
            """
            SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
            WHERE query = 'LISTEN ' || $1 ORDER BY backend_start LIMIT 1
            """)
        #expect(try await other.run(Call(end, .text(schema))).boolean(0, 0))
        var heard = events.makeAsyncIterator()
        #expect(await heard.text() == "")
        try await other.run(other.notification("again"))
        #expect(await heard.text() == "again")
        withExtendedLifetime(listening) {}
    }

    /// The old server becomes a standby, and does not tell its listeners.
    @Test(.timeLimit(.minutes(10))) func listensWhereItWrites() async throws {
        let (events, continuation) = AsyncStream.makeStream(of: Database.Event.self)
        let database = try TestDatabase.open(
            TestDatabase.settings(polling: .seconds(3600)),
            migrations: [
                Migration(
                    "first",
                    """
                    CREATE TABLE thing (key bigint);
                    CREATE FUNCTION write_on_standby() RETURNS void LANGUAGE plpgsql AS $$
                    BEGIN
                        PERFORM set_config('transaction_read_only', 'on', true);
                        INSERT INTO thing VALUES (1);
                    END $$;
                    """)
            ]
        ) { continuation.yield($0) }
        let fault = await #expect(throws: DatabaseFault.self) {
            try await database.run(Call(Statement("SELECT write_on_standby()")))
        }
        #expect(fault?.kind == .refused(sqlState: "25006"))
        // It listens again.
        #expect(await events.first { if case .mayHaveMissed = $0 { true } else { false } } != nil)
        try await database.run(Call(Statement("INSERT INTO thing VALUES (2)")))
    }

    /// The listener looks now and then even if no connection ends and no message comes.
    @Test func looksEveryNowAndThen() async throws {
        let (events, continuation) = AsyncStream.makeStream(of: Database.Event.self)
        let database = try TestDatabase.open(TestDatabase.settings(polling: .milliseconds(10))) {
            continuation.yield($0)
        }
        var heard = events.makeAsyncIterator()
        for _ in 0..<3 { #expect(await heard.text() == "") }
        withExtendedLifetime(database) {}
    }
}

@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
struct MigrationTests {
    private static let first = Migration("first", "CREATE TABLE thing (key bigint); INSERT INTO thing VALUES (1)")
    private static let second = Migration("second", "INSERT INTO thing VALUES (2)")

    /// Eight processes start at once on an empty database.
    @Test func oneOfManyDoesIt() async throws {
        let schema = TestDatabase.newSchema()
        let databases = try await withThrowingTaskGroup(of: Database.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try TestDatabase.open(
                        TestDatabase.settings(schema: schema), migrations: [Self.first, Self.second])
                }
            }
            return try await group.reduce(into: [Database]()) { $0.append($1) }
        }
        for database in databases {
            let rows = try await database.run(Call(Statement("SELECT key FROM thing ORDER BY key")))
            #expect(try (0..<rows.count).map { try rows.integer($0, 0) } == [1, 2])
        }
    }

    @Test func goesOnWhereItWas() async throws {
        let settings = TestDatabase.settings()
        _ = try TestDatabase.open(settings, migrations: [Self.first])
        let database = try TestDatabase.open(settings, migrations: [Self.first, Self.second])
        let count = Statement("SELECT count(*) FROM thing")
        #expect(try await database.run(Call(count)).integer(0, 0) == 2)
        // The states that an older or foreign program finds.
        for migrations in [[Self.first], [Self.second, Self.first]] {
            let fault = #expect(throws: DatabaseFault.self) {
                try TestDatabase.open(settings, migrations: migrations)
            }
            #expect(fault?.kind == .unexpected && fault?.hint?.isEmpty == false)
        }
    }

    /// The limit of a call ends no step, which may rewrite a large table. One that waits for a table is ended before:
    /// logins wait behind it.
    @Test func aStepMayTakeAnHour() async throws {
        let limits = Migration(
            "limits",
            "CREATE TABLE found AS SELECT current_setting(name) FROM unnest('{statement_timeout,lock_timeout}'::text[]) name"
        )
        let database = try TestDatabase.open(migrations: [limits])
        let rows = try await database.run(Call(Statement("SELECT * FROM found")))
        #expect(try (0..<rows.count).map { try rows.text($0, 0) } == ["1h", "1min"])
    }

    @Test func aStepThatFailsLeavesNothing() async throws {
        let settings = TestDatabase.settings()
        let wrong = Migration("second", "INSERT INTO thing VALUES (2); SELECT * FROM no_such_table")
        #expect(throws: DatabaseFault.self) { try TestDatabase.open(settings, migrations: [Self.first, wrong]) }
        let database = try TestDatabase.open(settings, migrations: [Self.first])
        let count = Statement("SELECT count(*) FROM thing")
        #expect(try await database.run(Call(count)).integer(0, 0) == 1)
    }

    @Test func aServerThatIsNotThere() throws {
        let target = try ServerTarget("host=/nonexistent dbname=kiosk")
        let fault = try #require(throws: DatabaseFault.self) { try Database(at: target, migrations: []) { _ in } }
        #expect(fault.kind == .unreachable && fault.problem.contains("/nonexistent"))
        #expect(fault.hint?.isEmpty == false)
    }
}

/// A server of its own, because the tests stop it.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
struct RestartTests {
    @Test func aServerThatComesBack() async throws {
        let server = try PostgreSQLServer()
        let (events, continuation) = AsyncStream.makeStream(of: Database.Event.self)
        let database = try Database(
            at: ServerTarget(server.address), settings: TestDatabase.settings(),
            migrations: [Migration("first", "CREATE TABLE thing (key bigint)")]
        ) { continuation.yield($0) }
        let insert = Statement("INSERT INTO thing VALUES (1)")
        try await database.run(Call(insert))
        try server.restart()
        // No connection that has ended is used.
        try await database.run(Call(insert))
        #expect(try await database.run(Call(Statement("SELECT count(*) FROM thing"))).integer(0, 0) == 2)
        var heard = events.makeAsyncIterator()
        #expect(await heard.text() == "")
        try await database.run(database.notification("again"))
        #expect(await heard.text() == "again")
    }
}
