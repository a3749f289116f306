// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KioskTestKit
import LoginValues
import MPinClient
import Patience
import Testing

@testable import SQLiteStore

@Suite struct KeyRotations {
    private static let variable = "LOGIN_KIOSK_TEST_ROTATION"
    private static let isChild = ProcessInfo.processInfo.environment[variable] != nil

    let place = TemporaryStore()
    let all = (0..<5).map { identity("user \($0)", [UInt8](repeating: UInt8($0), count: 500 * $0), number: $0 + 1) }

    @Test func leaveOneKeyThatOpensEverything() async throws {
        try await place.save(all)
        let before = place.files
        #expect(try SQLiteIdentityStorage.rotateKey(at: place.location) == 5)
        let after = place.files
        #expect(Set(before.keys) == Set(after.keys))
        #expect(before["keys/store.key"] != after["keys/store.key"])
        #expect(try place.mode(place.location.keyFile) == 0o600)
        #expect(try await reopened(place.location).identities() == all)
        // The old key opens nothing, and with the old key the old database counts as older.
        try place.write(["keys/store.key": try #require(before["keys/store.key"])])
        #expect(openingError(place.location, .reading)?.code == .wrongKey)
        try place.write(["state/identities.sqlite": try #require(before["state/identities.sqlite"])])
        #expect(openingError(place.location, .reading)?.code == .olderDatabase)
    }

    @Test(.enabled(if: geteuid() != 0 || SmallDisk.isPossible, "needs a medium that is read-only"))
    func refuseAKeyThatCannotBeChanged() async throws {
        let disk = try SmallDisk()
        let location = StoreLocation(directory: place.location.directory, keyFile: "\(disk.path)/keys/store.key")
        do {
            let store = try SQLiteIdentityStorage(at: location)
            try await store.save(all[1])
        }
        try disk.remount("ro")
        // The counter has another location now, and still detects an older database.
        let older = try #require(place.files["state/identities.sqlite"])
        try await reopened(location).remove(all[1].key)
        #expect(place.files["state/identities.counter"] != nil)
        while true {
            do throws(StoreOpeningError) { try SQLiteIdentityStorage.rotateKey(at: location) } catch {
                if error.code == .inUse { continue }
                #expect(error.code == .unavailable && error.description.contains("docs/deployment.md"))
                break
            }
            Issue.record("a key on a read-only medium was changed")
            break
        }
        try place.write(["state/identities.sqlite": older])
        #expect(openingError(location, .reading)?.code == .olderDatabase)
        try disk.remount("rw")
    }

    /// Runs only in the child process: rotates the key. It kills itself before the n-th step, or its parent kills it.
    @Test(.enabled(if: isChild, "is the child of another test"))
    func childThatRotates() throws {
        let words = try #require(ProcessInfo.processInfo.environment[KeyRotations.variable]).split(separator: " ")
        let (root, last) = (String(words[0]), Int(words[1]) ?? 0)
        let location = StoreLocation(directory: "\(root)/state", keyFile: "\(root)/keys/store.key")
        var step = 0
        repeat {
            _ = try SQLiteIdentityStorage.rotateKey(at: location) {
                if step == last { kill(getpid(), SIGKILL) }
                step += 1
            }
            FileHandle.standardOutput.write(Data("rotated\n".utf8))
        } while last < 0
    }

    private func child(_ last: Int) throws -> ChildProcess {
        try place.child("childThatRotates", KeyRotations.variable, " \(last)")
    }

    /// - Returns: whether the key that opens everything differs from `key`.
    private func checkOneKeyOpensEverything(_ key: Data?, _ why: String) async throws -> Bool {
        // Reading comes first, and changes nothing.
        let reader = try SQLiteIdentityStorage(at: place.location, .reading)
        #expect(try await reader.identities() == all && reader.health.isGood, "\(why)")
        let store = try await reopened(place.location)
        #expect(try await store.identities() == all && store.health.isGood, "\(why)")
        #expect(place.files.keys.filter { $0.hasPrefix("keys/") && !$0.hasSuffix(".counter") } == ["keys/store.key"])
        return place.files["keys/store.key"] != key
    }

    @Test(.enabled(if: !isChild)) func surviveAKillAtEveryStep() async throws {
        try await place.save(all)
        var outcomes: [Bool] = []
        for last in 0..<64 {
            let key = place.files["keys/store.key"]
            let child = try child(last)
            let code = child.wait()
            outcomes.append(try await checkOneKeyOpensEverything(key, "step \(last)"))
            if code == 0 { break }
            #expect(code == 128 + SIGKILL, "step \(last)")
        }
        // Five rows, the key's row and the header, the steps before and after, and a run without a kill.
        #expect(outcomes.count == 13, "\(outcomes)")
        #expect(outcomes.first == false && outcomes.last == true)
        // Once changed the key stays so: no step after the commit restores the old key.
        #expect(outcomes == outcomes.sorted { !$0 && $1 })
    }

    @Test(.enabled(if: !isChild)) func surviveKillsAtAnyTime() async throws {
        try await place.save(all)
        var random = Dice(seed: 20_261_122)
        var changed = 0
        let kills = TestEffort.rounds(10)
        for round in 0..<kills {
            let key = place.files["keys/store.key"]
            let child = try child(-1)
            _ = child.readLine()
            for _ in 0..<random.next(3) { _ = child.readLine() }
            usleep(UInt32(random.next(30_000)))
            child.kill()
            if try await checkOneKeyOpensEverything(key, "round \(round)") { changed += 1 }
        }
        #expect(changed > 0)
    }
}
