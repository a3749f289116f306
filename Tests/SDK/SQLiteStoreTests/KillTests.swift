// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import LoginValues
import MPinClient
import Patience
import SQLiteStore
import Testing

/// The state after a process was killed while saving.
@Suite struct Kills {
    static let variable = "LOGIN_KIOSK_TEST_STORE"
    static let users = 5

    /// The n-th save: five identities in turn, with records of one repeated byte.
    static func save(_ number: Int) -> StoredIdentity {
        identity(
            "user \(number % users)", [UInt8](repeating: UInt8(number % 251), count: 3000 + number % 7 * 1000),
            number: number % users + 1)
    }

    /// Runs only in the child process: saves until it is killed, and prints each completed save.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil, "is the child of another test"))
    func childThatSaves() async throws {
        let root = try #require(ProcessInfo.processInfo.environment[Kills.variable])
        let store = try SQLiteIdentityStorage(
            at: StoreLocation(directory: "\(root)/state", keyFile: "\(root)/keys/store.key"))
        for number in 0..<100_000 {
            try await store.save(Kills.save(number))
            FileHandle.standardOutput.write(Data("saved \(number)\n".utf8))
        }
    }

    private static let openingVariable = "LOGIN_KIOSK_TEST_OPENING"

    /// Runs only in the child process: opens a store and so converts a database of an earlier version.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[openingVariable] != nil, "is the child of another test"))
    func childThatOpens() throws {
        let root = try #require(ProcessInfo.processInfo.environment[Kills.openingVariable])
        FileHandle.standardOutput.write(Data("opening\n".utf8))
        _ = try SQLiteIdentityStorage(
            at: StoreLocation(directory: "\(root)/state", keyFile: "\(root)/keys/store.key"))
        FileHandle.standardOutput.write(Data("opened\n".utf8))
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment[openingVariable] == nil))
    func loseNothingOfADatabaseThatIsBeingChanged() async throws {
        let place = TemporaryStore()
        let all = (0..<Kills.users).map(Kills.save)
        try await place.save(all)
        try place.makeEarlier(version: 1)
        let earlier = place.files
        var cutOff = 0
        for round in 0..<TestEffort.rounds(8) {
            try? FileManager.default.removeItem(atPath: place.location.keyFile + ".counter")
            try place.write(earlier)
            let child = try place.child("childThatOpens", Kills.openingVariable)
            while let line = child.readLine(), line != "opening" {}
            usleep(UInt32(round % 16 * 6_000))
            child.kill()
            if child.readLine() == nil { cutOff += 1 }
            let store = try await reopened(place.location)
            #expect(try await store.identities() == all && store.health.isGood, "round \(round)")
        }
        #expect(cutOff > 0, "no kill came in time")
    }

    /// A reading command runs before the kiosk's next start, and finds the state after the kill.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] == nil))
    func areUndoneByWhatReadsFirst() async throws {
        let place = TemporaryStore()
        var cutOff = 0
        var round = 0
        while cutOff < TestEffort.rounds(1), round < 150 * TestEffort.rounds(1) {
            round += 1
            let child = try place.child("childThatSaves", Kills.variable)
            // Some kills hit while the store is opened, the first ones while it is created.
            var lines = 0
            while lines < round % 4, child.readLine() != nil { lines += 1 }
            // A slow machine, such as an emulated one, takes longer to commit.
            usleep(UInt32(round * 1373 % (9_000 * (1 + round / 25))))
            child.kill()
            let files = place.files
            guard let database = files["state/identities.sqlite"] else { continue }
            // A journal that begins with zeros was not written to the disk, and is ignored.
            if !database.isEmpty, files["state/identities.sqlite-journal"]?.first ?? 0 != 0 { cutOff += 1 }
            do throws(StoreOpeningError) {
                let reader = try SQLiteIdentityStorage(at: place.location, .reading)
                #expect(reader.health.isGood, "round \(round)")
            } catch { Issue.record("round \(round): \(error)") }
        }
        #expect(cutOff > 0, "no kill hit a commit")
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] == nil))
    func leaveEveryRecordWhole() async throws {
        let place = TemporaryStore()
        for round in 1...TestEffort.rounds(6) {
            let child = try place.child("childThatSaves", Kills.variable)
            var saved = -1
            func note(_ line: String) { if line.hasPrefix("saved ") { saved = Int(line.dropFirst(6)) ?? saved } }
            // The child goes on saving while its lines are read, so the kill can hit at any step.
            while saved < 4 + round * 3, let line = child.readLine() { note(line) }
            usleep(UInt32(round * 137 % 900))
            child.kill()
            while let line = child.readLine() { note(line) }
            try #require(saved >= Kills.users, "the child did not save")

            let store = try SQLiteIdentityStorage(at: place.location)
            #expect(store.health.isGood)
            let found = try await store.identities()
            #expect(found.count == Kills.users)
            for user in 0..<Kills.users {
                // The last save reported for this user, or the next one, which the kill interrupted.
                let told = saved - (saved - user) % Kills.users
                let record = found.first { $0.key.userID == "user \(user)" }
                #expect(
                    [told, told + Kills.users].map(Kills.save).contains { $0 == record }, "round \(round), user \(user)"
                )
            }
        }
    }
}
