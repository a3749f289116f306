// SPDX-License-Identifier: Apache-2.0

import BackendValues
import HTTPTypes
import MPinCrypto
import PostgreSQL
import PostgreSQLTestKit
import Testing

@testable import ReferenceBackend

/// What a page that asks every second costs PostgreSQL, and that it hears in time what happened.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
struct PolledPageTests {
    private static let now = WallTime(seconds: 1000)
    private let now = Self.now
    private let end = Self.now + .seconds(60)

    /// Two processes at one database, and a table that is polled.
    private struct Two {
        let databases: [Database]
        let tables: [any VolatileTable<String, Int>]
        let storages: [BackendStorage]

        init() throws {
            let (first, second) = try StorageUnderTest.postgreSQL.openTwice(in: TemporaryFolder())
            storages = [first, second]
            databases = try storages.map { try #require($0.durable as? PostgreSQLDurable).database }
            tables = storages.map { $0.volatile.table("polled", bounds: TableBounds.ofPeople.polled(.ofAll)) }
        }

        /// The second process begins a page, and the first one has heard all that was said of it: notifications come in the
        /// order of what they are about, and the first one knows of a later change.
        func begin() async throws {
            let now = PolledPageTests.now
            for key in ["a", "later"] {
                try await tables[1].insert(1, for: key, expires: now + .seconds(60), now: now)
            }
            func later() async throws -> Int? {
                try await tables[0].polledEntry(for: "later", now: now, while: { $0 != nil })?.value
            }
            _ = try await later()
            try await tables[1].update("later", now: now) { $0 = 2 }
            while try await later() != 2 { try await Task.sleep(for: .milliseconds(2)) }
        }

        /// Waits until the process knows no more what it knew.
        func poll(_ process: Int, until value: Int?) async throws {
            while try await poll(process, now: PolledPageTests.now) != value {
                try await Task.sleep(for: .milliseconds(2))
            }
        }

        func poll(_ process: Int, now: WallTime) async throws -> Int? {
            try await tables[process].polledEntry(for: "a", now: now, while: { $0 != nil })?.value
        }

        /// - Returns: round trips of the first process.
        func cost(_ body: () async throws -> Void) async throws -> Int {
            let before = databases[0].roundTrips
            try await body()
            return databases[0].roundTrips - before
        }
    }

