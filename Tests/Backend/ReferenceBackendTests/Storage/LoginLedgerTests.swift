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
        // A right PIN for a signature is no login.
        #expect(second?.lastLogin == nil && forgiven?.lastLogin == now)
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
        let passOnes: any VolatileTable<MPinID, PassOneRecord> = storage.volatile.table("pass 1")
        func begin() async throws -> Beginning? { try await Self.begin(storage, in: passOnes) }
        var ends: [WallTime] = []
        for _ in 0..<4 { ends.append(try #require(try await begin()?.forgotten)) }
        #expect(ends == (1...4).map { now + .seconds(30 * $0) })
        // A verdict takes its own back, a forgiving one all.
        _ = try await storage.ledger.settle(Self.verdict(false), of: mpinID, claim: 0, now: now)
        #expect(try await begin()?.forgotten == now + .seconds(120))
        #expect(try await passOnes.value(for: mpinID, now: now) != nil)
        // What opens the storage later knows those that were worth keeping.
        let again = try kind.open(in: state)
        let others: any VolatileTable<MPinID, PassOneRecord> = again.volatile.table("pass 1")
        #expect(try await again.durable.identity(mpinID)?.begunForgotten == now + .seconds(120))
        #expect(try await Self.begin(again, in: others)?.forgotten == now + .seconds(150))
        _ = try await again.ledger.settle(Self.verdict(true), of: mpinID, claim: 0, now: now)
        #expect(try await Self.begin(again, in: others)?.forgotten == now + .seconds(30))
    }

    private static func begin(
        _ storage: BackendStorage, _ order: LoginOrder = LoginOrder(mpinID: mpinID, rule: BeginningRule(kept: 3)),
        in passOnes: any VolatileTable<MPinID, PassOneRecord>
    ) async throws -> Beginning? {
        try await storage.ledger.begin(order, keeping: try Self.record(), in: passOnes, now: now)
    }

    static func record() throws -> PassOneRecord {
        PassOneRecord(
            commitments: Commitments(identity: MPinIdentity(mpinID), plain: [4]), challenge: try Challenge.random())
    }

    /// A device that may not begin has nothing counted, and leaves nothing.
    @Test(arguments: StorageUnderTest.allCases)
    func refusesWhatIsNotItsKey(_ kind: StorageUnderTest) async throws {
        let state = TemporaryFolder()
        defer { withExtendedLifetime(state) {} }
        let storage = try kind.open(in: state)
        let passOnes: any VolatileTable<MPinID, PassOneRecord> = storage.volatile.table("pass 1")
        let (key, next) = ([UInt8](repeating: 1, count: 128), [UInt8](repeating: 2, count: 128))
        func begin(_ order: LoginOrder) async throws -> Beginning? {
            try await Self.begin(storage, order, in: passOnes)
        }
        #expect(try await begin(LoginOrder(mpinID: mpinID)) == nil)
        try await storage.durable.add(
            RegisteredIdentity(mpinID: mpinID, userID: "alice", registered: now, publicKey: key))
        for other in [nil, next] {
            let beginning = try #require(try await begin(LoginOrder(mpinID: mpinID, publicKey: other)))
            #expect(beginning.forgotten == nil && beginning.identity.publicKey == key)
        }
        #expect(try await passOnes.value(for: mpinID, now: now) == nil)
        #expect(try await begin(LoginOrder(mpinID: mpinID, publicKey: key))?.forgotten == now + .seconds(30))
        #expect(try await storage.durable.expect(publicKey: next, of: mpinID))
        #expect(try await begin(LoginOrder(mpinID: mpinID, publicKey: next))?.forgotten == now + .seconds(60))
        #expect(try await storage.durable.revoke(IdentitySelection(userID: "alice"), now: now) == 1)
        let good = LoginOrder(mpinID: mpinID, publicKey: key, mustBeGood: true)
        let refused = try #require(try await begin(good))
        #expect(refused.isRevoked && refused.forgotten == nil)
        #expect(try await begin(LoginOrder(mpinID: mpinID, publicKey: key))?.forgotten == now + .seconds(90))
    }

    /// The 21st has to wait, and takes no pass 1 away.
    @Test(arguments: StorageUnderTest.allCases)
    func tooManyWait(_ kind: StorageUnderTest) async throws {
        let state = TemporaryFolder()
        defer { withExtendedLifetime(state) {} }
        let storage = try kind.open(in: state)
        try await storage.durable.add(identity)
        let passOnes: any VolatileTable<MPinID, PassOneRecord> = storage.volatile.table("pass 1")
        for _ in 0..<20 { #expect(try await Self.begin(storage, in: passOnes)?.wait == nil) }
        _ = try await passOnes.take(mpinID, now: now)
        let late = try #require(try await Self.begin(storage, in: passOnes))
        #expect(late.wait == .seconds(30) && late.forgotten == now + .seconds(600))
        #expect(try await passOnes.value(for: mpinID, now: now) == nil)
    }

    /// A process stands still while it judges, and another one takes its place: each verdict counts, and what was begun
    /// stays counted without one.
    @Test(arguments: StorageUnderTest.allCases)
    func aLateVerdictCounts(_ kind: StorageUnderTest) async throws {
        let state = TemporaryFolder()
        defer { withExtendedLifetime(state) {} }
        let storage = try kind.open(in: state)
        try await storage.durable.add(identity)
        let ledger = storage.ledger
        let passOnes: any VolatileTable<MPinID, PassOneRecord> = storage.volatile.table("pass 1")
        func isFree(_ number: UInt64, at seconds: Int) async throws -> Bool {
            let time = now + .seconds(seconds)
            let claim = try await ledger.claim(mpinID, as: number, until: time + .seconds(60), now: time)
            if case .free = claim { return true }
            return false
        }
        for _ in 0..<4 { _ = try await Self.begin(storage, in: passOnes) }
        #expect(try await isFree(1, at: 0))
        #expect(try await !isFree(2, at: 59))
        #expect(try await isFree(2, at: 60))
        #expect(try await storage.durable.identity(mpinID)?.begunForgotten == now + .seconds(120))
        let late = try await ledger.settle(Self.verdict(false), of: mpinID, claim: 1, now: now)
        #expect(late?.failures == 1 && late?.begunForgotten == now + .seconds(90))
        #expect(try await !isFree(3, at: 61))
        #expect(try await ledger.settle(Self.verdict(false), of: mpinID, claim: 2, now: now)?.failures == 2)
        #expect(try await isFree(3, at: 61))
    }

    /// Two processes never let in on one claim: who has lost it may count a wrong PIN, and tell no right one.
    @Test(arguments: StorageUnderTest.allCases)
    func whoHasLostItsClaimLetsNoOneIn(_ kind: StorageUnderTest) async throws {
        let state = TemporaryFolder()
        defer { withExtendedLifetime(state) {} }
        let storage = try kind.open(in: state)
        try await storage.durable.add(identity)
        for (number, seconds) in [(UInt64(1), 0), (2, 60)] {
            let time = now + .seconds(seconds)
            let claim = try await storage.ledger.claim(mpinID, as: number, until: time + .seconds(60), now: time)
            guard case .free = claim else {
                Issue.record("it has ended by itself")
                return
            }
        }
        let late = now + .seconds(61)
        let sequel = VerdictSequel(steps: [])
        for next in [nil, sequel] {
            await #expect(throws: StorageError.self) {
                try await storage.ledger.settle(Self.verdict(true), of: mpinID, claim: 1, now: late, then: next)
            }
        }
        #expect(try await storage.durable.identity(mpinID)?.verdicts == 0)
        #expect(try await storage.ledger.settle(Self.verdict(false), of: mpinID, claim: 1, now: late)?.failures == 1)
        #expect(try await storage.ledger.settle(Self.verdict(true), of: mpinID, claim: 2, now: late)?.failures == 0)
    }

    /// Of one process alone no claim outlives it.
    @Test(arguments: StorageUnderTest.allCases.filter { $0 != .postgreSQL })
    func aRestartEndsClaims(_ kind: StorageUnderTest) async throws {
        let state = TemporaryFolder()
        defer { withExtendedLifetime(state) {} }
        for number in UInt64(1)...2 {
            let ledger = try kind.open(in: state).ledger
            guard case .free = try await ledger.claim(mpinID, as: number, until: now + .seconds(60), now: now) else {
                Issue.record("there is nobody who judges it")
                return
            }
        }
    }

    /// A login goes from pass 1 to its verdict once, and stays while its identity is busy.
    @Test(arguments: StorageUnderTest.allCases)
    func aLoginIsTakenOnce(_ kind: StorageUnderTest) async throws {
        let state = TemporaryFolder()
        defer { withExtendedLifetime(state) {} }
        let storage = try kind.open(in: state)
        try await storage.durable.add(identity)
        let ledger = storage.ledger
        let passOnes: any VolatileTable<MPinID, PassOneRecord> = storage.volatile.table("pass 1")
        let logins: any VolatileTable<OneTimeToken, BegunLogin> = storage.volatile.table("logins")
        let sessions: any VolatileTable<String, Int> = storage.volatile.table("sessions")
        try await sessions.insert(7, for: "code", expires: now + .seconds(60), now: now)
        let second = PassTwo(response: [9], days: nil, accessCode: "code", oneTimePassword: "123456")
        func answer(_ authOTT: OneTimeToken) async throws -> Bool {
            try await ledger.answer(passOnes, of: mpinID, with: second, in: logins, under: authOTT, now: now)
        }
        func claim(_ authOTT: OneTimeToken, _ number: UInt64, isPlain: Bool = false) async throws -> LoginClaim<Int> {
            try await ledger.claim(
                authOTT, in: logins, isPlain: isPlain, seeing: sessions, as: number, until: now + .seconds(60),
                now: now)
        }
        let tokens = try (0..<2).map { _ in try OneTimeToken.random() }
        #expect(try await !answer(tokens[0]))
        for token in tokens {
            _ = try await Self.begin(storage, in: passOnes)
            #expect(try await answer(token))
            #expect(try await !answer(token))
        }
        guard case .unknown = try await claim(tokens[0], 1, isPlain: true) else {
            Issue.record("a login with a browser is its device's to present")
            return
        }
        guard case .taken(let login, let known, let session) = try await claim(tokens[0], 1) else {
            Issue.record("the first is taken")
            return
        }
        #expect(login.mpinID == mpinID && login.passTwo.response == [9] && login.oneTimePassword == "123456")
        #expect(login.accessCode == "code" && known?.userID == "alice" && session?.value == 7)
        guard case .unknown = try await claim(tokens[0], 2), case .busy = try await claim(tokens[1], 2) else {
            Issue.record("one is taken, and the other one waits")
            return
        }
        // Whose answer got lost does not know whose claim it is.
        try await ledger.release(nil, claim: 2, now: now)
        guard case .busy = try await claim(tokens[1], 2) else {
            Issue.record("only who has it ends it")
            return
        }
        try await ledger.release(nil, claim: 1, now: now)
        guard case .taken = try await claim(tokens[1], 2) else {
            Issue.record("a login that found its identity busy counts once more")
            return
        }
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
