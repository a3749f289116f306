// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Foundation
import GRDB
import MPinCrypto
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// What is written to SQLite, and who waits for it.
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
            _ = $0.count(verdict, lease: JudgingLease(WallTime(seconds: 2000)))
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
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<80 { group.addTask { _ = try await count(isRight: number % 20 != 0) } }
            try await group.waitForAll()
        }
        #expect(try await verdicts == 80)
    }

    /// A file of the version before: what was in three tables is in one row of an identity.
    @Test func aFileOfBefore() async throws {
        let older = TemporaryFolder()
        let directory = try StateDirectory(path: older.path)
        let file = directory.file("backend.sqlite")
        try StateDirectory.create(file, content: [])
        let queue = try DatabaseQueue(path: file)
        try BackendDatabase.migrator.migrate(queue, upTo: "personal cards")
        try await queue.write { database in
            for (number, user) in [(1, "alice"), (2, "bob")] {
                try database.execute(
                    sql: "INSERT INTO identity (mpinID, userID, registered, failures) VALUES (?, ?, 5, 1)",
                    arguments: [Data([UInt8(number)]), user])
            }
            try database.execute(sql: "INSERT INTO revocation VALUES (x'01', 7); INSERT INTO card VALUES (x'02', 8, 9)")
        }
        try queue.close()
        let database = try BackendDatabase(state: directory)
        let identities = try await database.identities(nil).sorted { $0.userID < $1.userID }
        #expect(identities.map(\.revoked) == [WallTime(milliseconds: 7), nil])
        let card = StoredCard(issued: WallTime(milliseconds: 8), ends: WallTime(milliseconds: 9))
        #expect(identities.map(\.card) == [nil, card] && identities.map(\.failures) == [1, 1])
    }
}