    @Test func isAskedOnceInFiveSeconds() async throws {
        let two = try Two()
        try await two.begin()
        // The last one is a clock that was set back.
        for (seconds, cost) in [(0, 1), (0, 0), (4, 0), (5, 1), (9, 0), (10, 1), (1, 1)] {
            let time = now + .seconds(seconds)
            let spent = try await two.cost { try #require(try await two.poll(0, now: time) == 1) }
            #expect(spent == cost, "\(seconds)")
        }
        // What has ended is not there.
        let brief = now + .seconds(1)
        try await two.tables[0].insert(1, for: "a", expires: brief, now: now)
        #expect(try await two.poll(0, now: now) == 1)
        #expect(try await two.poll(0, now: brief) == nil)
    }

    /// A stranger who guesses asks each time, and leaves nothing.
    @Test func whatIsNotThereIsNotRemembered() async throws {
        let two = try Two()
        let cost = try await two.cost {
            for _ in 0..<5 { try #require(try await two.poll(0, now: now) == nil) }
        }
        #expect(cost == 5)
        // Nor what a table holds that no page polls.
        let table: any VolatileTable<String, Int> = two.storages[0].volatile.table("other")
        try await table.insert(1, for: "a", expires: end, now: now)
        let other = try await two.cost {
            for _ in 0..<5 { _ = try await table.polledEntry(for: "a", now: now, while: { $0 != nil }) }
        }
        #expect(other == 5)
    }

    /// Whatever the other process does, as a call or as a step.
    @Test func aChangeElsewhereIsHeardOf() async throws {
        let two = try Two()
        let there = two.tables[1]
        try await there.insert(1, for: "a", expires: end, now: now)
        try await two.poll(0, until: 1)
        try await there.update("a", now: now) { $0 = 2 }
        try await two.poll(0, until: 2)
        let step = there.changing("a", now: now) { entry in
            entry?.value = 3
            return true
        }
        #expect(try await two.storages[1].volatile.attempt([step]))
        try await two.poll(0, until: 3)
        try await there.insert(4, for: "a", of: .person("alice"), expires: end, now: now)
        try await two.poll(0, until: 4)
        try await there.take("a", now: now)
        try await two.poll(0, until: nil)
        // What this process has done itself it knows at once.
        try await two.tables[0].insert(5, for: "a", expires: end, now: now)
        #expect(try await two.poll(0, now: now) == 5)
        try await two.tables[0].update("a", now: now) { $0 = 6 }
        #expect(try await two.poll(0, now: now) == 6)
    }

    /// A process whose notifications got lost is late by five seconds, and no more.
    @Test func aChangeThatIsNotHeardOf() async throws {
        let two = try Two()
        try await two.begin()
        #expect(try await two.poll(0, now: now) == 1)
        try await two.databases[1].run(Call(Statement("DELETE FROM entry")))
        #expect(try await two.poll(0, now: now + .milliseconds(4999)) == 1)
        #expect(try await two.poll(0, now: now + .seconds(5)) == nil)
    }

    /// Who listens has lost its connection, and all that was said meanwhile.
    @Test func aListenerThatIsCut() async throws {
        let two = try Two()
        try await two.begin()
        let before = try #require(two.databases[0].listeningConnection)
        #expect(try await two.poll(0, now: now) == 1)
        try await two.databases[1].run(Call(Statement("DELETE FROM entry")))
        let cut = Statement(
            """
            SELECT count(pg_terminate_backend(pid, 60000)) FROM pg_stat_activity
            WHERE query LIKE 'LISTEN ' || current_schema() || ';%'
            """)
        #expect(try await two.databases[1].run(Call(cut)).integer(0, 0) == 2)
        while two.databases[0].listeningConnection == before { try await Task.sleep(for: .milliseconds(2)) }
        #expect(try await two.poll(0, now: now) == nil)
    }

    /// A page that was opened at one process, with a device at another.
    @Test(arguments: Backend.Dialect.allCases) func thePageOfALogin(_ dialect: Backend.Dialect) async throws {
        let (state, clock) = (TemporaryFolder(), ManualClock())
        let (here, there) = try StorageUnderTest.postgreSQL.openTwice(in: state)
        let database = try #require(here.durable as? PostgreSQLDurable).database
        let configure = { @Sendable (configuration: inout Backend.Configuration) in
            configuration.companyID = AnyDevice.companyID
        }
        try await withBackend(state: state, clock: clock, storage: there, configure: configure) { other in
            let device = try await AnyDevice.registered(
                dialect, at: try other.identified(as: AnyDevice.companyID).below("/" + dialect.rawValue))
            try await withBackend(state: state, clock: clock, storage: here, configure: configure) { backend in
                let base = "/" + dialect.rawValue
                let (browser, application) = (Browser(backend), Browser(backend))
                #expect(try await browser.get(base + "/").status == 200)
                #expect(try await application.follow(try await application.get(base + "/login")).status == 200)
                func poll() async throws -> Int {
                    let before = database.roundTrips
                    for _ in 0..<10 {
                        #expect(try await browser.get(base + "/session").object.string("state") == "new")
                        #expect(try await application.get(application.authorization("session")).status == 200)
                    }
                    return database.roundTrips - before
                }
                // The code, and where there is one the number with the code that its page polls with; for an
                // application its browser, too.
                let first = dialect.hasAccessNumbers ? 7 : 3
                // The notification of the page's own beginning may come after the first question, which is asked again then.
                #expect(try await poll() <= 2 * first)
                var (cost, rounds) = (first, 0)
                while cost > 0, rounds < 50 { (cost, rounds) = (try await poll(), rounds + 1) }
                #expect(cost == 0)
                clock.advance(by: PolledEntries.lifetime)
                #expect(try await poll() <= first)
                let code = try await browser.anyCode(below: base)
                async let status = device.logIn(code)
                #expect(try await browser.waitForLogin(base + "/session") == AnyDevice.userID)
                #expect(try await status == 200)
            }
        }
    }

    /// The question of a page is held by one process, and the device asks another one.
    @Test(.timeLimit(.minutes(2)), arguments: [Backend.Dialect.milagro, .mfaV1, .trust2025])
    func aHeldQuestionHearsOfAnotherProcess(_ dialect: Backend.Dialect) async throws {
        let (state, clock) = (TemporaryFolder(), ManualClock())
        let (here, there) = try StorageUnderTest.postgreSQL.openTwice(in: state)
        let configure = { @Sendable (configuration: inout Backend.Configuration) in
            configuration.companyID = AnyDevice.companyID
        }
        let base = "/" + dialect.rawValue
        try await withBackend(state: state, clock: clock, storage: there, configure: configure) { other in
            let place = try other.identified(as: AnyDevice.companyID).below(base)
            let device = try await AnyDevice.registered(dialect, at: place)
            try await withBackend(state: state, clock: clock, storage: here, configure: configure) { backend in
                let page = try await HeldQuestionTests.Page(at: backend, below: base)
                let code = try await page.browser.anyCode(below: base)
                let scanned = try await page.answer { try await place.report("wid", code, dialect) }
                #expect(scanned.string("state") == "scanned")
                let version = try await page.version()
                async let last = page.ask(knowing: version)
                try await page.waitForQuestions()
                #expect(try await device.logIn(code) == 200)
                #expect(try await last.object.string("state") == "authenticated")
            }
        }
    }

    /// More are forgotten than are kept; a change that comes while an entry is read counts.
    @Test func entriesThemselves() {
        let entries = PolledEntries(key: SecretBytes([UInt8](repeating: 1, count: 32)))
        func known(_ name: PolledEntries.Name, connection: UInt64? = 1) -> Int?? {
            let found = entries.entry(name, of: TableEntry<Int>.self, connection, now: now)
            return found.map { $0?.value }
        }
        func keep(_ name: PolledEntries.Name, connection: UInt64? = 1, meanwhile: () -> Void = {}) {
            let reading = entries.begin(name, connection, now: now)
            meanwhile()
            entries.end(reading, at: name, with: TableEntry(value: 1, expires: end), isKept: true)
        }
        let name = entries.name("table", "a")
        #expect(name != entries.name("other", "a") && name != entries.name("table", "b"))
        keep(name)
        #expect(known(name) == .some(1) && known(name, connection: 2) == nil && known(name, connection: nil) == nil)
        keep(name, connection: nil)
        #expect(known(name, connection: nil) == nil)
        for text in [entries.text(name), "-", "-zz", "-\u{1f511}", "other"] {
            #expect(entries.forget(.notified(text)) == (text != "other"))
        }
        #expect(!entries.forget(.mayHaveMissed))
        #expect(known(name) == nil)
        keep(name) { entries.forget(name) }
        #expect(known(name) == nil)
        keep(name) { _ = entries.begin(name, 1, now: now) }
        #expect(known(name) == nil)
        for number in 0..<PolledEntries.capacity { keep(entries.name("table", "\(number)")) }
        let kept = (0..<PolledEntries.capacity).filter { known(entries.name("table", "\($0)")) != nil }
        #expect(!kept.isEmpty && kept.count <= PolledEntries.capacity)
        keep(name)
        #expect(known(name) == .some(1))
    }

    /// The storage refuses everything for a while: people are told to come back, and do.
    @Test(arguments: Backend.Dialect.allCases) func aStorageThatStands(_ dialect: Backend.Dialect) async throws {
        let state = TemporaryFolder()
        let storage = try StorageUnderTest.postgreSQL.open(in: state)
        let database = try #require(storage.durable as? PostgreSQLDurable).database
        try await withBackend(state: state, storage: storage, configure: { $0.companyID = AnyDevice.companyID }) {
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

    /// More people are logged in at a fleet than one process has room for.
    @Test(arguments: [Backend.Dialect.milagro, .trust2025])
    func fiveThousandAreLoggedIn(_ dialect: Backend.Dialect) async throws {
        let state = TemporaryFolder()
        let storage = try StorageUnderTest.postgreSQL.open(in: state)
        let database = try #require(storage.durable as? PostgreSQLDurable).database
        try await withBackend(state: state, storage: storage, configure: { $0.companyID = AnyDevice.companyID }) {
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
                            INSERT INTO entry (place, key, value, expires, owner, number, version)
                            SELECT place, sha256(place::bytea || n::text::bytea), value, expires, 'p' || n, n, n
                            FROM (SELECT DISTINCT ON (place) * FROM entry WHERE owner LIKE 'p%') AS one,
                                generate_series(1, 5000) AS n
                            """)))
            }
        }
    }
}
