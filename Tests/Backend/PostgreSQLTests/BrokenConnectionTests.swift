// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
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
        proxy.shears.isOpen.store(false, ordering: .relaxed)
        let fault = await #expect(throws: DatabaseFault.self) { try await database.run(Call(Self.insert)) }
        #expect(fault?.kind == .connectionLost)
        proxy.shears.isOpen.store(true, ordering: .relaxed)
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
    final class Shears: Sendable {
        let isOpen = Atomic<Bool>(true)
    }

    let address: String
    let shears = Shears()
    private let listener: Int32

    init(to server: PostgreSQLServer) throws {
        let folder = try #require(server.address.split(separator: " ").first).dropFirst("host=".count)
        let socketPath = "\(folder)/.s.PGSQL.\(server.port)"
        (listener, address) = try FakeServer.listener()
        let (listener, shears) = (listener, shears)
        Thread.detachNewThread {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                let server = Self.connect(to: socketPath)
                Thread.detachNewThread { Self.pass(from: client, to: server) { true } }
                Thread.detachNewThread {
                    Self.pass(from: server, to: client) { shears.isOpen.load(ordering: .relaxed) }
                }
            }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func connect(to path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        // Safe: the path of a test's server is shorter than the field, and the address is a local variable of this
        // size.
        unsafe withUnsafeMutableBytes(of: &place.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        _ = unsafe withUnsafePointer(to: &place) { place in
            unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, size)
            }
        }
        return descriptor
    }

    /// - Parameter isPassed: called for all bytes. The connection ends where it returns false.
    private static func pass(from source: Int32, to target: Int32, _ isPassed: () -> Bool) {
        var bytes = [UInt8](repeating: 0, count: 65536)
        while true {
            // Safe: the bytes are a local array.
            let count = unsafe recv(source, &bytes, bytes.count, 0)
            guard count > 0, isPassed(), FakeServer.send(Array(bytes[..<count]), to: target) else { break }
        }
        for descriptor in [source, target] { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
}
