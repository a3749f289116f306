// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Dispatch
import MPinCrypto
import Patience
import PostgreSQL
import PostgreSQLTestKit
import Sealing
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// Additions of PostgreSQL to the contract: several processes, each with connections of its own.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
struct PostgreSQLStorageTests {
    private static let now = WallTime(seconds: 1000)
    private static let mpinID = MPinID([1])
    private let now = Self.now

    private static func two() throws -> [BackendStorage] {
        let (first, second) = try StorageUnderTest.postgreSQL.openTwice(in: TemporaryFolder())
        return [first, second]
    }

    /// The bound of an address holds wherever it asks, but for as many as ask at the same moment.
    @Test func anAddressHasItsShare() async throws {
        let bounds = TableQuota(capacity: 160)
        let tables: [any VolatileTable<String, Int>] = try Self.two().map { $0.volatile.table("pages", bounds: bounds) }
        let address = try #require(ClientAddress("192.0.2.7"))
        let admitted = try await together(40) { number in
            do {
                try await tables[number % 2].insert(
                    number, for: "page \(number)", of: .newcomer(address), expires: Self.now + .seconds(60),
                    now: Self.now)
                return true
            } catch let refusal as Refusal {
                #expect(refusal.code == 429)
                return false
            }
        }
        let most = bounds.perAddress + 2 * Database.Settings().connections
        #expect((bounds.perAddress...most).contains(admitted.filter { $0 }.count))
        await #expect(throws: Refusal.self) {
            try await tables[0].insert(
                1, for: "another", of: .newcomer(address), expires: Self.now + .seconds(60), now: Self.now)
        }
    }

    private static func watched(_ storage: BackendStorage) -> any VolatileTable<String, Int> {
        storage.volatile.table("watched", bounds: TableQuota.ofPeople.watched)
    }

    /// Changes reach the other process, whatever a process that has nothing to do with this database says there.
    @Test func changesReachTheOtherProcess() async throws {
        let storages = try Self.two()
        let database = try #require(storages[0].volatile as? PostgreSQLVolatile).database
        let tables = storages.map { Self.watched($0) }
        var changes = tables[1].changes(of: "a").makeAsyncIterator()
        for text in ["", "a", "\u{1f511} '\"\\ ; --", String(repeating: "a", count: 7999)] {
            try await database.run(database.notification(text))
        }
        try await tables[0].insert(1, for: "a", expires: now + .seconds(60), now: now)
        #expect(await changes.next() != nil)
    }

    /// A notification gets lost: who waits looks all the same.
    @Test(.timeLimit(.minutes(10))) func whoWaitsLooksNowAndThen() async throws {
        let storage = try BackendStorage.postgreSQL(
            at: PostgreSQLServer.shared.address,
            settings: Database.Settings(schema: "looks", limit: .seconds(60), polling: .milliseconds(20)))
        var changes = Self.watched(storage).changes(of: "a").makeAsyncIterator()
        for _ in 0..<3 { #expect(await changes.next() != nil) }
    }

    /// A process is gone in the midst of a change: its rows are free, and nothing of it has happened.
    @Test func aProcessThatIsGoneFreesItsRows() async throws {
        let storages = try Self.two()
        try await storages[0].durable.add(
            RegisteredIdentity(mpinID: Self.mpinID, userID: "alice", registered: now))
        let databases = try storages.map { try #require($0.durable as? PostgreSQLDurable).database }
        let (first, second) = (databases[0], databases[1])
        let (processes, process) = AsyncStream.makeStream(of: Int64.self)
        let isGone = DispatchSemaphore(value: 0)
        async let fault = #expect(throws: DatabaseFault.self) {
            try await first.transaction { transaction throws(DatabaseFault) in
                let lock = Statement("SELECT pg_backend_pid()::bigint FROM identity FOR UPDATE")
                process.yield(try transaction.run([Call(lock)])[0].integer(0, 0))
                isGone.wait()
                try transaction.commit([Call(Statement("UPDATE identity SET failures = 2"))])
            }
        }
        let end = Statement("SELECT pg_terminate_backend($1::int, 60000)")
        try await second.run(Call(end, .integer(await processes.first { _ in true })))
        isGone.signal()
        #expect(await fault != nil)
        let failures = try await storages[1].durable.change(Self.mpinID) {
            $0.failures += 1
            return $0.failures
        }
        #expect(failures == 1)
    }

    /// A change by another process is always seen.
    @Test func anotherProcessChangesIt() async throws {
        let tables: [any VolatileTable<String, Int>] = try Self.two().map { $0.volatile.table("seen") }
        let end = now + .seconds(60)
        for turn in 0..<12 {
            let table = tables[turn % 2]
            let seen = try await table.change("a", now: now) { entry -> Int? in
                defer { entry = TableEntry(value: turn, expires: end) }
                return entry?.value
            }
            #expect(seen == (turn == 0 ? nil : turn - 1))
            // A change that changes nothing sees what is there, too.
            let other = try await tables[(turn + 1) % 2].change("a", now: now) { $0?.value }
            #expect(other == turn)
        }
        try await tables[0].take("a", now: now)
        #expect(try await tables[1].change("a", now: now) { $0?.value } == nil)
        try await tables[1].change("a", now: now) { $0 = TableEntry(value: 1, expires: end) }
        try await tables[0].change("a", now: now) { $0 = nil }
        let isThere = try await tables[1].change("a", now: now) { entry in
            defer { entry?.value += 1 }
            return entry != nil
        }
        #expect(!isThere)
        #expect(try await tables[0].value(for: "a", now: now) == nil)
    }

    /// One whose clock is years ahead clears away nothing that others still have.
    @Test func aWrongClock() async throws {
        let storages = try Self.two()
        let tables: [any VolatileTable<String, Int>] = storages.map { $0.volatile.table("clocks") }
        let real = WallTime(milliseconds: SystemWallClock().now.milliseconds)
        try await tables[0].insert(1, for: "a", expires: real + .seconds(600), now: real)
        let ahead = real + .seconds(100_000_000)
        try await tables[1].insert(2, for: "b", expires: ahead + .seconds(60), now: ahead)
        #expect(try await tables[0].value(for: "a", now: real) == 1)
    }

    /// Any process clears away what has expired, its own and others'.
    @Test func whatHasExpiredIsClearedAway() async throws {
        let state = TemporaryFolder()
        let (first, second) = try StorageUnderTest.postgreSQL.openTwice(in: state)
        let (old, new): (any VolatileTable<String, Int>, any VolatileTable<String, Int>) =
            (first.volatile.table("old"), second.volatile.table("new"))
        for number in 0..<50 {
            try await old.insert(number, for: "\(number)", expires: now + .seconds(5), now: now)
        }
        let tables = try #require(second.volatile as? PostgreSQLVolatile)
        let count = Statement("SELECT count(*) FROM entry")
        #expect(try await tables.database.run(Call(count)).integer(0, 0) == 50)
        try await new.insert(1, for: "1", expires: now + .seconds(60), now: now + .seconds(20))
        #expect(try await tables.database.run(Call(count)).integer(0, 0) == 1)
    }

    /// By the server's clock: what is older than 25 hours goes with the next that come, and what cannot be.
    @Test func oldAndImpossibleQuartersGo() async throws {
        let storage = try StorageUnderTest.postgreSQL.open(in: TemporaryFolder()).operators
        let database = try #require(storage as? PostgreSQLDurable).database
        let odd = Statement(
            "INSERT INTO tally SELECT floor(extract(epoch FROM clock_timestamp()) / 900)::bigint + $1, 1, 0, 0, 0")
        for shift: Int64 in [-101, -98, 50] { try await database.run(Call(odd, .integer(shift))) }
        try await storage.add(LoginCounts(wrongPIN: 1), now: now)
        let sum = try await storage.activity(now: now).quarters.values.reduce(LoginCounts(), +)
        #expect(sum == LoginCounts(right: 1, wrongPIN: 1))
        #expect(try await database.run(Call(Statement("SELECT count(*) FROM tally"))).integer(0, 0) == 2)
    }

    /// After a power cut: what is durable is there, what is volatile is not, and everything goes on.
    @Test func aServerThatIsKilled() async throws {
        let server = try PostgreSQLServer()
        let storage = try BackendStorage.postgreSQL(
            at: server.address, settings: Database.Settings(limit: .seconds(60)))
        let identity = RegisteredIdentity(mpinID: Self.mpinID, userID: "alice", registered: now)
        try await storage.durable.add(identity)
        let verdict = LoginVerdict(isRight: false, forgives: true, wrong: 1, time: now)
        _ = try await storage.durable.change(Self.mpinID) { $0.count(verdict, lease: LoginLease(Self.now)) }
        let table: any VolatileTable<String, Int> = storage.volatile.table("codes")
        try await table.insert(1, for: "a", expires: now + .seconds(60), now: now)
        try server.crash()
        #expect(try await storage.durable.identity(Self.mpinID)?.failures == 1)
        #expect(try await table.value(for: "a", now: now) == nil)
        try await table.insert(2, for: "a", expires: now + .seconds(60), now: now)
        #expect(try await table.value(for: "a", now: now) == 2)
    }

    /// Keys may be secrets, and do not reach the server as they are.
    @Test func keysAreDigested() async throws {
        let storage = try StorageUnderTest.postgreSQL.open(in: TemporaryFolder())
        let table: any VolatileTable<String, Int> = storage.volatile.table("codes")
        try await table.insert(1, for: "secret", expires: now + .seconds(60), now: now)
        let tables = try #require(storage.volatile as? PostgreSQLVolatile)
        let rows = try await tables.database.run(Call(Statement("SELECT key FROM entry")))
        #expect(rows.count == 1)
        #expect(try rows.bytes(0, 0) == Digest.sha256(Array("secret".utf8)))
    }

    @Test(arguments: ["host=db password=hunter2", "host=/nonexistent", "nonsense"])
    func whatCannotBeReachedIsSaid(_ address: String) throws {
        let error = #expect(throws: BackendError.self) { try BackendStorage.postgreSQL(at: address) }
        switch error {
        case .databaseAddress(_, let hint)?, .databaseServer(_, let hint)?: #expect(hint?.isEmpty == false)
        default: Issue.record("another error")
        }
        #expect(error.map { "\($0)".contains("hunter2") } == false)
    }
}
