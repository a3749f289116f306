// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import LoginValues
import MPinClient
import Patience
import SQLiteStore
import Testing

private struct MountRefused: Error {
    let arguments: [String]
    let exitCode: Int32
}

/// A small file system in memory, if this user may mount one.
final class SmallDisk {
    let path: String

    static let isPossible = {
        guard let disk = try? SmallDisk() else { return false }
        withExtendedLifetime(disk) {}
        return true
    }()

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "kiosk-disk-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try mount("-t", "tmpfs", "-o", "size=256k", "tmpfs", path)
    }

    deinit {
        _ = try? ChildProcess("/bin/umount", ["-l", path]).wait()
        try? FileManager.default.removeItem(atPath: path)
    }

    func remount(_ options: String) throws { try mount("-o", "remount,\(options)", path) }

    private func mount(_ arguments: String...) throws {
        let code = try ChildProcess("/bin/mount", arguments).wait()
        guard code == 0 else { throw MountRefused(arguments: arguments, exitCode: code) }
    }
}

@Suite(.enabled(if: SmallDisk.isPossible, "needs the right to mount a tmpfs"))
struct Media {
    let disk: SmallDisk
    let keys = TemporaryStore()
    let location: StoreLocation
    let alice = identity("alice", [1, 2, 3])
    let bob = identity("bob", [UInt8](repeating: 7, count: 16_000), number: 2)

    init() throws {
        disk = try SmallDisk()
        location = StoreLocation(directory: "\(disk.path)/state", keyFile: keys.location.keyFile)
    }

    @Test func thatAreFullLoseNothing() async throws {
        let store = try SQLiteIdentityStorage(at: location)
        try await store.save(alice)
        try fill()
        let error = await storageError { () async throws(IdentityStorageError) in try await store.save(bob) }
        #expect(error?.code == .full, "\(String(describing: error))")
        let warning = await storageError { () async throws(IdentityStorageError) in try await store.prepareToSave() }
        #expect(warning?.code == .full, "\(String(describing: warning))")
        #expect(try await store.identities() == [alice])
        #expect(try FileManager.default.contentsOfDirectory(atPath: location.directory) == ["identities.sqlite"])

        try FileManager.default.removeItem(atPath: "\(disk.path)/filler")
        try await store.prepareToSave()
        try await store.save(bob)
        #expect(try await store.identities() == [alice, bob])
    }

    /// Fills the disk to the last byte.
    private func fill() throws {
        let filler = URL(fileURLWithPath: "\(disk.path)/filler")
        try Data().write(to: filler)
        let handle = try FileHandle(forWritingTo: filler)
        while (try? handle.write(contentsOf: Data(count: 4096))) != nil {}
        try handle.close()
    }

    @Test("On a full disk deleted and shortened records are overwritten all the same")
    func thatAreFullKeepNoSecret() async throws {
        let store = try SQLiteIdentityStorage(at: location)
        try await store.save(alice)
        try await store.save(bob)
        func content() throws -> Data { try Data(contentsOf: URL(filePath: "\(location.directory)/identities.sqlite")) }
        let before = try content()
        // Pages that only the long record has.
        let sealed = before.suffix(4096).dropFirst(512).prefix(64)
        #expect(before.range(of: sealed) != nil && Set(sealed).count > 30)
        try fill()
        // A record that does not become shorter loses nothing by staying.
        let longer = identity("bob", [UInt8](repeating: 8, count: 16_000), number: 2)
        let error = await storageError { () async throws(IdentityStorageError) in try await store.save(longer) }
        #expect(error?.code == .full, "\(String(describing: error))")
        #expect(try content().range(of: sealed) != nil)

        let blocked = identity("bob", [7], number: 2)
        try await store.save(blocked)
        #expect(try content().range(of: sealed) == nil)
        #expect(try await store.identities() == [alice, blocked])
        try await store.remove(alice.key)
        #expect(try await store.identities() == [blocked])
        // The store's contract still holds.
        let full = await storageError { () async throws(IdentityStorageError) in try await store.save(bob) }
        #expect(full?.code == .full, "\(String(describing: full))")
        try FileManager.default.removeItem(atPath: "\(disk.path)/filler")
        try await store.save(bob)
        #expect(try FileManager.default.contentsOfDirectory(atPath: location.directory) == ["identities.sqlite"])
    }

    @Test func thatAreReadOnlyCanBeRead() async throws {
        do {
            let store = try SQLiteIdentityStorage(at: location)
            try await store.save(alice)
        }
        // The last task of the first store may still have its file open. Until then the disk cannot become read-only.
        _ = try await Patience.wait { try? disk.remount("ro") }
        try disk.remount("ro")
        let store = try SQLiteIdentityStorage(at: location)
        #expect(try await store.identities() == [alice])
        let error = await storageError { () async throws(IdentityStorageError) in try await store.save(bob) }
        #expect(error?.code == .unavailable, "\(String(describing: error))")
        let warning = await storageError { () async throws(IdentityStorageError) in try await store.prepareToSave() }
        #expect(warning?.code == .unavailable, "\(String(describing: warning))")
        #expect(try await store.identities() == [alice])
        try disk.remount("rw")
    }
}
