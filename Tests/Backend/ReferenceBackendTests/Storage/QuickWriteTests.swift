// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MPinCrypto
import Testing

@testable import ReferenceBackend

/// What is written to SQLite without waiting, and where that has its bounds.
struct QuickWriteTests {
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

    private func settle(isRight: Bool) async throws -> RegisteredIdentity? {
        let verdict = LoginVerdict(
            isRight: isRight, forgives: true, wrong: isRight ? 0 : 1, time: WallTime(seconds: 2000),
            takenBack: .seconds(-30))
        return try await database.settle(verdict, of: Self.alice).identity
    }

    private var verdicts: Int64? { get async throws { try await database.identity(Self.alice)?.verdicts } }

    /// The log would grow as long as only right PINs are written, each without waiting for the disk.
    @Test
    func theLogIsBroughtBack() async throws {
        var largest = 0
        for _ in 0..<3000 {
            _ = try await settle(isRight: true)
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
            largest = max(largest, attributes[.size] as? Int ?? .max)
        }
        #expect(try await verdicts == 3000)
        // Each verdict is four kilobytes and more.
        #expect(largest < 3000 * 4096 / 2, "\(largest) bytes")
    }

    /// A management command, or a backup, in the midst of writing: the verdict waits, and what only reads does not.
    @Test
    func anotherWriterIsWaitedForBesideTheReaders() async throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        async let settled = settle(isRight: true)
        for _ in 0..<20 {
            #expect(try await verdicts == 0)
            try await Task.sleep(for: .milliseconds(5))
        }
        try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        #expect(try await settled?.verdicts == 1)
        #expect(try await verdicts == 1)
    }

    /// Right and wrong ones come by different connections, and each counts once, in the order in which they came.
    @Test
    func verdictsOfBothKindsAddUp() async throws {
        for number in 1...20 {
            _ = try await settle(isRight: false)
            let wrong = try #require(try await database.identity(Self.alice))
            #expect(wrong.failures == 1 && wrong.verdicts == Int64(2 * number - 1))
            let right = try #require(try await settle(isRight: true))
            #expect(right.failures == 0 && right.verdicts == Int64(2 * number))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 { group.addTask { _ = try await settle(isRight: number % 20 != 0) } }
            try await group.waitForAll()
        }
        #expect(try await verdicts == 80)
    }
}
