// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import SQLiteStore

@Test func keepsTheStorageContract() async throws {
    var places: [TemporaryStore] = []
    try await checkIdentityStorageContract {
        places.append(TemporaryStore())
        return try SQLiteIdentityStorage(at: places[places.count - 1].location)
    }
}

/// Two programs that open one directory at the same moment, such as a kiosk and its doctor command.
@Test func aPlaceIsPreparedForManyAtOnce() async throws {
    let place = TemporaryStore()
    try place.makeDirectory("state")
    let location = place.location
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<200 { group.addTask { try StoreSpace.check(location) } }
        try await group.waitForAll()
    }
    #expect(place.files.isEmpty)
}

@Suite struct Stores {
    let place = TemporaryStore()
    let all = [
        identity("carol", [1, 2, 3]), identity("alice", [4], number: 2), identity("a\u{0}b", [], number: 3),
        identity("a", [5], number: 4),
    ]

    @Test func keepIdentitiesBetweenRuns() async throws {
        do {
            let store = try SQLiteIdentityStorage(at: place.location)
            for identity in all { try await store.save(identity) }
        }
        let store = try SQLiteIdentityStorage(at: place.location)
        #expect(try await store.identities() == all)
        #expect(store.health.isGood)
    }

    @Test func areNobodyElses() async throws {
        let old = umask(0)
        defer { umask(old) }
        let store = try SQLiteIdentityStorage(at: place.location)
        try await store.save(all[0])
        #expect(try place.mode(place.location.directory) == 0o700)
        #expect(try place.mode("\(place.root)/keys") == 0o700)
        #expect(try place.mode(place.location.database) == 0o600)
        #expect(try place.mode(place.location.keyFile) == 0o600)
        #expect(Set(place.files.keys) == ["state/identities.sqlite", "keys/store.key", "keys/store.key.counter"])
        #expect(try place.mode(place.location.keyFile + ".counter") == 0o600)
    }

    @Test func leaveNoTraceOfASecret() async throws {
        let secret = Array("a token that must not lie about".utf8)
        let store = try SQLiteIdentityStorage(at: place.location)
        for number in 0..<20 { try await store.save(identity("user \(number)", secret)) }
        #expect(place.files.allSatisfy { $0.value.range(of: Data(secret)) == nil })
        let sealed = try sealedRecords()
        try await store.save(identity("user 3", [0]))
        try await store.remove(IdentityKey(userID: "user 4", backend: "mpin.example.com"))
        let database = try #require(place.files["state/identities.sqlite"])
        #expect(database.range(of: sealed[2]) != nil)
        for gone in [sealed[3], sealed[4], Data("user 4".utf8)] { #expect(database.range(of: gone) == nil) }
        let key = try #require(place.files["keys/store.key"])
        #expect(key.count == 32 && database.range(of: key) == nil)
    }

    @Test func sealEverySaveAnew() async throws {
        let store = try SQLiteIdentityStorage(at: place.location)
        try await store.save(all[0])
        let first = try sealedRecords()
        try await store.save(all[0])
        #expect(try sealedRecords() != first)
    }

    @Test func haveOneWriterAndAnyReaders() async throws {
        let store = try SQLiteIdentityStorage(at: place.location)
        try await store.save(all[0])
        #expect(openingError(place.location)?.code == .inUse)
        let reader = try SQLiteIdentityStorage(at: place.location, .reading)
        #expect(try await reader.identities() == [all[0]])
        #expect(
            await storageError { () async throws(IdentityStorageError) in try await reader.save(all[1]) }?.code
                == .unavailable)
        try await store.save(all[1])
        #expect(try await reader.identities() == [all[0], all[1]])
        #expect(try await store.identities() == [all[0], all[1]])
    }

    @Test func thatAreNotThereCannotBeRead() {
        #expect(openingError(place.location, .reading)?.code == .unavailable)
        #expect(!FileManager.default.fileExists(atPath: place.root))
    }

