// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import HTTPTypes
import MPinCrypto
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
    @Test(.timeLimit(.minutes(2)), arguments: [Dialect.milagro, .mfaV1, .trust2025])
    func aHeldQuestionHearsOfAnotherProcess(_ dialect: Dialect) async throws {
        let (state, clock) = (TemporaryFolder(), ManualWallClock())
        let (here, there) = try StorageUnderTest.postgreSQL.openTwice(in: state)
        let options = ["--company-id", AnyDevice.companyID]
        let base = "/" + dialect.rawValue
        try await withBackend(state: state, clock: clock, storage: there, options: options) { other in
            let place = try other.identified(as: AnyDevice.companyID).below(base)
            let device = try await AnyDevice.registered(dialect, at: place)
            try await withBackend(state: state, clock: clock, storage: here, options: options) { backend in
                let page = try await LongPollTests.Page(at: backend, below: base)
                let code = try await page.browser.anyCode(below: base)
                let scanned = try await page.answer { try await place.report("wid", code, dialect) }
                #expect(scanned.string("state") == "scanned")
                let version = try await page.version()
                async let last = page.ask(knowing: version)
                try await page.waitForPolls()
                #expect(try await device.logIn(code) == 200)
                #expect(try await last.object.string("state") == "authenticated")
            }
        }
    }

    /// The storage refuses everything for a while: people are told to come back, and do.
    @Test(arguments: Dialect.allCases) func aStorageThatStands(_ dialect: Dialect) async throws {
        let state = TemporaryFolder()
        let storage = try StorageUnderTest.postgreSQL.open(in: state)
        let database = try #require(storage.durable as? PostgreSQLDurable).database
        try await withBackend(state: state, storage: storage, options: ["--company-id", AnyDevice.companyID]) {
            let (browser, base) = (Browser($0), "/" + dialect.rawValue)
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
        try await withBackend(state: state, storage: storage, options: ["--company-id", AnyDevice.companyID]) {
            let place = try $0.identified(as: AnyDevice.companyID).below("/" + dialect.rawValue)
            let device = try await AnyDevice.registered(dialect, at: place)
            for isFull in [false, true] {
                let browser = Browser(place.below(""))
                #expect(try await browser.get(place.base + "/").status == 200)
                let code = try await browser.anyCode(below: place.base)
                async let status = device.logIn(code)
                #expect(try await browser.waitForLogin(place.base + "/session") == AnyDevice.userID)
                #expect(try await status == 200)
                if isFull { continue }
                // As many others in each table that this login has left something in.
                try await database.run(
                    Call(
                        Statement(
                            """
                            INSERT INTO entry (place, key, value, expires, owner)
                            SELECT place, sha256(place::bytea || n::text::bytea), value, expires, 'p' || n
                            FROM (SELECT DISTINCT ON (place) * FROM entry WHERE owner LIKE 'p%') AS one,
                                generate_series(1, 5000) AS n
                            """)))
            }
        }
    }
}
