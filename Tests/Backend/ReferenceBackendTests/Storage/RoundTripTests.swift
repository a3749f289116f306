// SPDX-License-Identifier: Apache-2.0

import BackendValues
import PostgreSQL
import PostgreSQLTestKit
import Testing

@testable import ReferenceBackend

/// What a login costs in round trips to PostgreSQL: how often something is sent, and its answer waited for.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
struct RoundTripTests {
    /// From a page without a code to the page that says who is logged in: no dialect needs more than six. A page
    /// that asks before costs one more each time.
    @Test(arguments: Backend.Dialect.allCases) func ofALoginByQRCode(_ dialect: Backend.Dialect) async throws {
        let state = TemporaryFolder()
        let storage = try BackendStorage.postgreSQL(
            at: PostgreSQLServer().address,
            settings: Database.Settings(limit: .seconds(60), polling: .seconds(3600)),
            credentials: AppCredentials(path: StateDirectory(path: state.path).file("credentials")))
        let database = try #require(storage.durable as? PostgreSQLDurable).database
        try await withBackend(
            state: state, storage: storage, configure: { $0.companyID = AnyDevice.companyID }
        ) { backend in
            let place = try backend.identified(as: AnyDevice.companyID).below("/" + dialect.rawValue)
            let device = try await AnyDevice.registered(dialect, at: place)
            let isClassic = dialect.platformGeneration == nil
            // The first one lets the sweeper go by.
            var costs: [Int] = []
            for _ in 0..<2 {
                costs = []
                var before = database.roundTrips
                func note() {
                    costs.append(database.roundTrips - before)
                    before = database.roundTrips
                }
                let browser = Browser(place.below(""))
                #expect(try await browser.get(place.base + "/").status == 200)
                let code = try await browser.anyCode(below: place.base)
                note()
                let passTwo = try await device.passTwo(pin: "1234", accessCode: code, isPermitted: note)
                if !isClassic { costs.append(0) }
                note()
                let last = try device.lastBody(try await device.sendPassTwo(passTwo))
                note()
                async let status = device.finish(last).status
                if isClassic {
                    while database.roundTrips < before + 2 { try await Task.sleep(for: .milliseconds(1)) }
                    try await Task.sleep(for: .milliseconds(300))
                } else {
                    _ = try await status
                }
                note()
                #expect(try await browser.waitForLogin(place.base + "/session") == AnyDevice.userID)
                #expect(try await status == 200)
                note()
            }
            // The page, the time permit, pass 1, pass 2, the verdict, and the page again.
            let permit = dialect.usesTimePermits ? 1 : 0
            #expect(costs == [0, permit, 1, 1, 2, isClassic ? 1 : 2], "\(dialect): \(costs)")
        }
    }

    /// Before the first pass: a number for the page, and what the device says of the picture.
    @Test func ofWhatIsShownAndScanned() async throws {
        let (state, now) = (TemporaryFolder(), WallTime(seconds: 1000))
        let storage = try StorageUnderTest.postgreSQL.open(in: state)
        let database = try #require(storage.durable as? PostgreSQLDurable).database
        let sessions = try LoginSessions(at: "place", in: storage.volatile)
        let end = now + .seconds(60)
        // The first one lets the sweeper go by.
        for number in ["1234567", "7654321"] {
            var before = database.roundTrips
            func cost() -> Int {
                defer { before = database.roundTrips }
                return database.roundTrips - before
            }
            let code = try sessions.openCode(until: end).accessCode
            #expect(try await sessions.open(number, until: end, now: now) != nil)
            let ofNumber = cost()
            #expect(try await sessions.report(.scanned, of: "", to: code, now: now) != nil)
            let ofScan = cost()
            #expect(try await sessions.report(.user, of: "alice", to: code, now: now) != nil)
            if number == "7654321" { #expect([ofNumber, ofScan, cost()] == [1, 1, 1]) }
        }
    }
}