    @Test("A dangling link is reported, and no store is created below it")
    func refuseALinkToNothing() throws {
        try place.makeDirectory()
        let link = "\(place.root)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "gone")
        for directory in [link, "\(link)/state", "\(link)/deep/state"] {
            let error = openingError(StoreLocation(directory: directory, keyFile: place.location.keyFile))
            #expect(error?.code == .unavailable)
            #expect(error?.description.contains("\(link) is a link to gone, which is not there") == true)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.root) == ["link"])
    }

    @Test func sayWhatLiesInThePlaceOfTheKey() async throws {
        try await place.save(all)
        try FileManager.default.removeItem(atPath: place.location.keyFile)
        try FileManager.default.createDirectory(atPath: place.location.keyFile, withIntermediateDirectories: false)
        let error = openingError(place.location)
        #expect(error?.description.contains("is a directory, not a file") == true, "\(String(describing: error))")
    }

    @Test("A parent directory that others may change is refused, with the command that repairs it")
    func refuseOpenDirectoriesAbove() async throws {
        try await place.save(all)
        #expect(unsafe chmod(place.root, 0o777) == 0)
        let error = openingError(place.location)
        #expect(error?.code == .notPrivate)
        #expect(error?.description.contains("chmod go-w \(place.root)") == true, "\(String(describing: error))")
        #expect(unsafe chmod(place.root, 0o1777) == 0)
        #expect(openingError(place.location) == nil)
    }

    @Test func refuseAKeyThatLiesWithThem() {
        for keyFile in ["state/store.key", "state/keys/store.key", "keys/../state/store.key"] {
            let place = TemporaryStore()
            try? place.makeDirectory("keys")
            let location = StoreLocation(directory: place.location.directory, keyFile: "\(place.root)/\(keyFile)")
            #expect(openingError(location)?.code == .keyBesideDatabase, "\(keyFile)")
            #expect(!FileManager.default.fileExists(atPath: location.keyFile))
        }
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o620])
    func refuseFilesThatOthersCanOpen(_ mode: Int) async throws {
        try await place.save(all)
        for path in [place.location.keyFile, place.location.database] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let error = openingError(place.location)
            #expect(error?.code == .notPrivate)
            #expect(error?.description.contains("chmod 600 \(path)") == true)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.location.directory)
        #expect(openingError(place.location)?.code == .notPrivate)
    }

    @Test(.enabled(if: geteuid() == 0, "needs the right to give files away"))
    func refuseFilesOfOtherUsers() async throws {
        try await place.save(all)
        for path in [place.location.keyFile, place.location.database, place.location.directory] {
            #expect(unsafe chown(path, 65534, 65534) == 0)
            #expect(openingError(place.location)?.code == .notPrivate, "\(path)")
            #expect(unsafe chown(path, 0, 0) == 0)
        }
        #expect(openingError(place.location) == nil)
    }

