// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import Synchronization
import Testing

@testable import MPinClient

/// A blocked identity is kept sealed for a week. It is unusable until the server accepts it again.
@Suite struct BlockedTests {
    private static let week: Int64 = 7 * 24 * 3600

    /// A device whose only identity the server blocked at the time 1000.
    private struct Stage {
        let device: Device
        let user: User
        private let time = Time()

        final class Time: Sendable {
            let now = Mutex<Int64>(1000)
        }

        init() async throws {
            let time = time
            device = try await Device(try ScriptedServer(), wallClock: { time.now.withLock { $0 } }).ready()
            user = try await device.user(.blocked)
        }

        func pass(_ seconds: Int64) { time.now.withLock { $0 += seconds } }

        func logIn(_ pin: String = "1234") async throws -> MPinError? {
            try await failure { try await device.logIn(user, pin: pin) }
        }

        func record() async throws -> IdentityRecord {
            try IdentityRecord(decoding: try #require(try await device.storage.identities().first).record)
        }

        func unblock() { device.server.change { $0.failures = 0 } }
    }

    @Test func isOfNoUseUntilItIsReconsidered() async throws {
        let stage = try await Stage()
        #expect(stage.user.state == .blocked && stage.user.blockedUntil == 1000 + Self.week)
        #expect(try await stage.record().held?.credential.token != nil)
        stage.unblock()
        let requests = stage.device.transport.requests.count
        #expect(try await stage.logIn()?.kind == .misuse)
        await #expect(throws: MPinError.self) { try await stage.device.mpin.portableIdentity(of: stage.user) }
        #expect(stage.device.transport.requests.count == requests)
    }

    @Test func comesBackWhenTheServerTakesIt() async throws {
        let stage = try await Stage()
        stage.unblock()
        try await stage.device.mpin.reconsider(stage.user)
        #expect(try await stage.logIn() == nil)
        let user = try #require(try await stage.device.mpin.user(stage.user.key))
        #expect(user.state == .registered && user.blockedUntil == nil)
        #expect(try await stage.record().state == .registered)
        // The identity works as before, for the next client too.
        try await stage.device.next().logIn(user)
    }

    @Test func staysBlockedWhileTheServerSaysSo() async throws {
        let stage = try await Stage()
        stage.pass(3600)
        try await stage.device.mpin.reconsider(stage.user)
        #expect(try await stage.logIn()?.kind == .blocked)
        let user = try #require(try await stage.device.mpin.user(stage.user.key))
        #expect(user.state == .blocked && user.blockedUntil == 1000 + Self.week)
        // The caller has to ask again.
        #expect(try await stage.logIn()?.kind == .misuse)
    }

    /// A wrong PIN after the server has reset the count.
    @Test func aWrongPINUnblocksNothing() async throws {
        let stage = try await Stage()
        stage.unblock()
        try await stage.device.mpin.reconsider(stage.user)
        #expect(try await stage.logIn("9999")?.kind == .wrongPIN)
        #expect(try await stage.record().state == .blocked)
        #expect(try await stage.logIn() == nil)
        #expect(try await stage.record().state == .registered)
    }

    @Test func isForgottenAfterAWeek() async throws {
        let stage = try await Stage()
        stage.pass(Self.week - 1)
        _ = try await stage.device.mpin.users()
        #expect(try await stage.record().held != nil)
        stage.pass(1)
        // This is so even if nobody has looked in between.
        await #expect(throws: MPinError.self) { try await stage.device.mpin.reconsider(stage.user) }
        #expect(try await stage.device.mpin.users().map(\.blockedUntil) == [nil])
        #expect(try await stage.record().phase == .blocked(nil))
    }

    /// A server that answers "revoked" unambiguously makes the device destroy the token at once.
    @Test func aRevokedOneIsNotKept() async throws {
        let stage = try await Stage()
        try await stage.device.mpin.reconsider(stage.user)
        stage.device.transport.on(.get, "/rps/timePermit/*", .status(410))
        #expect(try await stage.logIn()?.kind == .revoked)
        #expect(try await stage.record().phase == .blocked(nil))
    }

