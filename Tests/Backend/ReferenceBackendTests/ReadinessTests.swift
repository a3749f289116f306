// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Foundation
import KioskTestKit
import LinuxSystem
import Patience
import Synchronization
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

@Suite("The checks of a load balancer", .timeLimit(.minutes(10)))
struct ReadinessTests {
    private struct Away: Error {}

    /// A storage that answers or does not, and counts its callers.
    private final class Storage: Sendable {
        let looks = Mutex(0)
        let isThere = Mutex(true)

        func look() throws {
            looks.withLock { $0 += 1 }
            if !isThere.withLock(\.self) { throw Away() }
        }
    }

    @Test func isReadyWhileTheStorageAnswersAndItMayStay() async {
        let (storage, clock) = (Storage(), ManualClock())
        let readiness = Readiness(Timekeeper(clock)) { try storage.look() }
        #expect(await readiness.state == .ready)
        storage.isThere.withLock { $0 = false }
        clock.advance(by: Readiness.interval)
        #expect(await readiness.state == .noStorage)
        storage.isThere.withLock { $0 = true }
        clock.advance(by: Readiness.interval)
        #expect(await readiness.state == .ready)
        await readiness.stop()
        #expect(await readiness.state == .stopping)
    }

    /// D-TAs on other machines that were unreachable when the process started.
    @Test func isNotReadyUntilItCanCheck() async {
        let clock = ManualClock()
        let isKnown = Mutex(false)
        let readiness = Readiness(Timekeeper(clock), canCheck: { isKnown.withLock(\.self) }) {}
        #expect(await readiness.state == .noServerSecret)
        isKnown.withLock { $0 = true }
        #expect(await readiness.state == .ready)
    }

    @Test func aStrangersQuestionsCostTheStorageOneASecond() async {
        let (storage, clock) = (Storage(), ManualClock())
        let readiness = Readiness(Timekeeper(clock)) { try storage.look() }
        for _ in 0..<100 { #expect(await readiness.state == .ready) }
        #expect(storage.looks.withLock(\.self) == 1)
        clock.advance(by: Readiness.interval)
        for _ in 0..<100 { #expect(await readiness.state == .ready) }
        #expect(storage.looks.withLock(\.self) == 2)
    }

    /// A silent storage blocks one check. Others get the previous answer at once.
    @Test func oneLookIsUnderWayAtATime() async throws {
        let (storage, clock, answer) = (Storage(), ManualClock(), Eventually<Void>())
        let begun = Eventually<Void>()
        let readiness = Readiness(Timekeeper(clock)) {
            try storage.look()
            begun.settle(.success(()))
            try await answer.value
        }
        async let first = readiness.state
        try await begun.value
        for _ in 0..<100 { #expect(await readiness.state == .noStorage) }
        #expect(storage.looks.withLock(\.self) == 1)
        answer.settle(.success(()))
        #expect(await first == .ready)
    }

    /// All logins would be refused here, because no PIN is checked if a wrong one cannot be stored.
    @Test func isNotReadyWhileNothingCanBeWritten() async throws {
        try await withBackend { backend in
            let disk = try FailingWrites(backend.state, statement: "INSERT ON tally")
            try await disk.begin()
            let reply = try await backend.client.get("/readyz")
            #expect(reply.status == 503 && reply.text.contains("takes nothing"))
            #expect(try await backend.client.get("/healthz").status == 200)
            try await disk.end()
        }
    }

    /// SQLite writes nothing for a change that leaves all bytes as they are, and a full disk would not be noticed.
    @Test func eachLookWrites() async throws {
        let state = TemporaryFolder()
        let storage = try BackendStorage.embedded(in: try StateDirectory(path: state.path))
        let log = URL(filePath: state.path + "/backend.sqlite-wal")
        var contents: Set<Data> = []
        for _ in 0..<3 {
            try await storage.operators.add(LoginCounts(), now: WallTime(seconds: 1_800_000_000))
            contents.insert(try Data(contentsOf: log))
        }
        #expect(contents.count == 3)
        storage.lock?.release()
    }

    @Test func bothPathsAnswerInWords() async throws {
        try await withBackend { backend in
            for (path, text) in [("/healthz", "ok\n"), ("/readyz", "ready\n")] {
                let reply = try await backend.client.get(path)
                #expect(reply.status == 200 && reply.text == text)
            }
        }
    }
}
