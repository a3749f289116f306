// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import MPinServer
import Patience
import Testing

@testable import BackendValues
@testable import ReferenceBackend

/// The contract of the volatile part of every storage.
@Suite struct VolatileStorageTests {
    private static let start = WallTime(seconds: 1000)
    private let start = Self.start
    private let state = TemporaryFolder()

    private static func tables(_ kind: StorageUnderTest) throws -> any VolatileStorage {
        try kind.open(in: TemporaryFolder()).volatile
    }

    /// Six entries: three of newcomers, two of those from one address, three of one person.
    private static func table(_ kind: StorageUnderTest) throws -> any VolatileTable<String, Int> {
        var bounds = TableQuota(capacity: 6)
        (bounds.newcomers, bounds.perAddress, bounds.perPerson) = (3, 2, 3)
        return try tables(kind).table("table", bounds: bounds)
    }

    private static func newcomer(_ number: Int) -> EntryOwner {
        .newcomer(ClientAddress("192.0.2.\(number)") ?? .unknown)
    }

    private static func time(_ seconds: Int) -> WallTime { start + .seconds(seconds) }

    @Test(arguments: StorageUnderTest.allCases)
    func forgetsInTime(_ kind: StorageUnderTest) async throws {
        let table = try Self.table(kind)
        try await table.insert(1, for: "a", expires: Self.time(5), now: start)
        #expect(try await table.value(for: "a", now: Self.time(4)) == 1)
        #expect(try await table.entry(for: "a", now: Self.time(4))?.expires == Self.time(5))
        #expect(try await table.value(for: "a", now: Self.time(5)) == nil)
        #expect(try await table.take("a", now: Self.time(5)) == nil)
        #expect(try await table.values(now: Self.time(5)).isEmpty)
        let isThere = try await table.change("a", now: Self.time(5)) { $0 != nil }
        #expect(!isThere)
    }

    @Test(arguments: StorageUnderTest.allCases)
    func tellsTablesAndKeysApart(_ kind: StorageUnderTest) async throws {
        let tables = try Self.tables(kind)
        let (first, second): (any VolatileTable<String, Int>, any VolatileTable<String, Int>) =
            (tables.table("first"), tables.table("second"))
        let keys = ["a", "A", "", "a ", "\u{e9}", "aa", "o'neil; --", "100%_", "a\u{0}b"]
        for (number, key) in keys.enumerated() {
            try await first.insert(number, for: key, expires: Self.time(60), now: start)
        }
        for (number, key) in keys.enumerated() {
            #expect(try await first.value(for: key, now: start) == number)
            #expect(try await second.value(for: key, now: start) == nil)
        }
        // One name is one table, whoever asks.
        let again: any VolatileTable<String, Int> = tables.table("first")
        #expect(try await again.take("A", now: start) == 1)
        #expect(try await first.value(for: "A", now: start) == nil)
        #expect(try await first.values(now: start) == [8, 7, 6, 5, 4, 3, 2, 0])
    }

    /// The tables of one name at two processes, if the storage can be shared.
    private func two(
        _ name: String, _ kind: StorageUnderTest, bounds: TableQuota = TableQuota()
    ) throws -> [any VolatileTable<String, Int>] {
        let (first, second) = try kind.openTwice(in: state)
        return [first, second].map { $0.volatile.table(name, bounds: bounds) }
    }

    @Test(arguments: StorageUnderTest.allCases)
    func giveEverythingOnce(_ kind: StorageUnderTest) async throws {
        let tables = try two("codes", kind)
        for key in ["a", "b"] {
            let firsts = try await together(60) { number in
                // Different owners, for whom a server does not wait with each other.
                try await tables[number % 2].insert(
                    number, for: key, of: .person("user \(number % 3)"), expires: Self.time(60), now: Self.start)
            }
            #expect(firsts.filter { $0 }.count == 1)
            let taken = try await together(60) { try await tables[$0 % 2].take(key, now: Self.start) }
            #expect(taken.compactMap { $0 }.count == 1)
        }
    }

