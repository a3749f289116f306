// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LoginValues
import MPinClient
import Testing

@testable import SQLiteStore

@Suite struct Erasures {
    let place = TemporaryStore()

    private func makeStore() async throws {
        let store = try SQLiteIdentityStorage(at: place.location)
        for number in 1...3 { try await store.save(identity("user \(number)", [1, 2, 3], number: number)) }
        try place.write([
            "state/identities.sqlite.damaged-1": Data("old".utf8), "keys/store.key.next": Data(count: 32),
            "keys/store.key.new": Data(count: 32), "state/identities.counter": Data("1".utf8),
            "state/device-tag": Data("kept".utf8), "keys/other.key": Data("kept".utf8),
        ])
    }

    @Test func leaveNothingOfTheStoreAndAllElse() async throws {
        try await makeStore()
        #expect(try SQLiteIdentityStorage.erase(at: place.location) == .unreadable)
        #expect(Set(place.files.keys) == ["state/device-tag", "keys/other.key"])
        // Erasing again, and erasing a store that never existed, are errors.
        #expect(try SQLiteIdentityStorage.erase(at: place.location) == .unreadable)
        #expect(try SQLiteIdentityStorage.erase(at: TemporaryStore().location) == .unreadable)
        // The location can be used like a new one.
        let store = try SQLiteIdentityStorage(at: place.location)
        #expect(try await store.identities().isEmpty && store.health.missing == 0)
    }

    @Test func takeTheKeyFirst() async throws {
        try await makeStore()
        let key = try FileHandle(forReadingFrom: URL(filePath: place.location.keyFile))
        #expect(try SQLiteIdentityStorage.destroyKeys(at: place.location) == .unreadable)
        // A process with the file open cannot read the key either.
        #expect(try key.readToEnd() == Data(count: 32))
        #expect(place.files.keys.filter { $0.hasPrefix("keys/store.key") }.sorted() == ["keys/store.key.counter"])
        #expect(openingError(place.location, .reading)?.code == .keyMissing)
        #expect(try SQLiteIdentityStorage.erase(at: place.location) == .unreadable)
    }

    @Test func leaveAStoreInUse() async throws {
        try await makeStore()
        try FileManager.default.removeItem(atPath: place.location.keyFile + ".next")
        let store = try SQLiteIdentityStorage(at: place.location)
        let before = place.files
        #expect(throws: StoreOpeningError.self) { try SQLiteIdentityStorage.erase(at: place.location) }
        #expect(throws: StoreOpeningError.self) { try SQLiteIdentityStorage.requireUnused(at: place.location) }
        #expect(place.files == before)
        #expect(try await store.identities().count == 3)
    }
}
