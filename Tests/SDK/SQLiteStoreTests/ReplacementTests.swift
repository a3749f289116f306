// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoginValues
import MPinClient
import Testing

@testable import SQLiteStore

/// A snapshot of a store, and restoring it.
@Suite("A store that is restored") struct ReplacementTests {
    let place = TemporaryStore()

    private func snapshot() async throws -> StoreSnapshot { try await reopened(place.location).snapshot() }

    private func remove(_ users: String...) async throws {
        let store = try await reopened(place.location)
        for user in users { try await store.remove(IdentityKey(userID: user, backend: "mpin.example.com")) }
    }

    /// Restores with all steps.
    ///
    /// - Returns: each identity's user, number and the first byte of its record.
    private func restored(_ backup: StoreSnapshot, lost: Int = 0) async throws -> [String] {
        do {
            let store = try await reopened(place.location)
            try store.stage(backup)
            try FileManager.default.removeItem(atPath: place.location.database)
            try FileManager.default.moveItem(atPath: place.location.replacement, toPath: place.location.database)
        }
        let store = try await reopened(place.location)
        let there = try await store.identities()
        #expect(there == backup.identities && store.health.damagedRows.isEmpty && store.health.lost == lost)
        return there.map { identity in
            "\(identity.key.userID) \(identity.number ?? 0) \(identity.record.withBytes { $0.isEmpty ? 0 : $0[0] })"
        }
    }

    @Test func everybodyComesBackUnderTheirNumber() async throws {
        try await place.save([identity("alice", [1]), identity("bob", [1])])
        let backup = try await snapshot()
        try await place.save([identity("carol", [2])])
        try await remove("alice", "bob", "carol")
        let before = try await snapshot().generation
        #expect(try await restored(backup) == ["alice 1 1", "bob 2 1"])
        let after = try await snapshot()
        #expect(after.generation > before && after.highestNumber == 3)
        // Carol's number is not used again.
        try await place.save([identity("dora", [3])])
        #expect(try await snapshot().identities.last?.number == 4)
    }

    @Test("A damaged identity that the backup lacks is lost, and that is reported")
    func damagedOnes() async throws {
        try await place.save([identity("alice", [1])])
        let backup = try await snapshot()
        try await place.save([identity("bob", [1])])
        try place.change("UPDATE identity SET sealed = zeroblob(60)")
        #expect(try await snapshot().damaged == 2)
        #expect(try await restored(backup, lost: 1) == ["alice 1 1"])
    }

    @Test("A restored store does not count as an older one, whatever the key's counter says")
    func countsOn() async throws {
        try await place.save([identity("alice", [1])])
        let backup = try await snapshot()
        for round in 0..<20 { try await place.save([identity("bob", [UInt8(round)])]) }
        try await remove("alice", "bob")
        let newest = try await snapshot().generation
        #expect(try await restored(backup) == ["alice 1 1"])
        #expect(try await snapshot().generation > newest)
    }

    @Test("The key was changed after the backup, or is another device's")
    func anotherKey() async throws {
        try await place.save([identity("alice", [1])])
        let backup = try await snapshot()
        while true {
            do throws(StoreOpeningError) {
                try SQLiteIdentityStorage.rotateKey(at: place.location)
                break
            } catch { guard error.code == .inUse else { throw error } }
        }
        try await remove("alice")
        #expect(try await restored(backup) == ["alice 1 1"])
        try FileManager.default.removeItem(atPath: place.root)
        #expect(try await restored(backup) == ["alice 1 1"])
        #expect(try await snapshot().generation > backup.generation)
    }

    @Test("The database is lost and the counter is not: the identities come back")
    func lostAndBack() async throws {
        try await place.save([identity("alice", [1]), identity("bob", [1])])
        let backup = try await snapshot()
        try FileManager.default.removeItem(atPath: place.location.database)
        #expect(try await reopened(place.location).health.lost == 2)
        #expect(try await restored(backup) == ["alice 1 1", "bob 2 1"])
    }

    @Test func besideTheKioskThatWrites() async throws {
        let writer = try SQLiteIdentityStorage(at: place.location)
        try await writer.save(identity("alice", [1]))
        let reader = try SQLiteIdentityStorage(at: place.location, .reading)
        #expect(try reader.snapshot().identities.map(\.key.userID) == ["alice"])
        try await writer.save(identity("bob", [1]))
        #expect(try reader.snapshot().highestNumber == 2)
        // It prepares nothing, and does not lock out the writer.
        #expect { try reader.stage(StoreSnapshot()) } throws: {
            ($0 as? StoreOpeningError)?.code == .unavailable
        }
        #expect { try StoreLock(at: place.location) } throws: { ($0 as? StoreOpeningError)?.code == .inUse }
    }

    @Test func aDiskWithoutRoomLeavesTheStoreAsItWas() async throws {
        try await place.save([identity("alice", [1])])
        let store = try await reopened(place.location)
        // A directory in the file's place makes writing fail.
        try FileManager.default.createDirectory(
            atPath: place.location.replacement, withIntermediateDirectories: false)
        #expect(throws: StoreOpeningError.self) {
            try store.stage(StoreSnapshot(identities: [identity("bob", [1])]))
        }
        #expect(try await store.identities().map(\.key.userID) == ["alice"])
    }
}
