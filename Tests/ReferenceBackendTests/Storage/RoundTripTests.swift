// SPDX-License-Identifier: Apache-2.0

import BackendValues
import PostgreSQL
import PostgreSQLTestKit
import Testing

@testable import ReferenceBackend

/// What a login costs in round trips to PostgreSQL, as that one counts statements: none is sent together with another.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
struct RoundTripTests {
    private static let count = Statement(
        """
        SELECT coalesce(sum(calls), 0)::bigint FROM pg_stat_statements
        WHERE query !~ 'pg_stat_statements|set_config|^LISTEN|sweep'
        """)
    private static let reset = Statement("SELECT pg_stat_statements_reset()::text")

    /// From pass 1 to the page that says who is logged in; the page asks once.
    @Test(arguments: [Backend.Dialect.trust2025: 15, .mfaV2: 15])
    func ofALoginByQRCode(_ dialect: Backend.Dialect, most: Int64) async throws {
        let state = TemporaryFolder()
        let server = try PostgreSQLServer()
        let counter = try Database(
            at: ServerTarget(server.address), settings: Database.Settings(schema: "counter", limit: .seconds(60)),
            migrations: [Migration("first", "CREATE EXTENSION pg_stat_statements")]
        ) { _ in }
        let storage = try BackendStorage.postgreSQL(
            at: server.address, settings: Database.Settings(limit: .seconds(60), polling: .seconds(3600)),
            credentials: AppCredentials(path: StateDirectory(path: state.path).file("credentials")))
        try await withBackend(
            state: state, storage: storage, configure: { $0.companyID = AnyDevice.companyID }
        ) { backend in
            let place = try backend.identified(as: AnyDevice.companyID).below("/" + dialect.rawValue)
            let device = try await AnyDevice.registered(dialect, at: place)
            // The first one prepares what the second one needs.
            for _ in 0..<2 {
                let browser = Browser(place.below(""))
                #expect(try await browser.get(place.base + "/").status == 200)
                let accessID = try await browser.accessID(below: place.base)
                try await counter.run(Call(Self.reset))
                #expect(try await device.logIn(accessID) == 200)
                #expect(try await browser.waitForLogin(place.base + "/session") == AnyDevice.userID)
            }
            let count = try await counter.run(Call(Self.count)).integer(0, 0)
            #expect((1...most).contains(count), "\(count)")
        }
    }
}
