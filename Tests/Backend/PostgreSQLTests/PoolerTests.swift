// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Patience
import PostgreSQLTestKit
import Testing

@testable import PostgreSQL

/// Tests a pooler between program and server.
@Suite(
    .enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)),
    .enabled(if: Pooler.isInstalled, "Debian's pgbouncer is not installed: apt-get install pgbouncer"))
struct PoolerTests {
    private static func open(_ pooler: Pooler) throws -> Database {
        try Database(
            at: ServerTarget(pooler.address), settings: TestDatabase.settings(),
            migrations: [Migration("first", "CREATE TABLE thing (key bigint)")]
        ) { _ in }
    }

    @Test func oneThatSharesSessionsIsRefused() throws {
        let pooler = try Pooler(mode: "transaction")
        let fault = try #require(throws: DatabaseFault.self) { try Self.open(pooler) }
        #expect(fault.kind == .unexpected && fault.problem.contains("pooler"), "\(fault)")
        #expect(fault.hint?.contains("pool_mode = session") == true)
    }

    @Test func oneThatKeepsSessionsIsAServer() async throws {
        let pooler = try Pooler(mode: "session")
        let database = try Self.open(pooler)
        try await database.run(Call(Statement("INSERT INTO thing VALUES (1)")))
        #expect(try await database.run(Call(Statement("SELECT count(*) FROM thing"))).integer(0, 0) == 1)
    }
}

/// A PgBouncer in front of the tests' server, on a socket in its own folder. It ends with this object.
private final class Pooler {
    private static let program = "/usr/sbin/pgbouncer"
    static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

    let address: String
    private let folder: String
    private let process = Process()

    init(mode: String) throws {
        folder = "/tmp/login-kiosk-pooler-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        address = "host=\(folder) port=6432 user=tester dbname=postgres"
        let settings = """
            [databases]
            postgres = \(try PostgreSQLServer.shared.address)
            [pgbouncer]
            unix_socket_dir = \(folder)
            listen_port = 6432
            auth_type = any
            pool_mode = \(mode)
            ignore_startup_parameters = extra_float_digits,options

            """
        try Data(settings.utf8).write(to: URL(filePath: "\(folder)/settings"))
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [Self.program, "--quiet", "\(folder)/settings"]
        if geteuid() == 0 {
            try FileManager.default.setAttributes([.ownerAccountName: "postgres"], ofItemAtPath: folder)
            process.arguments =
                ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] + (process.arguments ?? [])
        }
        process.standardError = FileHandle.nullDevice
        try process.run()
        var patience = Patience()
        while process.isRunning, !LocalSocket.takesConnections("\(folder)/.s.PGSQL.6432"), patience.pause() {}
    }

    deinit {
        // Not SIGTERM: a thread of the pool may have blocked it, and child processes inherit that.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
