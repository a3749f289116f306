// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import LoginValues
import MPinClient
import Patience
import Testing

@testable import SQLiteStore

/// Identities after bytes of their database were changed.
@Suite struct Rescues {
    let place = TemporaryStore(inMemory: true)
    /// Two small ones on one page, and three with pages of their own, one of them with a chain of pages.
    let all = [3, 40, 3900, 3950, 9000].enumerated().map { index, length in
        identity(
            "user\(index)@example.com", (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ index) },
            number: index + 1)
    }

    private func makeStore() async throws -> [String: Data] {
        try await place.save(all)
        return place.files
    }

    private static let pageSize = 4096

    /// The database pages of each record.
    private func pages(of database: Data, but index: Int) -> [[Int]] {
        all.map { identity in
            // A record is sealed, but its owner's name is not. The row begins there and continues after it.
            let name = Data(identity.key.userID.utf8)
            let size = Rescues.pageSize
            return stride(from: 0, to: database.count, by: size).map { $0 / size }.filter { page in
                page != index && database[page * size..<(page + 1) * size].range(of: name) != nil
            }
        }
    }

    /// The first page of a table or an index, counted from zero.
    private func root(of name: String) throws -> Int {
        let page = try place.read {
            try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [name])
        }
        return try #require(page) - 1
    }

    @Test func inventsNothingAndCountsWhatIsLost() async throws {
        let sound = try await makeStore()
        // The pages where SQLite begins to read.
        let beginnings = [0, try root(of: "identity")]
        let database = try #require(sound["state/identities.sqlite"])
        var random = Dice(seed: 20_261_122)
        // The beginnings of rows, with their lengths and numbers.
        let heads = all.flatMap { identity -> [Int] in
            let name = Data(identity.key.userID.utf8)
            var places: [Int] = []
            var rest = database.startIndex..<database.endIndex
            while let found = database.range(of: name, in: rest) {
                places += (1...12).map { found.lowerBound - $0 }
                rest = found.upperBound..<database.endIndex
            }
            return places
        }
        // All bytes with a fixed meaning in the first page, and many of those; elsewhere a sample.
        let rounds = TestEffort.rounds(800)
        var rescues = 0
        var told = 0
        for round in 0..<rounds {
            let place =
                round < 100 ? round : round < rounds / 2 ? heads[random.next(heads.count)] : random.next(database.count)
            var broken = database
            broken[place] ^= 1 << UInt8(random.next(8))
            try self.place.write(sound.merging(["state/identities.sqlite": broken]) { $1 })
            let store = try await reopened(self.place.location)
            let found = try await store.identities()
            let why = "byte \(place), round \(round)"
            #expect(found.allSatisfy(all.contains), "\(why)")
            #expect(found.count + store.health.missing == all.count, "\(why): \(found.count), \(store.health)")
            // No other page has more than two rows.
            #expect(found.count >= all.count - 2 || beginnings.contains(place / Rescues.pageSize), "\(why)")
            if let aside = store.health.movedAside {
                rescues += 1
                #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == broken, "\(why)")
                #expect(try self.place.mode(aside) == 0o600)
            }
            if store.health.missing > 0 { told += 1 }
            // The store works: an opened store can be written.
            try await store.save(all[1])
            #expect(try await store.identities().contains { $0.key == all[1].key && $0.record == all[1].record })
        }
        #expect(rescues > rounds / 20 && told > 0)
        let asides = try FileManager.default.contentsOfDirectory(atPath: place.location.directory).filter {
            $0.contains(".damaged-")
        }
        #expect(asides.count == DatabaseFile.asideCapacity)
    }

    @Test func losesTheRowsOfADamagedPage() async throws {
        let sound = try await makeStore()
        let database = try #require(sound["state/identities.sqlite"])
        let table = try root(of: "identity")
        let places = pages(of: database, but: try root(of: "sqlite_autoindex_identity_1"))
        #expect(Set(places.flatMap(\.self)).count > 3)
        for page in 0..<database.count / Rescues.pageSize {
            var broken = database
            let start = page * Rescues.pageSize
            broken.replaceSubrange(
                start..<start + Rescues.pageSize, with: Data(repeating: 0xA5, count: Rescues.pageSize))
            try place.write(sound.merging(["state/identities.sqlite": broken]) { $1 })
            let store = try await reopened(place.location)
            let found = try await store.identities()
            #expect(found.allSatisfy(all.contains) && found.count + store.health.missing == all.count)
            if [0, table].contains(page) {
                // Without these pages SQLite finds no row. The kiosk starts all the same.
                #expect(found.isEmpty && store.health.lost == all.count, "page \(page)")
                continue
            }
            for (identity, pages) in zip(all, places) where !pages.contains(page) {
                // The chain of the longest has pages without its name.
                guard identity.record.count < 4000 else { continue }
                #expect(found.contains(identity), "page \(page): \(identity.key.userID)")
            }
        }
    }

    @Test(arguments: [true, false]) func anEmptyFileIsALossThatIsTold(_ isThere: Bool) async throws {
        let sound = try await makeStore()
        let file = place.location.database
        if isThere {
            try place.write(sound.merging(["state/identities.sqlite": Data()]) { $1 })
        } else {
            try FileManager.default.removeItem(atPath: file)
        }
        if isThere { #expect(try SQLiteIdentityStorage(at: place.location, .reading).health.lost == 5) }
        for _ in 0..<2 {
            let store = try await reopened(place.location)
            #expect(try await store.identities().isEmpty && store.health.lost == 5)
        }
        let store = try await reopened(place.location)
        // No person gets another person's number.
        #expect(try await store.save(all[0]) == 6)
        #expect(try SQLiteIdentityStorage(at: place.location, .reading).health.lost == 5)
        #expect(try await store.acceptLosses() == 5)
        #expect(store.health.isGood)
        #expect(try SQLiteIdentityStorage(at: place.location, .reading).health.isGood)
    }

    @Test func withoutTheKeyNothingIsGivenUp() async throws {
        let sound = try await makeStore()
        try place.write(sound.merging(["state/identities.sqlite": Data(repeating: 7, count: 9000)]) { $1 })
        try FileManager.default.removeItem(atPath: place.location.keyFile)
        #expect(openingError(place.location)?.code == .keyMissing)
        #expect(place.files["state/identities.sqlite"] == Data(repeating: 7, count: 9000))
    }

    /// With a wrong number of free pages SQLite still finds all rows, with a wrong first byte of the file none.
    @Test(arguments: [(39, 5), (0, 0)]) func aReaderSaysWhatCanBeRescued(_ place: Int, _ count: Int) async throws {
        let sound = try await makeStore()
        var broken = try #require(sound["state/identities.sqlite"])
        broken[place] ^= 1
        try self.place.write(sound.merging(["state/identities.sqlite": broken]) { $1 })
        let error = try #require(openingError(self.place.location, .reading))
        let told = "\(count) identities can be read and are kept, \(5 - count) are lost"
        #expect(error.code == .damaged && error.description.contains(told), "\(error)")
        #expect(self.place.files["state/identities.sqlite"] == broken)
    }

    @Test func aDamagedRowThatIsAcceptedIsRemoved() async throws {
        _ = try await makeStore()
        try place.change("UPDATE identity SET sealed = zeroblob(60) WHERE id = 2")
        let store = try await reopened(place.location)
        #expect(store.health.missing == 1 && store.health.damagedRows == [2])
        #expect(try await store.acceptLosses() == 1)
        #expect(store.health.isGood)
        #expect(try await store.identities() == all.filter { $0.number != 2 })
    }

    @Test func counterTextsOfAnything() {
        let note = StoreCounter.Note(generation: 712, highest: 45, count: 30)
        let text = Array(StoreCounter.text(note).utf8)
        #expect(StoreCounter.parse(text) == note)
        for place in text.indices {
            for bit in 0..<8 {
                var broken = text
                broken[place] ^= 1 << UInt8(bit)
                #expect(StoreCounter.parse(broken) == nil, "byte \(place), bit \(bit)")
            }
            #expect(StoreCounter.parse(text.prefix(place)) == nil)
        }
        for wrong in ["1 2\n1 2\n", "1 2 3 4\n1 2 3 4\n", "-1 2 3\n-1 2 3\n", "+1 2 3\n+1 2 3\n", "1  2\n1  2\n"] {
            #expect(StoreCounter.parse(Array(wrong.utf8)) == nil, "\(wrong)")
        }
    }
}
