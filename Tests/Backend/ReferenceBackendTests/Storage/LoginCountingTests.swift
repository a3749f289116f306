// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import MPinCrypto
import Patience
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The rule of counting, and that every storage runs it as it is written.
@Suite struct LoginCountingTests {
    private static let now = WallTime(seconds: 1000)
    private static let mpinID = MPinID([1])
    private let now = Self.now
    private let state = TemporaryFolder()
    private let identity = RegisteredIdentity(mpinID: Self.mpinID, userID: "alice", registered: Self.now)

    private static func verdict(_ isRight: Bool, forgives: Bool = true, wrong: Int64? = nil) -> LoginVerdict {
        LoginVerdict(isRight: isRight, forgives: forgives, wrong: wrong ?? (isRight ? 0 : 1), time: now)
    }

    /// The row of an identity.
    private final class Row {
        private(set) var identity: RegisteredIdentity

        init(_ identity: RegisteredIdentity) { self.identity = identity }

        func change<Value>(_ body: (inout RegisteredIdentity) -> Value) -> Value { body(&identity) }

        func begin(_ order: LoginOrder, now: WallTime) -> Beginning { change { $0.begin(order, now: now) } }

        func take(_ lease: LoginLease, now: WallTime) -> Bool { change { $0.take(lease, now: now) } }

        func count(_ verdict: LoginVerdict, lease: LoginLease) -> CountedVerdict {
            change { $0.count(verdict, lease: lease) }
        }
    }

    // MARK: The rule

    @Test func theThirdWrongOneBlocks() {
        let alice = Row(identity)
        func count(_ verdict: LoginVerdict) -> RegisteredIdentity? {
            guard case .counted(let after) = alice.count(verdict, lease: LoginLease(now)) else { return nil }
            return after
        }
        #expect(count(Self.verdict(false))?.failures == 1)
        let second = count(Self.verdict(true, forgives: false))
        #expect(second?.failures == 1 && second?.lastFailure == now && second?.verdicts == 2)
        let forgiven = count(Self.verdict(true))
        #expect(forgiven?.failures == 0 && forgiven?.lastFailure == nil && forgiven?.begunForgotten == nil)
        // A right PIN for a signature is no login.
        #expect(second?.lastLogin == nil && forgiven?.lastLogin == now)
        #expect(count(Self.verdict(false, wrong: 2))?.failures == 2)
        #expect(count(Self.verdict(false))?.isBlocked == true)
        // Then nothing changes it, not even a right one, but for an operator.
        #expect(count(Self.verdict(true)) == nil)
        #expect(alice.identity.failures == 3 && alice.identity.lease == nil)
        alice.change { $0.forgetFailures() }
        #expect(!alice.identity.isBlocked)
    }