    @Test func refuseAMissingOrWrongKey() async throws {
        try await place.save(all)
        let key = try #require(place.files["keys/store.key"])
        let file = URL(fileURLWithPath: place.location.keyFile)
        try FileManager.default.removeItem(at: file)
        #expect(openingError(place.location)?.code == .keyMissing)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        for wrong in [Data(key.reversed()), key.dropLast(), key + [10], Data()] {
            try writePrivately(wrong, to: file)
            #expect(openingError(place.location)?.code == .wrongKey)
        }
        try writePrivately(key, to: file)
        #expect(try await SQLiteIdentityStorage(at: place.location).identities() == all)
    }

    @Test func surviveAHalfMadeKey() async throws {
        try place.makeDirectory("keys")
        try writePrivately(Data([1, 2, 3]), to: URL(fileURLWithPath: place.location.keyFile + ".new"))
        try await place.save(all)
        #expect(place.files["keys/store.key"]?.count == 32)
        #expect(place.files["keys/store.key.new"] == nil)
    }

    @Test func leaveOutDamagedRecordsAndKeepTheOthers() async throws {
        try await place.save(all)
        let sound = try sealedRecords()
        // Every change of a sealed record is noticed, and none makes the store fail.
        for index in sound[0].indices {
            for bit in 0..<8 {
                var broken = sound[0]
                broken[index] ^= 1 << UInt8(bit)
                try place.change("UPDATE identity SET sealed = ? WHERE id = 1", [broken])
                let store = try SQLiteIdentityStorage(at: place.location)
                #expect(try await store.identities() == Array(all.dropFirst()), "byte \(index), bit \(bit)")
                #expect(store.health.damagedRows == [1])
            }
        }
        for broken in [Data(), sound[0].prefix(28), sound[0] + [0], sound[1]] {
            try place.change("UPDATE identity SET sealed = ? WHERE id = 1", [broken])
            #expect(try SQLiteIdentityStorage(at: place.location).health.damagedRows == [1])
        }
        let store = try SQLiteIdentityStorage(at: place.location)
        try await store.save(all[0])
        #expect(try await store.identities() == all)
        #expect(store.health.isGood)
    }

    /// The other sealed values of the database: its facts about itself, and the row that identifies its key.
    @Test func readNoValueWithAFlippedBit() throws {
        let seal = RecordSeal(key: SecretBytes(copying: (0..<32).map { UInt8($0) }))
        let header = StoreHeader(generation: 7, highest: 5, count: 4, lost: 1)
        let facts = try #require(header.sealed(with: seal))
        let check = try #require(seal.seal(SecretBytes(copying: []), context: SealContext.keyCheck))
        #expect(StoreHeader(facts, seal) == header)
        #expect(seal.open(check, context: SealContext.keyCheck) != nil)
        for bit in 0..<8 * facts.count {
            var broken = facts
            broken[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(StoreHeader(broken, seal) == nil, "bit \(bit)")
        }
        for bit in 0..<8 * check.count {
            var broken = check
            broken[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(seal.open(broken, context: SealContext.keyCheck) == nil, "bit \(bit)")
        }
    }

    @Test func moveAFileThatIsNoDatabaseAside() async throws {
        try await place.save(all)
        let rubbish = Data("this is not a database, and it never was one\n".utf8)
        try writePrivately(rubbish, to: URL(fileURLWithPath: place.location.database))
        #expect(openingError(place.location, .reading)?.code == .damaged)
        let store = try SQLiteIdentityStorage(at: place.location)
        #expect(try await store.identities().isEmpty)
        let moved = try #require(store.health.movedAside)
        #expect(try Data(contentsOf: URL(fileURLWithPath: moved)) == rubbish)
        #expect(store.health.lost == all.count)
        // It gets a new number, because people know the old ones.
        try await store.save(all[0])
        #expect(try await store.identities() == [identity("carol", [1, 2, 3], number: 5)])
    }

    /// Whatever bytes of the file changed, the store opens: with its intact identities, or empty.
    @Test func openWithAnyDamage() async throws {
        let seed: UInt64 = 20_261_121
        var random = Dice(seed: seed)
        try await place.save(all)
        let sound = try #require(place.files["state/identities.sqlite"])
        let counter = try #require(place.files["keys/store.key.counter"])
        for round in 0..<60 {
            var broken = sound
            for _ in 0...random.next(8) { broken[random.next(broken.count)] = UInt8(random.next(256)) }
            if random.next(4) == 0 { broken = broken.prefix(random.next(broken.count)) }
            try place.write(["state/identities.sqlite": broken, "keys/store.key.counter": counter])
            let store = try await reopened(place.location)
            let found = try await store.identities()
            #expect(found.allSatisfy(all.contains), "seed \(seed), round \(round)")
            #expect(found.count + store.health.missing == all.count, "seed \(seed), round \(round)")
        }
    }

    @Test func refuseADatabaseOfALaterVersion() async throws {
        try await place.save(all)
        try place.change("INSERT INTO grdb_migrations (identifier) VALUES ('9: later')")
        #expect(openingError(place.location)?.code == .newerSchema)
    }

    /// A store from before numbers: people keep their position, and new ones get new numbers.
    @Test func numberWhatWasNotNumbered() async throws {
        let people = [
            ("carol", "a.test"), ("alice", "b.test"), ("gone", "a.test"), ("bob", "a.test"), ("bob", "b.test"),
        ]
        do {
            let store = try SQLiteIdentityStorage(at: place.location)
            for person in people { try await store.save(identity(person.0, [7], backend: person.1)) }
            try await store.remove(IdentityKey(userID: "gone", backend: "a.test"))
        }
        try place.makeEarlier(version: 1)
        // Reading changes nothing.
        #expect(openingError(place.location, .reading)?.code == .unavailable)
        let store = try await reopened(place.location)
        let expected = [
            identity("carol", [7], backend: "a.test", number: 1), identity("alice", [7], backend: "b.test", number: 1),
            identity("bob", [7], backend: "a.test", number: 2), identity("bob", [7], backend: "b.test", number: 2),
        ]
        #expect(try await store.identities() == expected)
        #expect(try await store.save(identity("dave", [7], backend: "b.test")) == 3)
        #expect(try await store.save(identity("carol", [8], backend: "a.test")) == 1)
    }

    private func sealedRecords() throws -> [Data] {
        try place.read {
            try Data.fetchAll($0, sql: "SELECT sealed FROM identity ORDER BY id")
        }
    }

    private func writePrivately(_ data: Data, to file: URL) throws {
        try data.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}