    /// Before the PIN the platform has one error for both.
    @Test(arguments: DialectName.trust) func thePlatformsWordIsOfBoth(_ generation: DialectName) async throws {
        let (device, user) = try await Device.with(.registered, generation)
        for (word, isKept) in [("EXPIRED_MPINID", true), ("REVOKED_MPINID", false)] {
            let body = SecretBytes(copying: Array(#"{"error":"\#(word)","info":"x"}"#.utf8))
            device.transport.onNext(.post, "/rps/v2/pass1", .reply(HTTPResponse(status: 410, body: body)))
            _ = try? await device.logIn(user)
            let known = try #require(try await device.mpin.user(user.key))
            #expect(known.state == .blocked && (known.blockedUntil != nil) == isKept, "\(word)")
            guard isKept else { continue }
            try await device.mpin.reconsider(known)
        }
    }

    // A registration that replaces an identity.

    /// A stranger asks for a mail. The existing identity works until somebody follows the mail and chooses a PIN.
    @Test(arguments: [UserState.registered, .blocked])
    func aRenewalLeavesTheIdentityUntilItIsFinished(_ state: UserState) async throws {
        let (device, user) = try await Device.with(state)
        let before = try await device.storage.identities()
        await #expect(throws: MPinError.self) { try await device.mpin.startRegistration(of: user) }
        device.server.change { ($0.isActive, $0.forceActivate) = (false, false) }
        let renewed = try await device.mpin.renewRegistration(of: user)
        #expect(renewed.state == .startedRegistration)
        #expect(try await device.storage.identities() == before)
        _ = try await device.mpin.restartRegistration(of: user)
        await #expect(throws: MPinError.self) { try await device.mpin.confirmRegistration(of: user) }
        await device.mpin.forgetShares(of: user)
        #expect(try await device.mpin.user(user.key)?.state == state)
        #expect(try await device.storage.identities() == before)
    }

    @Test(arguments: [UserState.registered, .blocked])
    func aRenewalTakesTheIdentitysPlace(_ state: UserState) async throws {
        let (device, user) = try await Device.with(state)
        try await device.mpin.setTries(2, of: user)
        _ = try await device.mpin.renewRegistration(of: user)
        device.server.change { ($0.isActive, $0.failures) = (true, 0) }
        let renewed = try await device.finish(user, pin: "2580")
        #expect(renewed.state == .registered && renewed.tries == 0 && renewed.number == user.number)
        try await device.logIn(renewed, pin: "2580")
        #expect(try await device.mpin.users().count == 1)
    }

    // The count of the client itself.

    @Test func triesAreStored() async throws {
        let (device, user) = try await Device.with(.registered)
        try await device.mpin.setTries(2, of: user)
        let next = try await device.next()
        #expect(try await next.mpin.user(user.key)?.tries == 2)
        try await next.mpin.setTries(0, of: user)
        #expect(try await next.mpin.user(user.key)?.tries == 0)
        await #expect(throws: MPinError.self) {
            try await device.mpin.setTries(1, of: await device.mpin.makeNewUser("bob@example.com"))
        }
    }

    @Test func triesCountInMemoryWhereTheStoreIsFull() async throws {
        let (device, user) = try await Device.with(.registered)
        device.storage.failure = IdentityStorageError(.full, detail: "no room")
        await #expect(throws: MPinError.self) { try await device.mpin.setTries(1, of: user) }
        #expect(try await device.mpin.user(user.key)?.tries == 1)
    }

    /// A card does not contain the wrong attempts at a kiosk.
    @Test func aPortableIdentityHasNoTries() async throws {
        let (device, user) = try await Device.with(.registered)
        let before = try await device.mpin.portableIdentity(of: user)
        try await device.mpin.setTries(2, of: user)
        #expect(try await device.mpin.portableIdentity(of: user) == before)
    }
}