    /// A hundred at the same moment count a hundred, and a bound is met exactly.
    @Test(arguments: StorageUnderTest.allCases)
    func countsOnce(_ kind: StorageUnderTest) async throws {
        let tables = try two("wrong guesses", kind)
        let admitted = try await together(100) { number in
            try await tables[number % 2].change("wrong", now: Self.start) { entry in
                let count = (entry?.value ?? 0) + 1
                entry = TableEntry(value: count, expires: entry?.expires ?? Self.time(60))
                return count <= 20
            }
        }
        #expect(admitted.filter { $0 }.count == 20)
        for table in tables { #expect(try await table.value(for: "wrong", now: start) == 100) }
    }

    /// A table has room for one key, and two processes add it at the same moment: neither removes it to make room.
    @Test(arguments: StorageUnderTest.allCases)
    func countsOnceWhereOneKeyHasRoom(_ kind: StorageUnderTest) async throws {
        let (first, second) = try kind.openTwice(in: state)
        for round in 0..<100 {
            let tables: [any VolatileTable<String, Int>] = [first, second].map {
                $0.volatile.table("table \(round)", bounds: TableQuota(capacity: 1))
            }
            _ = try await together(8) { number in
                try await tables[number % 2].change("total", now: Self.start) { entry in
                    entry = TableEntry(value: (entry?.value ?? 0) + 1, expires: Self.time(60))
                }
            }
            #expect(try await tables[0].value(for: "total", now: start) == 8, "round \(round)")
        }
    }

    /// Of changes at the same moment, in two processes, one makes the entry, and all others find it.
    @Test(arguments: StorageUnderTest.allCases)
    func oneChangeMakesTheEntry(_ kind: StorageUnderTest) async throws {
        let tables = try two("marks", kind, bounds: .ofPeople)
        for round in 0..<50 {
            let found = try await together(8) { number in
                try await tables[number % 2].change("\(round)", of: .person("alice"), now: Self.start) { entry in
                    defer { entry = TableEntry(value: (entry?.value ?? 0) + 1, expires: Self.time(60)) }
                    return entry?.value
                }
            }
            #expect(found.filter { $0 == nil }.count == 1, "round \(round)")
            #expect(try await tables[1].value(for: "\(round)", now: start) == 8, "round \(round)")
        }
    }

    @Test(arguments: StorageUnderTest.allCases)
    func changesInPlace(_ kind: StorageUnderTest) async throws {
        let table = try Self.table(kind)
        try await table.update("a", now: start) { $0 += 1 }
        #expect(try await table.value(for: "a", now: start) == nil)
        try await table.insert(1, for: "a", expires: Self.time(10), now: start)
        try await table.update("a", now: start) { $0 += 1 }
        #expect(try await table.entry(for: "a", now: Self.time(9))?.value == 2)
        try await table.change("a", now: start) { $0?.expires = Self.time(20) }
        #expect(try await table.entry(for: "a", now: Self.time(19))?.expires == Self.time(20))
        try await table.change("a", now: start) { $0 = nil }
        #expect(try await table.value(for: "a", now: start) == nil)
    }

    @Test(arguments: StorageUnderTest.allCases)
    func theOldestWithoutAnOwnerGoes(_ kind: StorageUnderTest) async throws {
        let table = try Self.table(kind)
        try await table.insert(9, for: "9", of: .person("alice"), expires: Self.time(60), now: start)
        for number in 0..<8 {
            try await table.insert(number, for: "\(number)", expires: Self.time(60), now: start)
        }
        #expect(try await table.values(now: start) == [7, 6, 5, 4, 3, 9])
    }

    @Test(arguments: StorageUnderTest.allCases)
    func newcomersAreRefused(_ kind: StorageUnderTest) async throws {
        let table = try Self.table(kind)
        func insert(_ number: Int, from address: Int, at seconds: Int = 0) async throws {
            try await table.insert(
                number, for: "\(number)", of: Self.newcomer(address), expires: Self.time(60 + number),
                now: Self.time(seconds))
        }
        try await table.insert(0, for: "0", of: .person("alice"), expires: Self.time(60), now: start)
        for number in 1...2 { try await insert(number, from: 1) }
        let tooMany = await #expect(throws: Refusal.self) { try await insert(3, from: 1) }
        #expect(tooMany?.code == 429 && tooMany?.headers["Retry-After"] == "61")
        try await insert(3, from: 2)
        let full = await #expect(throws: Refusal.self) { try await insert(4, from: 3) }
        #expect(full?.code == 503 && full?.headers["Retry-After"] == "60")
        #expect(try await table.values(now: start) == [3, 2, 1, 0])
        // An entry that loses its owner no longer counts as a newcomer's.
        try await table.change("1", now: start) { $0?.owner = nil }
        try await insert(4, from: 1)
        // In time there is room again.
        try await insert(9, from: 1, at: 70)
    }

    @Test(arguments: StorageUnderTest.allCases)
    func aPersonLosesTheOwnOldest(_ kind: StorageUnderTest) async throws {
        let table = try Self.table(kind)
        for number in 0..<5 {
            try await table.insert(
                number, for: "\(number)", of: .person("alice"), expires: Self.time(60), now: start)
        }
        try await table.insert(9, for: "9", of: .person("bob"), expires: Self.time(60), now: start)
        #expect(try await table.values(now: start) == [9, 4, 3, 2])
        // A new value of a key takes the old one's place.
        try await table.insert(44, for: "4", of: .person("alice"), expires: Self.time(60), now: start)
        #expect(try await table.value(for: "2", now: start) == 2)
    }

    /// A change may make an entry, which has its owner's bounds.
    @Test(arguments: StorageUnderTest.allCases)
    func aChangeMakesAnEntry(_ kind: StorageUnderTest) async throws {
        let table = try Self.table(kind)
        func add(_ key: String) async throws -> Bool {
            try await table.change(key, of: Self.newcomer(1), now: start) { entry in
                guard entry == nil else {
                    entry?.value += 1
                    return false
                }
                entry = TableEntry(value: 1, expires: Self.time(60))
                return true
            }
        }
        #expect(try await add("a"))
        #expect(try await !add("a"))
        #expect(try await add("b"))
        let refusal = await #expect(throws: Refusal.self) { _ = try await add("c") }
        #expect(refusal?.code == 429)
        #expect(try await table.value(for: "c", now: start) == nil)
        #expect(try await !add("b"))
        #expect(try await table.values(now: start).sorted() == [2, 2])
    }

    /// A caller that waits hears of each kind of change.
    @Test(arguments: StorageUnderTest.allCases)
    func tellsOfChanges(_ kind: StorageUnderTest) async throws {
        let table: any VolatileTable<String, Int> = try Self.tables(kind).table(
            "watched", bounds: TableQuota.ofPeople.watched)
        func isTold(_ change: () async throws -> Void) async throws -> Bool {
            let changes = table.changes(of: "a")
            try await change()
            return await changes.first { _ in true } != nil
        }
        let end = Self.time(60)
        #expect(try await isTold { try await table.insert(1, for: "a", expires: end, now: start) })
        #expect(try await isTold { try await table.update("a", now: start) { $0 = 2 } })
        #expect(try await isTold { try await table.take("a", now: start) })
        #expect(
            try await isTold {
                try await table.insert(3, for: "a", of: Self.newcomer(1), expires: end, now: start)
            })
    }
}
