// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import Testing

@testable import ReferenceBackend

/// What the counting part of every storage promises.
@Suite struct LoginLedgerTests {
    private static let now = WallTime(seconds: 1000)
    private static let mpinID = MPinID([1])
    private let now = Self.now
    private let mpinID = Self.mpinID
    private let identity = RegisteredIdentity(mpinID: Self.mpinID, userID: "alice", registered: Self.now)

    private static func verdict(_ isRight: Bool, forgives: Bool = true, wrong: Int64? = nil) -> LoginVerdict {
        LoginVerdict(
            isRight: isRight, forgives: forgives, wrong: wrong ?? (isRight ? 0 : 1), time: now,
            takenBack: .seconds(-30))
    }

    @Test(arguments: StorageUnderTest.allCases)
    func theThirdWrongOneBlocks(_ kind: StorageUnderTest) async throws {
        let state = TemporaryFolder()
        defer { withExtendedLifetime(state) {} }
        let storage = try kind.open(in: state)
        func settle(_ verdict: LoginVerdict) async throws -> RegisteredIdentity? {
            try await storage.ledger.settle(verdict, of: mpinID, claim: 0, now: now)
        }
        #expect(try await settle(Self.verdict(false)) == nil)
        try await storage.durable.add(identity)
        #expect(try await settle(Self.verdict(false))?.failures == 1)
        let second = try await settle(Self.verdict(true, forgives: false))
        #expect(second?.failures == 1 && second?.lastFailure == now && second?.verdicts == 2)
        let forgiven = try await settle(Self.verdict(true))
        #expect(forgiven?.failures == 0 && forgiven?.lastFailure == nil && forgiven?.begunForgotten == nil)
        #expect(try await settle(Self.verdict(false, wrong: 2))?.failures == 2)
        #expect(try await settle(Self.verdict(false))?.isBlocked == true)
        // Then nothing changes it, not even a right one, but for an operator.
        #expect(try await settle(Self.verdict(true)) == nil)
        #expect(try await storage.durable.identity(mpinID)?.failures == 3)
        #expect(try await storage.durable.forgetFailures(of: IdentitySelection(userID: "alice")) == 1)
        #expect(try await storage.durable.identity(mpinID)?.isBlocked == false)
    }

    /// A hundred wrong ones at the same moment, from two sides: three count, and the others find it blocked.
    @Test(arguments: StorageUnderTest.allCases)
    func countsOnceAndExactly(_ kind: StorageUnderTest) async throws {
        let state = TemporaryFolder()
        defer { withExtendedLifetime(state) {} }
        let storages = [try kind.open(in: state), try kind.open(in: state)]
        try await storages[0].durable.add(identity)
        let counted = try await withThrowingTaskGroup(of: Int64?.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try await storages[number % 2].ledger.settle(
                        Self.verdict(false), of: Self.mpinID, claim: 0, now: Self.now)?.failures
                }
            }
            return try await group.reduce(into: [Int64]()) { if let count = $1 { $0.append(count) } }
        }
        #expect(counted.sorted() == [1, 2, 3])
    }

    @Test(arguments: StorageUnderTest.allCases)
    func countsWhatIsBegun(_ kind: StorageUnderTest) async throws {
        let state = TemporaryFolder()
        defer { withExtendedLifetime(state) {} }
        let storage = try kind.open(in: state)
        try await storage.durable.add(identity)
        func begin(_ ledger: any LoginLedger, _ identity: RegisteredIdentity) async throws -> Beginning {
            try await ledger.begin(identity, now: now) { known in
                let forgotten = max(known ?? now, now) + .seconds(30)
                return Beginning(forgotten: forgotten, isKept: forgotten > now + .seconds(60), wait: nil)
            }
        }
        var ends: [WallTime] = []
        for _ in 0..<4 { ends.append(try await begin(storage.ledger, identity).forgotten) }
        #expect(ends == (1...4).map { now + .seconds(30 * $0) })
        // A verdict takes its own back, a forgiving one all.
        _ = try await storage.ledger.settle(Self.verdict(false), of: mpinID, claim: 0, now: now)
        #expect(try await begin(storage.ledger, identity).forgotten == now + .seconds(120))
        // What opens the storage later knows those that were worth keeping.
        let again = try kind.open(in: state)
        let known = try #require(try await again.durable.identity(mpinID))
        #expect(known.begunForgotten == now + .seconds(120))
        #expect(try await begin(again.ledger, known).forgotten == now + .seconds(150))
        _ = try await again.ledger.settle(Self.verdict(true), of: mpinID, claim: 0, now: now)
        let forgiven = try #require(try await again.durable.identity(mpinID))
        #expect(try await begin(again.ledger, forgiven).forgotten == now + .seconds(30))
    }

    @Test(arguments: StorageUnderTest.allCases)
    func oneAtATimeIsJudged(_ kind: StorageUnderTest) async throws {
        let state = TemporaryFolder()
        defer { withExtendedLifetime(state) {} }
        let storage = try kind.open(in: state)
        try await storage.durable.add(identity)
        let ledger = storage.ledger
        func claim(at moment: WallTime? = nil) async throws -> UInt64? {
            let (time, number) = (moment ?? now, UInt64.random(in: .min ... .max))
            guard
                case .free(let found) = try await ledger.claim(
                    mpinID, as: number, until: time + .seconds(60), now: time)
            else { return nil }
            #expect(found?.mpinID == mpinID)
            return number
        }
        let claims = try await withThrowingTaskGroup(of: UInt64?.self) { group in
            for number in UInt64(1)...50 {
                group.addTask {
                    let claim = try await ledger.claim(
                        Self.mpinID, as: number, until: Self.now + .seconds(60), now: Self.now)
                    if case .free = claim { return number }
                    return nil
                }
            }
            return try await group.reduce(into: [UInt64]()) { if let number = $1 { $0.append(number) } }
        }
        let first = try #require(claims.count == 1 ? claims.first : nil)
        // Only who has it ends it, by a verdict or without one; or it ends by itself.
        try await ledger.release(mpinID, claim: first &+ 1, now: now)
        #expect(try await claim() == nil)
        try await ledger.release(mpinID, claim: first, now: now)
        let second = try #require(try await claim())
        _ = try await ledger.settle(Self.verdict(false), of: mpinID, claim: second, now: now)
        #expect(try await claim() != nil)
        #expect(try await claim(at: now + .seconds(59)) == nil)
        #expect(try await claim(at: now + .seconds(60)) != nil)
        // Another identity is not concerned, known or not.
        guard case .free(nil) = try await ledger.claim(MPinID([2]), as: 1, until: now + .seconds(60), now: now) else {
            Issue.record("an identity that is not known is claimed like any other")
            return
        }
    }
}
