// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import LoginValues
import MPinClient
import Testing

@testable import SQLiteStore

/// Intact databases that the kiosk did not write last: an older copy, or one changed without the key.
@Suite struct RestoredDatabases {
    let place = TemporaryStore()
    let all = [identity("alice", [1]), identity("bob", [2], number: 2), identity("carol", [3], number: 3)]

    @Test func anOlderOneIsNoticedAndCanBeAccepted() async throws {
        try await place.save(all)
        let older = try #require(place.files["state/identities.sqlite"])
        try await reopened(place.location).remove(all[1].key)
        let newer = try #require(place.files["state/identities.sqlite"])
        try place.write(["state/identities.sqlite": older])
        for access in [SQLiteIdentityStorage.Access.reading, .exclusive] {
            let error = openingError(place.location, access)
            #expect(error?.code == .olderDatabase)
            #expect(error?.description.contains("login-kiosk identities accept-restored") == true)
        }
        // The right one is accepted at any time.
        try place.write(["state/identities.sqlite": newer])
        #expect(try await reopened(place.location).identities() == [all[0], all[2]])
        try place.write(["state/identities.sqlite": older])
        try SQLiteIdentityStorage.acceptRestored(at: place.location)
        let store = try await reopened(place.location)
        #expect(try await store.identities() == all && store.health.isGood)
        #expect(try await store.save(identity("dave", [4])) == 4)
        // The accepted one is now the newest, and the previous one is older.
        let accepted = try #require(place.files["state/identities.sqlite"])
        try place.write(["state/identities.sqlite": newer])
        #expect(openingError(place.location, .reading)?.code == .olderDatabase)
        try place.write(["state/identities.sqlite": accepted])
        #expect(openingError(place.location, .reading) == nil)
    }

    /// Damage must not help to evade the counter.
    @Test func anOlderOneThatIsDamagedIsNoticed() async throws {
        try await place.save(all)
        var older = try #require(place.files["state/identities.sqlite"])
        try await reopened(place.location).remove(all[1].key)
        // The number of free pages, which SQLite does not need for reading rows.
        older[39] ^= 1
        try place.write(["state/identities.sqlite": older])
        #expect(openingError(place.location)?.code == .olderDatabase)
        #expect(place.files["state/identities.sqlite"] == older)
        try SQLiteIdentityStorage.acceptRestored(at: place.location)
        #expect(try await reopened(place.location).identities() == all)
    }

    /// A process that ends between the change and its note leaves a database that is ahead of the counter.
    @Test func aNewerOneIsWelcome() async throws {
        try await place.save(all)
        let counter = try #require(place.files["keys/store.key.counter"])
        try await reopened(place.location).remove(all[1].key)
        let now = place.files["keys/store.key.counter"]
        try place.write(["keys/store.key.counter": counter])
        #expect(try await reopened(place.location).identities() == [all[0], all[2]])
        #expect(place.files["keys/store.key.counter"] == now)
    }

    @Test func numbersBelongToTheirRecords() async throws {
        try await place.save(all)
        try place.change("UPDATE identity SET number = 5 - number WHERE id > 1")
        let store = try await reopened(place.location)
        #expect(try await store.identities() == [all[0]])
        #expect(store.health.damagedRows == [2, 3])
        // A person who registers again does not get another person's number.
        try await store.save(all[1])
        #expect(try await store.identities().allSatisfy { $0.key != all[2].key })
    }

    @Test func rowsThatWereTakenOutAreMissed() async throws {
        try await place.save(all)
        try place.change("DELETE FROM identity WHERE id = 2")
        let store = try await reopened(place.location)
        #expect(try await store.identities() == [all[0], all[2]])
        #expect(store.health.lost == 1 && store.health.movedAside != nil)
    }

    /// An old row, whose number was not sealed, counts no more once numbers are sealed.
    @Test func rowsOfTheFormatBeforeCountNoMore() async throws {
        try await place.save(all)
        let key = SecretBytes(copying: try #require(place.files["keys/store.key"]))
        let context = SealContext.record(of: all[0].key, number: nil)
        let sealed = try #require(RecordSeal(key: key, version: 1).seal(all[0].record, context: context))
        try place.change("UPDATE identity SET sealed = ?, number = 2 WHERE id = 1", [Data(sealed)])
        let store = try await reopened(place.location)
        #expect(store.health.damagedRows == [1])
    }

    @Test(arguments: [1, 2]) func databasesOfBeforeAreSealedAnew(_ version: Int) async throws {
        try await place.save(all)
        try await reopened(place.location).remove(all[2].key)
        try place.makeEarlier(version: version)
        #expect(openingError(place.location, .reading)?.code == .unavailable)
        let store = try await reopened(place.location)
        #expect(try await store.identities() == [all[0], all[1]] && store.health.isGood)
        #expect(try await store.save(identity("dave", [4])) == (version == 1 ? 3 : 4))
        #expect(try SQLiteIdentityStorage(at: place.location, .reading).health.isGood)
    }

    @Test(arguments: [1, 2]) func damagedDatabasesOfBeforeAreRescued(_ version: Int) async throws {
        try await place.save(all)
        try place.makeEarlier(version: version)
        var broken = try #require(place.files["state/identities.sqlite"])
        broken[39] ^= 1
        try place.write(["state/identities.sqlite": broken])
        let store = try await reopened(place.location)
        #expect(try await store.identities() == all && store.health.movedAside != nil)
    }
}
