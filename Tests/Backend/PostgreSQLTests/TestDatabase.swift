// SPDX-License-Identifier: Apache-2.0

import PostgreSQLTestKit
import Synchronization
import Testing

@testable import PostgreSQL

/// Databases of the tests' server, each with a schema of its own.
enum TestDatabase {
    private static let count = Atomic<Int>(0)

    static func newSchema() -> String { "test_\(count.add(1, ordering: .relaxed).newValue)" }

    static func target() throws -> ServerTarget { try ServerTarget(PostgreSQLServer.shared.address) }

    /// As in use, but for a limit that a machine with much else to do keeps, and notifications that come by themselves.
    static func settings(
        schema: String = newSchema(), connections: Int = 8, waiting: Int = 1024, limit: Duration = .seconds(60),
        polling: Duration = .seconds(3600)
    ) -> Database.Settings {
        Database.Settings(
            schema: schema, connections: connections, waiting: waiting, limit: limit, polling: polling)
    }

    static func open(
        _ settings: Database.Settings = settings(),
        migrations: [Migration] = [Migration("first", "CREATE TABLE thing (key bigint PRIMARY KEY, value bigint)")],
        _ handle: @escaping @Sendable (Database.Event) -> Void = { _ in }
    ) throws -> Database {
        try Database(at: target(), settings: settings, migrations: migrations, handle)
    }

    /// One connection.
    static func openNarrow(waiting: Int = 1024, limit: Duration = .seconds(60)) throws -> Database {
        try open(settings(connections: 1, waiting: waiting, limit: limit))
    }
}

@Suite struct InstalledServerTests {
    /// The tests that need a server say so where there is none.
    @Test(.disabled(if: !PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
    func serverStarts() throws { _ = try PostgreSQLServer.shared }
}
