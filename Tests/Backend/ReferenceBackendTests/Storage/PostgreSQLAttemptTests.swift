// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto
import PostgreSQL
import PostgreSQLTestKit
import Testing

@testable import ReferenceBackend

/// Several steps in one round trip: all of them or none, whatever another process does meanwhile.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
struct PostgreSQLAttemptTests {
    private static let now = WallTime(seconds: 1000)
    private static let mpinID = MPinID([1])
    private let now = Self.now
    private let end = Self.now + .seconds(60)

    private struct Two {
        let storages: [BackendStorage]
        /// The same table, at either.
        let tables: [any VolatileTable<String, Int>]

        init() throws {
            let (first, second) = try StorageUnderTest.postgreSQL.openTwice(in: TemporaryFolder())
            storages = [first, second]
            tables = storages.map { $0.volatile.table("table") }
        }
    }

    @Test func allOrNothing() async throws {
        let two = try Two()
        let (storage, table) = (two.storages[0].volatile, two.tables[0])
        func insertion(_ key: String) -> (any VolatileStep)? {
            table.inserting(1, for: key, of: .person("alice"), expires: end, now: now)
        }
        #expect(try await storage.attempt([insertion("a"), insertion("b")]))
        // The second is there already.
        #expect(try await !storage.attempt([insertion("c"), insertion("b")]))
        // One that cannot be.
        #expect(try await !storage.attempt([insertion("c"), nil]))
        #expect(try await table.value(for: "c", now: now) == nil)
        #expect(try await two.tables[1].values(now: now) == [1, 1])
    }

    @Test func whatAnotherProcessHasChangedDoesNotFit() async throws {
        let two = try Two()
        let (here, there) = (two.tables[0], two.tables[1])
        try await here.insert(1, for: "a", expires: end, now: now)
        func attempt(at process: Int) async throws -> Bool {
            let step = two.tables[process].changing("a", now: now) { entry in
                guard let known = entry?.value else { return false }
                entry?.value = known + 1
                return true
            }
            return try await two.storages[process].volatile.attempt([step])
        }
        // What was never seen cannot be changed.
        #expect(try await !attempt(at: 1))
        for table in [here, there] { #expect(try await table.value(for: "a", now: now) == 1) }
        #expect(try await attempt(at: 0))
        #expect(try await attempt(at: 0))
        #expect(try await !attempt(at: 1))
        #expect(try await there.value(for: "a", now: now) == 3)
        #expect(try await attempt(at: 1))
        #expect(try await here.value(for: "a", now: now) == 4)
    }

    /// A verdict counts, whatever becomes of what it was to bring about.
    @Test(arguments: [true, false]) func aVerdictCountsWithoutItsSequel(isPossible: Bool) async throws {
        let two = try Two()
        let (storage, table) = (two.storages[0], two.tables[0])
        try await storage.durable.add(
            RegisteredIdentity(mpinID: Self.mpinID, userID: "alice", registered: now, failures: 2))
        if !isPossible { try await two.tables[1].insert(7, for: "a", expires: end, now: now) }
        let sequel = VerdictSequel(
            steps: [table.inserting(1, for: "a", of: .person("alice"), expires: end, now: now)], mustBeGood: true)
        let verdict = LoginVerdict(isRight: true, forgives: true, wrong: 0, time: now, takenBack: .seconds(-30))
        let settled = try await storage.ledger.settle(verdict, of: Self.mpinID, claim: 1, now: now, then: sequel)
        #expect(settled.hasSequel == isPossible && settled.identity?.failures == 0 && settled.identity?.verdicts == 1)
        #expect(try await table.value(for: "a", now: now) == (isPossible ? 1 : 7))
        // Nothing is brought about for one that is revoked, or blocked.
        _ = try await storage.durable.revoke(IdentitySelection(userID: "alice"), now: now)
        let other = VerdictSequel(
            steps: [table.inserting(1, for: "b", of: .person("alice"), expires: end, now: now)], mustBeGood: true)
        let revoked = try await storage.ledger.settle(verdict, of: Self.mpinID, claim: 1, now: now, then: other)
        #expect(!revoked.hasSequel && revoked.isRevoked && revoked.identity?.verdicts == 2)
        let step = storage.ledger.mustNotBeRevoked(Self.mpinID)
        #expect(try await !storage.volatile.attempt([step]))
        #expect(try await table.value(for: "b", now: now) == nil)
    }

    /// A hundred wrong ones at the same moment, each with a sequel that does not fit: three count.
    @Test func aHundredBlockAtTheThird() async throws {
        let two = try Two()
        try await two.storages[0].durable.add(
            RegisteredIdentity(mpinID: Self.mpinID, userID: "alice", registered: now))
        let verdict = LoginVerdict(isRight: false, forgives: true, wrong: 1, time: now, takenBack: .seconds(-30))
        let counts = try await withThrowingTaskGroup(of: Int64?.self) { group in
            for number in 0..<100 {
                let (storage, table) = (two.storages[number % 2], two.tables[number % 2])
                group.addTask {
                    let step = table.inserting(
                        1, for: "a", of: .person("alice"), expires: Self.now + .seconds(60), now: Self.now)
                    return try await storage.ledger.settle(
                        verdict, of: Self.mpinID, claim: 1, now: Self.now, then: VerdictSequel(steps: [step])
                    ).identity?.failures
                }
            }
            return try await group.reduce(into: [Int64]()) { if let count = $1 { $0.append(count) } }
        }
        #expect(counts.sorted() == [1, 2, 3])
    }

    /// Every user of the server may notify; only this storage's processes are believed.
    @Test func whatASignalSaysIsTheStorages() async throws {
        let two = try Two()
        let tables = try #require(two.storages[0].volatile as? PostgreSQLTables)
        var signals = two.storages[1].volatile.signals("login").makeAsyncIterator()
        try await two.storages[0].volatile.signal("login", saying: [1, 2, 3])
        #expect(await signals.next() == [1, 2, 3])
        let name = Waiters.name(of: "login")
        for forged in ["AQID", "", ".", "!", String(repeating: "A", count: 400)] {
            try await tables.database.run(tables.database.notification("\(name).\(forged)"))
            #expect(await signals.next() == [])
        }
        // What does not fit into a notification is looked up.
        try await two.storages[0].volatile.signal("login", saying: [UInt8](repeating: 1, count: 9000))
        #expect(await signals.next() == [])
    }

    /// A fleet's people have more room, and strangers no more of it.
    @Test func placesGrowForPeople() async throws {
        var bounds = TableBounds(capacity: 6)
        (bounds.newcomers, bounds.perAddress, bounds.growth) = (3, 2, 4)
        let table: any VolatileTable<String, Int> = try Two().storages[0].volatile.table("people", bounds: bounds)
        func insert(_ number: Int, of owner: EntryOwner) async throws {
            try await table.insert(number, for: "\(number)", of: owner, expires: end, now: now)
        }
        for number in 0..<20 { try await insert(number, of: .person("user \(number)")) }
        for number in 20..<23 {
            try await insert(number, of: .newcomer(ClientAddress("192.0.2.\(number)") ?? .unknown))
        }
        let refused = await #expect(throws: Refusal.self) {
            try await insert(23, of: .newcomer(ClientAddress("192.0.2.99") ?? .unknown))
        }
        #expect(refused?.code == 503)
        try await insert(23, of: .person("user 23"))
        let full = await #expect(throws: Refusal.self) { try await insert(24, of: .person("user 24")) }
        #expect(full?.code == 503)
        #expect(try await table.values(now: now).count == 24)
    }
}
