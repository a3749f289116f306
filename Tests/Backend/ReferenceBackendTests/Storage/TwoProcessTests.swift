// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import HTTPTypes
import MPinCrypto
import Patience
import PostgreSQL
import PostgreSQLTestKit
import Testing

@testable import BackendDatabases
@testable import MPinServer
@testable import ReferenceBackend

/// Pages at one process, devices at another, and a database between them.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
struct TwoProcessTests {
    /// The question of a page is held by one process, and the device asks another one.
    @Test(.timeLimit(.minutes(10)), arguments: [Dialect.milagro, .mfaV1, .trust2025])
    func aHeldQuestionHearsOfAnotherProcess(_ dialect: Dialect) async throws {
        let (state, clock) = (TemporaryFolder(), ManualWallClock())
        let (here, there) = try StorageUnderTest.postgreSQL.openTwice(in: state)
        try await Device.withEndpoint(dialect, on: there, in: state, clock: clock) { endpoint in
            let device = try await Device.registered(dialect, at: endpoint)
            try await Device.withEndpoint(dialect, on: here, in: state, clock: clock) { other in
                let page = try await LongPollTests.Page(at: other)
                let code = try await page.browser.anyCode(below: endpoint.base)
                let scanned = try await page.answer { try await endpoint.report("wid", code, dialect) }
                #expect(scanned.string("state") == "scanned")
                try await page.hearsOfALogin(by: device, code)
            }
        }
    }

    /// The storage refuses everything for a while: people are told to come back, and do.
    @Test(arguments: Dialect.allCases) func aStorageThatStands(_ dialect: Dialect) async throws {
        let state = TemporaryFolder()
        let storage = try StorageUnderTest.postgreSQL.open(in: state)
        let database = try #require(storage.durable as? PostgreSQLDurable).database
        try await Device.withEndpoint(dialect, on: storage, in: state) { endpoint in
            let (browser, base) = (Browser(endpoint.below("")), endpoint.base)
            #expect(try await browser.get(base + "/").status == 200)
            try await database.run(Call(Statement("ALTER TABLE entry RENAME TO away")))
            for path in ["/session", "/login"] {
                var reply = try await browser.get(base + path)
                if (301...308).contains(reply.status) { reply = try await browser.follow(reply) }
                #expect(reply.status == 503 && reply.headers[.retryAfter] == "5", "\(path)")
            }
            try await database.run(Call(Statement("ALTER TABLE away RENAME TO entry")))
            #expect(try await browser.get(base + "/session").object.string("state") == "new")
        }
    }

    /// Many are logged in at a fleet.
    @Test(arguments: [Dialect.milagro, .trust2025])
    func fiveThousandAreLoggedIn(_ dialect: Dialect) async throws {
        let state = TemporaryFolder()
        let storage = try StorageUnderTest.postgreSQL.open(in: state)
        let database = try #require(storage.durable as? PostgreSQLDurable).database
        try await Device.withEndpoint(dialect, on: storage, in: state) { endpoint in
            let device = try await Device.registered(dialect, at: endpoint)
            for isFull in [false, true] {
                let browser = Browser(endpoint.below(""))
                #expect(try await browser.get(endpoint.base + "/").status == 200)
                try await device.logIn(browser, at: endpoint.base)
                if isFull { continue }
                // As many others in each table that this login has left something in.
                try await database.run(
                    Call(
                        Statement(
                            """
                            INSERT INTO entry (table_name, key, value, expires, owner)
                            SELECT table_name, sha256(table_name::bytea || n::text::bytea), value, expires, 'p' || n
                            FROM (SELECT DISTINCT ON (table_name) * FROM entry WHERE owner LIKE 'p%') AS one,
                                generate_series(1, 5000) AS n
                            """)))
            }
        }
    }
}
