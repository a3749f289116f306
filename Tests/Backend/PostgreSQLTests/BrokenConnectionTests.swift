// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import PostgreSQLTestKit
import Synchronization
import Testing

@testable import PostgreSQL

/// Connections that break while the server's result is unknown. Nothing is sent again then.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
struct BrokenConnectionTests {
    private static let tables = Migration(
        "first",
        """
        CREATE TABLE tally (number bigint);
        CREATE SEQUENCE tries;
        CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM nextval('tries'), pg_sleep(600);
            RETURN NULL;
        END $$;
        CREATE TABLE slow (number bigint);
        CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION wait();
        """)
    private static let insert = Statement("INSERT INTO tally VALUES (1)")

    private static func count(_ table: String, _ database: Database) async throws -> Int64 {
        try await database.run(Call(Statement("SELECT count(*) FROM \(table)"))).integer(0, 0)
    }

    /// The connection ends after the server has committed, before it answers.
    @Test func anAnswerThatIsLost() async throws {
        let settings = TestDatabase.settings(connections: 1)
        let direct = try TestDatabase.open(settings, migrations: [Self.tables])
        let proxy = try CuttingProxy(to: PostgreSQLServer.shared)
        let database = try Database(
            at: ServerTarget(proxy.address), settings: settings, migrations: [Self.tables]
        ) { _ in }
        try await database.run(Call(Self.insert))
        proxy.isOpen.withLock { $0 = false }
        let fault = await #expect(throws: DatabaseFault.self) { try await database.run(Call(Self.insert)) }
        #expect(fault?.kind == .connectionLost)
        proxy.isOpen.withLock { $0 = true }
        #expect(try await Self.count("tally", direct) == 2)
        try await database.run(Call(Self.insert))
        #expect(try await Self.count("tally", database) == 3)
    }

    /// The server's process ends in the middle of COMMIT.
    @Test func aCommitThatBreaksOff() async throws {
        let settings = TestDatabase.settings(connections: 1)
        let database = try TestDatabase.open(settings, migrations: [Self.tables])
        let other = try TestDatabase.open(settings, migrations: [Self.tables])
        let own = Statement("SELECT pg_backend_pid()::bigint")
        let backend = try await database.run(Call(own)).integer(0, 0)
        async let fault = #expect(throws: DatabaseFault.self) {
            try await database.run([
                Call(Self.insert), Call(Statement("INSERT INTO slow VALUES (1)")), Call(Self.insert),
            ])
        }
        let isCommitting = Statement("SELECT is_called FROM tries")
        while try await !other.run(Call(isCommitting)).boolean(0, 0) {}
        let end = Statement("SELECT pg_terminate_backend($1::integer, 60000)")
        #expect(try await other.run(Call(end, .integer(backend))).boolean(0, 0))
        #expect(await fault?.endsConnection == true)
        #expect(try await Self.count("tally", database) == 0)
        #expect(try await database.run(Call(Statement("SELECT last_value FROM tries"))).integer(0, 0) == 1)
    }
}

/// Forwards bytes between a client and a server's socket, until it is told to cut connections at the server's answer.
private final class CuttingProxy: Sendable {
    let address: String
    let isOpen = Mutex(true)
    private let listener: LoopbackListener

    init(to server: PostgreSQLServer) throws {
        let folder = try #require(server.address.split(separator: " ").first).dropFirst("host=".count)
        let path = "\(folder)/.s.PGSQL.\(server.port)"
        listener = try LoopbackListener()
        address = FakeServer.address(of: listener)
        listener.serve { [weak self] client in
            guard let server = try? LoopbackConnection(path: path) else { return }
            Thread.detachNewThread { Self.pass(from: client, to: server) { true } }
            Self.pass(from: server, to: client) { self?.isOpen.withLock(\.self) == true }
        }
    }

    deinit { listener.stop() }

    /// - Parameter isPassed: called for all bytes. The connection ends where it returns false.
    private static func pass(
        from source: LoopbackConnection, to target: LoopbackConnection, _ isPassed: () -> Bool
    ) {
        while let bytes = source.receive(), isPassed(), target.send(bytes) {}
        for side in [source, target] { side.close() }
    }
}
