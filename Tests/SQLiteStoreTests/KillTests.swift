// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import LoginValues
import MPinClient
import SQLiteStore
import Testing

/// What a process that dies in the middle of saving leaves behind.
@Suite struct Kills {
    static let variable = "LOGIN_KIOSK_TEST_STORE"
    static let users = 5

    /// The n-th save: five identities in turn, each record a run of one byte.
    static func save(_ number: Int) -> StoredIdentity {
        identity(
            "user \(number % users)", [UInt8](repeating: UInt8(number % 251), count: 3000 + number % 7 * 1000),
            number: number % users + 1)
    }

    /// Runs only in the child process: saves until it is killed, and tells each save that returned.
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

    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] == nil))
    func leaveEveryRecordWhole() async throws {
        let place = TemporaryStore()
        var environment = ProcessInfo.processInfo.environment
        environment[Kills.variable] = place.root
        for round in 1...12 {
            let child = try ChildProcess(
                "/proc/self/exe", ["--testing-library", "swift-testing", "--filter", "childThatSaves"],
                environment: environment.map { "\($0.key)=\($0.value)" })
            var saved = -1
            func note(_ line: String) { if line.hasPrefix("saved ") { saved = Int(line.dropFirst(6)) ?? saved } }
            // The child goes on saving while its lines are read, so the kill hits it anywhere.
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
                // The last save that this user was told of, or the one after it that the kill cut off.
                let told = saved - (saved - user) % Kills.users
                let record = found.first { $0.key.userID == "user \(user)" }
                #expect(
                    [told, told + Kills.users].map(Kills.save).contains { $0 == record }, "round \(round), user \(user)"
                )
            }
        }
    }
}
