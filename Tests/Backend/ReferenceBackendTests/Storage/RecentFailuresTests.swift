// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import MPinCrypto
import Patience
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// A copied card is tried twice between each two logins of its owner: over thirty days that is noticed.
@Suite struct RecentFailuresTests {
    private static let start = WallTime(seconds: 1_795_651_200)
    private static let day = Duration.seconds(86_400)
    private static let classic = MPinID(Array(#"{"userID":"alice"}"#.utf8))
    private static let renewable = MPinIDText.make(
        userID: "alice", projectID: "p", verification: .email, issued: start, salt: [1])

    private static let lease = LoginLease(start)
    private let state = TemporaryFolder()

    private static func wrong(_ time: WallTime, _ count: Int64 = 1) -> LoginVerdict {
        LoginVerdict(isRight: false, forgives: true, wrong: count, time: time)
    }

    private static func right(_ time: WallTime) -> LoginVerdict {
        LoginVerdict(isRight: true, forgives: true, wrong: 0, time: time)
    }

    /// Two wrong ones, and the owner's login.
    /// - Returns: at which wrong one a mail was sent, and after which the identity was blocked.
    private static func attack(
        _ identity: inout RegisteredIdentity, rounds: Int, every pause: Duration
    ) -> (mails: [Int], blockedAt: Int?) {
        var (mails, count, now): ([Int], Int, WallTime) = ([], 0, start)
        for _ in 0..<rounds {
            for _ in 0..<2 {
                count += 1
                let verdict = wrong(now).withThirtyDayRule(for: identity)
                _ = identity.count(verdict, lease: lease)
                if verdict.warning(of: identity) != nil { mails.append(count) }
                if identity.isBlocked { return (mails, count) }
                now = now + .seconds(60)
            }
            _ = identity.count(right(now).withThirtyDayRule(for: identity), lease: lease)
            now = now + pause
        }
        return (mails, nil)
    }

    @Test func anIdentityThatCannotTakeANewSecretIsBlockedAtTwenty() {
        var identity = RegisteredIdentity(mpinID: Self.classic, userID: "alice", registered: Self.start)
        let attack = Self.attack(&identity, rounds: 100, every: .seconds(3600))
        #expect(attack.mails == [6, 20] && attack.blockedAt == 20)
        #expect(identity.failures == 3 && !identity.needsRenewal)
        // Once an operator has said that all is well it starts again.
        identity.forgetFailures()
        _ = identity.count(Self.wrong(Self.start + Self.day).withThirtyDayRule(for: identity), lease: Self.lease)
        #expect(!identity.isBlocked)
    }

    @Test func oneThatCanHasToTakeItAtTwentyAndIsBlockedAtThirty() {
        var identity = RegisteredIdentity(
            mpinID: Self.renewable, userID: "alice", registered: Self.start, publicKey: [1])
        let first = Self.attack(&identity, rounds: 9, every: .seconds(60))
        #expect(first.mails == [6] && !identity.needsRenewal)
        var renewed = identity
        let attack = Self.attack(&identity, rounds: 100, every: .seconds(60))
        #expect(attack.blockedAt == 12 && identity.needsRenewal)
        // With the new key the copies are worthless, and it counts from nothing.
        _ = Self.attack(&renewed, rounds: 2, every: .seconds(60))
        #expect(renewed.needsRenewal)
        renewed.nextPublicKey = [2]
        let isProved = renewed.settle(publicKey: [2])
        #expect(isProved && !renewed.needsRenewal)
        #expect(renewed.recentFailures == RecentFailures())
    }

    @Test func whatIsOlderThanThirtyDaysDoesNotCount() {
        var identity = RegisteredIdentity(mpinID: Self.classic, userID: "alice", registered: Self.start)
        let attack = Self.attack(&identity, rounds: 100, every: Self.day * 16)
        #expect(attack.mails.isEmpty && attack.blockedAt == nil)
        #expect(identity.recentFailures.bytes.count == 32 * 8)
    }

    @Test func aDeviceHearsOfThoseSinceItsLastLogin() {
        var failures = RecentFailures()
        #expect(failures.since(nil) == nil)
        for second: Int64 in [10, 20, 30] { failures.add(RecentFailures.bytes(of: 1, at: WallTime(seconds: second))) }
        #expect(failures.since(nil) == WrongPINs(count: 3, last: WallTime(seconds: 30)))
        #expect(failures.since(WallTime(seconds: 10)) == WrongPINs(count: 2, last: WallTime(seconds: 30)))
        #expect(failures.since(WallTime(seconds: 30)) == nil)
    }

    /// Every storage keeps the last failures, and forgets them on request.
    @Test(arguments: StorageUnderTest.allCases)
    func everyStorageKeepsThem(_ kind: StorageUnderTest) async throws {
        let storage = try kind.open(in: state)
        var expected = RegisteredIdentity(
            mpinID: Self.renewable, userID: "alice", registered: Self.start, publicKey: [1])
        try await storage.durable.add(expected)
        for number in 0..<40 {
            let now = Self.start + .seconds(number)
            for verdict in [Self.wrong(now), Self.right(now + .milliseconds(1))] {
                var verdict = verdict
                verdict.mustRenew = number == 20
                _ = expected.count(verdict, lease: Self.lease)
                let counted = verdict
                let after = try await storage.durable.change(Self.renewable) {
                    $0.count(counted, lease: Self.lease)
                }
                #expect(after == .counted(expected), "\(number)")
            }
        }
        #expect(expected.recentFailures.bytes.count == RecentFailures.capacity * RecentFailures.length)
        #expect(expected.needsRenewal)
        #expect(try await storage.durable.identity(Self.renewable) == expected)
        // Three at once, as after a disk that was full, and one that blocks.
        var blocking = Self.wrong(Self.start + Self.day, 2)
        blocking.blocking = 1
        _ = expected.count(blocking, lease: Self.lease)
        let counted = blocking
        let after = try await storage.durable.change(Self.renewable) { $0.count(counted, lease: Self.lease) }
        #expect(after == .counted(expected) && expected.isBlocked)
        try await storage.durable.change(Self.renewable) { $0.forgetFailures() }
        #expect(try await storage.durable.identity(Self.renewable)?.recentFailures == RecentFailures())
        try await storage.durable.change(Self.renewable) { identity in
            _ = identity.count(Self.wrong(Self.start + Self.day), lease: Self.lease)
            identity.nextPublicKey = [2]
        }
        let isSettled = try await storage.durable.change(Self.renewable) { $0.settle(publicKey: [2]) }
        let renewed = try await storage.durable.identity(Self.renewable)
        #expect(isSettled == true && renewed?.recentFailures == RecentFailures() && renewed?.needsRenewal == false)
    }
}
