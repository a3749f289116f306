// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Foundation
import GRDB
import MPinCrypto
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The writes to SQLite, and the requests that wait for them.
struct SQLiteWriteTests {
    private static let alice = MPinID([1])

    private let state = TemporaryFolder()
    private let path: String
    private let database: BackendDatabase

    init() async throws {
        let directory = try StateDirectory(path: state.path)
        path = directory.file("backend.sqlite")
        database = try BackendDatabase(state: directory)
        try await database.add(
            RegisteredIdentity(mpinID: Self.alice, userID: "alice", registered: WallTime(seconds: 1000)))
    }

    private func count(isRight: Bool) async throws -> Int64? {
        let verdict = LoginVerdict(
            isRight: isRight, forgives: true, wrong: isRight ? 0 : 1, time: WallTime(seconds: 2000))
        return try await database.change(Self.alice, isOnDisk: !isRight) {
            _ = $0.count(verdict, lease: LoginLease(WallTime(seconds: 2000)))
            return $0.verdicts
        }
    }

    private var verdicts: Int64? { get async throws { try await database.identity(Self.alice)?.verdicts } }

    /// The log would grow as long as only right PINs are written, each without waiting for the disk.
    @Test func theLogIsBroughtBack() async throws {
        var largest = 0
        for _ in 0..<3000 {
            _ = try await count(isRight: true)
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
            largest = max(largest, attributes[.size] as? Int ?? .max)
        }
        #expect(try await verdicts == 3000)
        // Each verdict is four kilobytes and more.
        #expect(largest < 3000 * 4096 / 2, "\(largest) bytes")
    }

    /// A management command, or a backup, in the midst of writing: the verdict waits, and what only reads does not.
    @Test func anotherWriterIsWaitedForBesideTheReaders() async throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        async let counted = count(isRight: true)
        for _ in 0..<20 {
            #expect(try await verdicts == 0)
            try await Task.sleep(for: .milliseconds(5))
        }
        try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        #expect(try await counted == 1)
        #expect(try await verdicts == 1)
    }

    @Test func verdictsOfBothKindsAddUp() async throws {
        _ = try await together(80) { try await count(isRight: $0 % 20 != 0) }
        #expect(try await verdicts == 80)
    }
}