    @Test func countsWhatIsBegun() {
        let alice = Row(identity)
        let order = LoginOrder(mpinID: Self.mpinID)
        for number in 1...4 {
            #expect(alice.begin(order, now: now) == .begun)
            #expect(alice.identity.begunForgotten == now + .seconds(30 * number))
        }
        // A verdict takes its own back, a forgiving one all.
        _ = alice.count(Self.verdict(false), lease: LoginLease(now))
        #expect(alice.identity.begunForgotten == now + .seconds(90))
        _ = alice.count(Self.verdict(true), lease: LoginLease(now))
        #expect(alice.identity.begunForgotten == nil)
        // The 21st has to wait.
        for _ in 0..<20 { #expect(alice.begin(order, now: now) == .begun) }
        #expect(alice.begin(order, now: now) == .tooMany(wait: .seconds(30)))
        #expect(alice.identity.begunForgotten == now + .seconds(600))
        // A clock that was set back forgets them, and nobody waits for its sake.
        let early = now + .seconds(-900)
        #expect(alice.begin(order, now: early) == .begun)
        #expect(alice.identity.begunForgotten == early + .seconds(30))
    }

    /// A process was killed while it checked a PIN, and then the clock was set back.
    @Test func aClaimOfALaterClockIsOver() {
        let alice = Row(identity)
        func takes(_ time: WallTime) -> Bool {
            var identity = alice.identity
            let isTaken = identity.take(LoginLease(time), now: time)
            alice.change { $0.lease = identity.lease }
            return isTaken
        }
        #expect(takes(now) && !takes(now + .seconds(1)) && takes(now + .seconds(-120)))
    }

    /// Processes that share a database have clocks of their own. A time that another one noted is not one from before
    /// the clock was set back.
    @Test func clocksThatDifferALittleCountTogether() {
        let (limit, ahead) = (LoginRateLimit(), now + .milliseconds(100))
        var known: WallTime?
        for _ in 0..<limit.capacity {
            let (fullAt, wait) = limit.take(fullAt: known, ahead)
            #expect(wait == nil)
            known = fullAt
        }
        for time in [now, ahead, now + .seconds(-30)] { #expect(limit.take(fullAt: known, time).wait != nil) }
        #expect(limit.take(fullAt: known, now + .seconds(-3600)).wait == nil)
        let alice = Row(identity)
        var taken = alice.identity
        let isFirst = taken.take(LoginLease(ahead), now: ahead)
        let isSecond = taken.take(LoginLease(now), now: now)
        #expect(isFirst && !isSecond)
    }

    @Test func refusesWhatIsNotItsKey() {
        let (key, next) = ([UInt8](repeating: 1, count: 128), [UInt8](repeating: 2, count: 128))
        let alice = Row(identity)
        alice.change { $0.publicKey = key }
        for other in [nil, next] {
            #expect(alice.begin(LoginOrder(mpinID: Self.mpinID, publicKey: other), now: now) == .refused)
        }
        #expect(alice.identity.begunForgotten == nil)
        alice.change { $0.nextPublicKey = next }
        for own in [key, next] {
            #expect(alice.begin(LoginOrder(mpinID: Self.mpinID, publicKey: own), now: now) == .begun)
        }
        alice.change { $0.revoke(now: now) }
        let good = LoginOrder(mpinID: Self.mpinID, publicKey: key, mustBeUsable: true)
        #expect(alice.begin(good, now: now) == .refused)
        #expect(alice.begin(LoginOrder(mpinID: Self.mpinID, publicKey: key), now: now) == .begun)
    }

    /// A process stands still while it checks a PIN, and another one takes its place: a wrong PIN of each counts, a right
    /// one where the lease is.
    @Test func whoHasLostItsClaimLetsNoOneIn() {
        let alice = Row(identity)
        let first = LoginLease(now)
        #expect(alice.take(first, now: now))
        #expect(!alice.take(LoginLease(now), now: first.ends + .milliseconds(-1)))
        let second = LoginLease(ends: now + .seconds(100))
        #expect(alice.take(second, now: first.ends))
        #expect(alice.count(Self.verdict(true), lease: first) == .tooLate)
        #expect(alice.identity.verdicts == 0 && alice.identity.lease == second)
        alice.change { $0.release(first) }
        _ = alice.count(Self.verdict(false), lease: first)
        #expect(alice.identity.failures == 1 && alice.identity.lease == second)
        _ = alice.count(Self.verdict(true), lease: second)
        #expect(alice.identity.failures == 0 && alice.identity.lease == nil)
        // Nobody took this one over.
        #expect(alice.take(first, now: now))
        let late = LoginVerdict(isRight: true, forgives: true, wrong: 0, time: first.ends + .seconds(60))
        _ = alice.count(late, lease: first)
        #expect(alice.identity.lastLogin == late.time && alice.identity.lease == nil)
    }

    // MARK: At every storage

    /// Two openings of one storage that has the identity.
    private func twoSides(of kind: StorageUnderTest) async throws -> [any DurableStorage] {
        let storages = [try kind.open(in: state).durable, try kind.open(in: state).durable]
        try await storages[0].add(identity)
        return storages
    }

    /// A hundred wrong ones at the same moment, from two sides: three count, and the others find it blocked.
    @Test(arguments: StorageUnderTest.allCases)
    func countsOnceAndExactly(_ kind: StorageUnderTest) async throws {
        let storages = try await twoSides(of: kind)
        let counted = try await together(100) { number in
            try await storages[number % 2].change(Self.mpinID) { alice in
                guard case .counted(let after) = alice.count(Self.verdict(false), lease: LoginLease(Self.now)) else {
                    return nil as Int64?
                }
                return after.failures
            }
        }
        #expect(counted.compactMap { $0 ?? nil }.sorted() == [1, 2, 3])
        #expect(try await storages[1].identity(Self.mpinID)?.isBlocked == true)
    }

    @Test(arguments: StorageUnderTest.allCases)
    func beginningsAddUp(_ kind: StorageUnderTest) async throws {
        let storages = try await twoSides(of: kind)
        let order = LoginOrder(mpinID: Self.mpinID)
        let begun = try await together(30) { number in
            try await storages[number % 2].change(Self.mpinID, isOnDisk: false) {
                $0.begin(order, now: Self.now)
            }
        }
        #expect(begun.filter { $0 == .begun }.count == 20)
        #expect(try await storages[1].identity(Self.mpinID)?.begunForgotten == now + .seconds(600))
    }

    @Test(arguments: StorageUnderTest.allCases)
    func oneOfAllTakesTheLease(_ kind: StorageUnderTest) async throws {
        let storages = try await twoSides(of: kind)
        @Sendable func take(_ number: Int, at now: WallTime) async throws -> LoginLease? {
            let lease = LoginLease(now)
            let isTaken = try await storages[number % 2].change(Self.mpinID, isOnDisk: false) {
                $0.take(lease, now: now)
            }
            return isTaken == true ? lease : nil
        }
        let claims = try await together(50) { try await take($0, at: Self.now) }.compactMap { $0 }
        let first = try #require(claims.count == 1 ? claims.first : nil)
        #expect(try await take(0, at: first.ends + .milliseconds(-1)) == nil)
        try await storages[1].change(Self.mpinID) { $0.release(first) }
        // It ends by itself where a process has died with it.
        #expect(try await take(0, at: now) != nil)
        #expect(try await take(1, at: now + LoginLease.lifetime) != nil)
        #expect(try await storages[0].change(MPinID([2])) { $0.take(first, now: Self.now) } == nil)
    }
}
