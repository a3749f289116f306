// SPDX-License-Identifier: Apache-2.0

import PostgreSQLTestKit
import Synchronization
import Testing

@testable import PostgreSQL

/// Databases of the tests' server, each with its own schema.
enum TestDatabase {
    private static let count = Atomic<Int>(0)

    static func newSchema() -> String { "test_\(count.add(1, ordering: .relaxed).newValue)" }

    static func target() throws -> ServerTarget { try ServerTarget(PostgreSQLServer.shared.address) }

    /// The production settings, with a limit that a busy machine can keep, and without polling for notifications.
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

    /// A database with one connection.
    static func openNarrow(waiting: Int = 1024, limit: Duration = .seconds(60)) throws -> Database {
        try open(settings(connections: 1, waiting: waiting, limit: limit))
    }
}

extension AsyncStream<Database.Event>.Iterator {
    /// The text of the next notification; empty when one may have been missed.
    mutating func text() async -> String? {
        switch await next() {
        case .notified(let text): text
        case .mayHaveMissed: ""
        case nil: nil
        }
    }
}

@Suite struct InstalledServerTests {
    /// Reports why tests are skipped when there is no server.
    @Test(.disabled(if: !PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
    func serverStarts() throws { _ = try PostgreSQLServer.shared }
}
