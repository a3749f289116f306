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
        identity("user \(number % users)", [UInt8](repeating: UInt8(number % 251), count: 3000 + number % 7 * 1000))
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
            var last: Int?
            // The child goes on saving while this line is read, so the kill hits it anywhere.
            while last ?? 0 < 4 + round * 3, let line = child.readLine() {
                if line.hasPrefix("saved ") { last = Int(line.dropFirst(6)) }
            }
            let acknowledged = try #require(last)
            usleep(UInt32(round * 137 % 900))
            child.kill()

            let store = try SQLiteIdentityStorage(at: place.location)
            #expect(store.health.isGood)
            let found = try await store.identities()
            #expect(found.count == Kills.users)
            for user in 0..<Kills.users {
                // The last acknowledged save of this user, or one of those that followed it.
                let floor = acknowledged - (acknowledged - user) % Kills.users
                let candidates = stride(from: floor, through: floor + 20_000, by: Kills.users).map(Kills.save)
                let record = found.first { $0.key.userID == "user \(user)" }
                #expect(record.map(candidates.prefix(50).contains) == true, "round \(round), user \(user)")
            }
        }
    }
}
