// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoginValues
import MPinClient
import Testing

@testable import SQLiteStore

/// A store's state of one moment, and how it comes back.
@Suite("A store that is restored") struct ReplacementTests {
    let place = TemporaryStore()

    private func save(_ identities: [StoredIdentity]) async throws {
        let store = try await reopened(place.location)
        for identity in identities { try await store.save(identity) }
    }

    private func snapshot() async throws -> StoreSnapshot { try await reopened(place.location).snapshot() }

    /// As a restore does it, all steps.
    private func restore(_ backup: StoreSnapshot, replacing: Bool = false, isOwn: Bool = true) async throws
        -> StoreSnapshot.Restored
    {
        let store = try await reopened(place.location)
        let outcome = try store.snapshot().restoring(backup, replacing: replacing, isOwn: isOwn)
        try store.stage(outcome.result, restored: outcome.missing)
        try FileManager.default.removeItem(atPath: place.location.database)
        try FileManager.default.moveItem(atPath: place.location.replacement, toPath: place.location.database)
        return outcome
    }

    private func restored(_ backup: StoreSnapshot, replacing: Bool = false, isOwn: Bool = true) async throws
        -> [String]
    {
        let outcome = try await restore(backup, replacing: replacing, isOwn: isOwn)
        let store = try await reopened(place.location)
        let there = try await store.identities()
        #expect(there == outcome.result.identities && store.health.isGood)
        return there.map { identity in
            "\(identity.key.userID) \(identity.number ?? 0) \(identity.record.withBytes { $0.isEmpty ? 0 : $0[0] })"
        }
    }

    @Test("What is here stays, what is missing comes back under its number")
    func merging() async throws {
        try await save([identity("alice", [1]), identity("bob", [1])])
        let backup = try await snapshot()
        try await reopened(place.location).remove(IdentityKey(userID: "alice", backend: "mpin.example.com"))
        try await save([identity("bob", [2]), identity("carol", [2])])
        #expect(try await restored(backup) == ["bob 2 2", "carol 3 2", "alice 1 1"])
        // The next number is a new one.
        try await save([identity("dora", [3])])
        #expect(try await snapshot().identities.last?.number == 4)
        // A second time there is nothing left to do.
        #expect(try await restored(backup).count == 4)
    }

    @Test func replacing() async throws {
        try await save([identity("alice", [1]), identity("bob", [1])])
        let backup = try await snapshot()
        try await save([identity("bob", [2]), identity("carol", [2])])
        let before = try await snapshot().generation
        let outcome = try await restore(backup, replacing: true)
        #expect(outcome.removed.map(\.userID) == ["carol"] && outcome.restored.count == 2)
        let after = try await snapshot()
        #expect(after.generation > before && after.highestNumber == 3)
        #expect(after.identities.map(\.number) == [1, 2] && after.identities == backup.identities)
        // Carol's number is not given again.
        try await save([identity("dora", [3])])
        #expect(try await snapshot().identities.last?.number == 4)
    }

    @Test("Numbers of another kiosk's people, where this one has given these numbers")
    func anotherKiosksNumbers() async throws {
        try await save([identity("alice", [1]), identity("bob", [1]), identity("erik", [1])])
        let backup = try await snapshot()
        let other = TemporaryStore()
        let store = try SQLiteIdentityStorage(at: other.location)
        try await store.save(identity("xenia", [9]))
        try await store.save(identity("yves", [9]))
        try await store.remove(IdentityKey(userID: "yves", backend: "mpin.example.com"))
        let outcome = try store.snapshot().restoring(backup, replacing: false, isOwn: false)
        // 1 is xenia's, 2 was yves's, 3 was never given here.
        #expect(outcome.result.identities.map(\.number) == [1, 4, 5, 3])
        #expect(outcome.renumbered.map(\.from) == [1, 2] && outcome.result.highestNumber == 5)
        // A new device has given none.
        let fresh = StoreSnapshot().restoring(backup, replacing: false, isOwn: false)
        #expect(fresh.result.identities == backup.identities && fresh.renumbered.isEmpty)
    }

    @Test("A restored store is not taken for an older one, whatever the counter beside the key says")
    func countsOn() async throws {
        try await save([identity("alice", [1])])
        let backup = try await snapshot()
        for round in 0..<20 { try await save([identity("bob", [UInt8(round)])]) }
        let newest = try await snapshot().generation
        #expect(try await restored(backup, replacing: true) == ["alice 1 1"])
        #expect(try await snapshot().generation > newest)
    }

    @Test("The key was changed between backup and restore, or is another device's")
    func anotherKey() async throws {
        try await save([identity("alice", [1])])
        let backup = try await snapshot()
        while true {
            do throws(StoreOpeningError) {
                try SQLiteIdentityStorage.rotateKey(at: place.location)
                break
            } catch { guard error.code == .inUse else { throw error } }
        }
        #expect(try await restored(backup) == ["alice 1 1"])
        try FileManager.default.removeItem(atPath: place.root)
        #expect(try await restored(backup) == ["alice 1 1"])
        #expect(try await snapshot().generation > backup.generation)
    }

    @Test("The database is gone and the counter stays: the lost ones are back")
    func lostAndBack() async throws {
        try await save([identity("alice", [1]), identity("bob", [1])])
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
        // It lays nothing ready, and takes no lock from the one that writes.
        #expect { try reader.stage(StoreSnapshot(), restored: 0) } throws: {
            ($0 as? StoreOpeningError)?.code == .unavailable
        }
        #expect { try StoreLock(at: place.location) } throws: { ($0 as? StoreOpeningError)?.code == .inUse }
    }

    @Test func aDiskWithoutRoomLeavesTheStoreAsItWas() async throws {
        try await save([identity("alice", [1])])
        let store = try await reopened(place.location)
        // A directory in the place of the file stands for a medium that takes nothing.
        try FileManager.default.createDirectory(
            atPath: place.location.replacement, withIntermediateDirectories: false)
        #expect(throws: StoreOpeningError.self) {
            try store.stage(StoreSnapshot(identities: [identity("bob", [1])]), restored: 0)
        }
        #expect(try await store.identities().map(\.key.userID) == ["alice"])
    }
}
