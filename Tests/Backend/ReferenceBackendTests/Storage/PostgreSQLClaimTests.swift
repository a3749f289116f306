// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import PostgreSQL
import PostgreSQLTestKit
import Testing

@testable import ReferenceBackend

/// Claims of processes that are gone, that are slow, and that the network has cut off.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
struct PostgreSQLClaimTests {
    private static let now = WallTime(seconds: 1000)
    private static let mpinID = MPinID([1])
    private let now = Self.now
    private let mpinID = Self.mpinID
    private let state = TemporaryFolder()
    private let first: BackendStorage
    private let second: BackendStorage

    init() async throws {
        (first, second) = try StorageUnderTest.postgreSQL.openTwice(in: state)
        try await first.durable.add(RegisteredIdentity(mpinID: Self.mpinID, userID: "alice", registered: Self.now))
    }

    private func database(_ storage: BackendStorage) throws -> Database {
        try #require(storage.durable as? PostgreSQLDurable).database
    }

    private func isFree(
        _ number: UInt64, _ storage: BackendStorage, of mpinID: MPinID = Self.mpinID, after seconds: Int = 0
    ) async throws -> Bool {
        let time = now + .seconds(seconds)
        let claim = try await storage.ledger.claim(mpinID, as: number, until: time + .seconds(60), now: time)
        if case .free = claim { return true }
        return false
    }

    private func settle(_ isRight: Bool, _ number: UInt64, _ storage: BackendStorage) async throws -> Int64? {
        try await storage.ledger.settle(
            LoginVerdict(
                isRight: isRight, forgives: true, wrong: isRight ? 0 : 1, time: now, takenBack: .seconds(-30)),
            of: mpinID, claim: number, now: now)?.failures
    }

    /// As soon as the server knows of it.
    private func presence(of storage: BackendStorage, otherThan old: Int64? = nil) async throws -> Int64 {
        let isGone = Statement("SELECT pg_try_advisory_xact_lock_shared($1)")
        while true {
            if let presence = try database(storage).presence, presence != old,
                try await !database(second).run(Call(isGone, .integer(presence))).boolean(0, 0)
            {
                return presence
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Ends the connection that a process listens by, as the kernel does of one that is killed.
    private func cutOff(_ storage: BackendStorage) async throws {
        let presence = try await presence(of: storage)
        let bits = UInt64(bitPattern: presence)
        let end = Statement(
            """
            SELECT bool_and(pg_terminate_backend(pid, 60000)) FROM pg_locks
            WHERE locktype = 'advisory' AND classid::bigint = $1 AND objid::bigint = $2 AND objsubid = 1
            """)
        let answer = try await database(second).run(
            Call(end, .integer(Int64(bits >> 32)), .integer(Int64(bits & 0xffff_ffff))))
        #expect(try answer.boolean(0, 0))
    }

    /// Each process and each of its connections has a name of its own, and no other one has it.
    @Test func whoIsThere() async throws {
        let before = try await presence(of: first)
        let other = try await presence(of: second)
        #expect(before != other)
        try await cutOff(first)
        let after = try await presence(of: first, otherThan: before)
        #expect(after != other)
        #expect(try await presence(of: second) == other)
    }

    /// The next one judges at once, and need not wait for the end of the claim.
    @Test func aProcessThatIsGoneHoldsNothing() async throws {
        #expect(try await isFree(1, first))
        #expect(try await !isFree(2, second))
        try await cutOff(first)
        #expect(try await isFree(2, second))
        // Whose process is there.
        #expect(try await !isFree(3, first))
        #expect(try await settle(false, 2, second) == 1)
        #expect(try await isFree(3, first))
    }

    /// Many people's claims are left by one process, and as many come to another one at the same moment.
    @Test func allThatItHeldIsFreeAtOnce() async throws {
        let people = (2..<60).map { MPinID([UInt8($0)]) }
        for person in people { #expect(try await isFree(1, first, of: person)) }
        try await cutOff(first)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for person in people { group.addTask { try await isFree(2, second, of: person) } }
            for try await isFree in group { #expect(isFree) }
        }
    }

    /// Of a hundred who find it so one takes it.
    @Test func oneTakesItOver() async throws {
        #expect(try await isFree(1, first))
        try await cutOff(first)
        let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in UInt64(2)..<102 {
                group.addTask { try await isFree(number, number % 2 == 0 ? first : second) }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(taken == 1)
    }

    /// It judges for as long as its claim lasts, and all others wait.
    @Test func aProcessThatIsSlowHoldsItsClaim() async throws {
        #expect(try await isFree(1, first))
        for seconds in [0, 1, 30, 59] { #expect(try await !isFree(2, second, after: seconds)) }
        #expect(try await settle(true, 1, first) == 0)
        #expect(try await isFree(2, second))
    }

    /// The process lives, the server has lost it, and another one takes over. A wrong PIN of each counts; a right one
    /// counts where the claim is.
    @Test func aProcessThatIsCutOffLetsNoOneIn() async throws {
        #expect(try await isFree(1, first))
        try await cutOff(first)
        #expect(try await isFree(2, second))
        await #expect(throws: StorageError.self) { try await settle(true, 1, first) }
        #expect(try await settle(false, 1, first) == 1)
        #expect(try await !isFree(3, second))
        #expect(try await settle(true, 2, second) == 0)
        // Nobody took this one over.
        #expect(try await isFree(3, first))
        try await cutOff(first)
        #expect(try await settle(true, 3, first) == 0)
    }

    /// A hundred wrong PINs, while a process that judges is cut off: three count.
    @Test func aHundredWrongPINsBlockAtTheThird() async throws {
        var counts: [Int64] = []
        for number in UInt64(1)...100 {
            let (here, there) = number % 2 == 0 ? (first, second) : (second, first)
            #expect(try await isFree(number, here))
            if [2, 10].contains(number) { try await cutOff(first) }
            counts += [try await settle(false, number, here), try await settle(false, number, there)].compactMap { $0 }
        }
        #expect(counts == [1, 2, 3])
    }

    /// During an update a process of before claims as it knows it: such a claim ends by itself.
    @Test func aProcessOfBefore() async throws {
        let old = Statement("SELECT is_free FROM claim_identity($1, $2, $3, $4)")
        func isFreeForIt(at seconds: Int) async throws -> Bool {
            let time = now + .seconds(seconds)
            return try await database(first).run(
                Call(
                    old, .bytes(mpinID.bytes), .integer(7), .integer((time + .seconds(60)).milliseconds),
                    .integer(time.milliseconds))
            ).boolean(0, 0)
        }
        #expect(try await isFree(1, second))
        #expect(try await !isFreeForIt(at: 0))
        try await cutOff(second)
        #expect(try await isFreeForIt(at: 0))
        #expect(try await !isFree(2, second, after: 59))
        #expect(try await isFree(2, second, after: 60))
    }
}
