// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// An identity that a person brings along. It works like a stored one, and nothing of it is stored.
@Suite struct GuestTests {
    /// A person with an own device, and the identity of it as a guest at another.
    private struct Visit {
        let change: PINChange
        let portable: StoredIdentity
        let host: Device
        let guest: User

        var mpin: MPin { host.mpin }

        init(_ dialect: DialectName, changingPINFirst: Bool = false) async throws {
            let change = try await PINChange(dialect)
            portable = try await change.mpin.portableIdentity(of: change.user)
            if changingPINFirst { #expect(try await change.fails() == nil) }
            host = try await change.device.next(changingPINFirst ? change.storage : InMemoryStorage())
            guest = try await host.mpin.takeGuest(portable)
            self.change = change
        }

        /// The status of a failed login; nil for a success.
        func logsIn(_ pin: String = "1234") async throws -> Status? {
            try await failure { try await host.logIn(guest, pin: pin) }?.status
        }

        func changePIN() async throws -> User {
            try await mpin.startAuthentication(of: guest)
            return try await mpin.changePIN(of: guest, from: makePin("1234"), to: makePin("4321"))
        }
    }

    @Test(arguments: DialectName.allCases) func logsInAndLeavesNothing(_ dialect: DialectName) async throws {
        let visit = try await Visit(dialect)
        let (guest, portable, key) = (visit.guest, visit.portable, visit.change.user.key)
        #expect(MPin.isPortable(portable) && portable.key == key && portable.number == nil)
        #expect(guest.isGuest && guest.number == nil && guest.state == .registered && guest.dialect == dialect)
        #expect(try await visit.mpin.users().map(\.key) == [key])
        #expect(await visit.mpin.ownIdentityCount == 0)
        #expect(try await visit.logsIn() == nil)
        #expect(try await visit.logsIn("9999") == .incorrectPIN)
        // Even with time permits the store was not used.
        #expect(visit.host.storage.changes == 0)
        // The day's permit does not change the portable identity.
        #expect(try await visit.mpin.portableIdentity(of: guest) == portable)
        await visit.mpin.dismissGuests()
        #expect(try await visit.mpin.allUsers().isEmpty)
        #expect(try await visit.logsIn() == .flowError)
        #expect(try await visit.host.storage.identities().isEmpty)
    }

    /// The card's times are sent to a backend that asks for them, only in the request with the proof.
    @Test(arguments: DialectName.allCases) func tellsAboutItsCardWhenAsked(_ dialect: DialectName) async throws {
        let visit = try await Visit(dialect)
        let transport = visit.change.transport
        func told() async throws -> [String] {
            transport.forgetRequests()
            #expect(try await visit.logsIn() == nil)
            return visit.host.bodies.filter { $0.contains("\"card\"") }
        }
        _ = try await visit.mpin.takeGuest(visit.portable, card: CardTimes(issued: 1_700_000_000, ends: 1_731_536_000))
        #expect(try await told().isEmpty)
        visit.change.device.server.change { $0.asksForCards = true }
        let bodies = try await told()
        #expect(bodies.count == 1 && visit.host.bodies.last == bodies.first)
        #expect(bodies.allSatisfy { $0.contains(#""card":{"issued":1700000000,"ends":1731536000}"#) })
        // A guest without a card, and the identity on its own device.
        _ = try await visit.mpin.takeGuest(visit.portable)
        #expect(try await told().isEmpty)
        transport.forgetRequests()
        try await visit.change.device.logIn(visit.change.user)
        #expect(!visit.host.bodies.contains { $0.contains("\"card\"") })
    }

    @Test(arguments: DialectName.allCases) func needsNoRoom(_ dialect: DialectName) async throws {
        let visit = try await Visit(dialect)
        visit.host.storage.failure = IdentityStorageError(.unavailable, detail: "no disk at all")
        #expect(try await visit.logsIn() == nil)
        _ = try await visit.changePIN()
        #expect(try await visit.logsIn("1234") == .incorrectPIN)
        #expect(try await visit.logsIn("4321") == nil)
        try await visit.mpin.deleteUser(visit.guest)
        #expect(try await visit.mpin.user(visit.guest.key) == nil)
    }

    /// No server knows a token's PIN, so a token handed out before still works with the old PIN.
    @Test(arguments: DialectName.allCases) func anotherPINIsAnotherToken(_ dialect: DialectName) async throws {
        let visit = try await Visit(dialect)
        _ = try await visit.changePIN()
        let renewed = try await visit.mpin.portableIdentity(of: visit.guest)
        #expect(renewed != visit.portable)
        #expect(try await visit.mpin.takeGuest(renewed).isGuest)
        #expect(try await visit.logsIn("4321") == nil)
        _ = try await visit.mpin.takeGuest(visit.portable)
        #expect(try await visit.logsIn() == nil)
    }

    @Test(arguments: DialectName.allCases) func standsBeforeAStoredIdentity(_ dialect: DialectName) async throws {
        let visit = try await Visit(dialect, changingPINFirst: true)
        let storage = visit.change.storage
        let before = try await storage.identities()
        #expect(visit.guest.number == nil)
        #expect(try await visit.mpin.users().count == 1)
        #expect(await visit.mpin.ownIdentityCount == 1)
        #expect(try await visit.logsIn() == nil)
        try await visit.mpin.deleteUser(visit.guest)
        let own = try #require(try await visit.mpin.user(visit.guest.key))
        #expect(!own.isGuest && own.number == 1)
        #expect(try await storage.identities() == before)
        #expect(try await visit.logsIn("1234") == .incorrectPIN)
        #expect(try await visit.logsIn("4321") == nil)
        _ = try await visit.mpin.takeGuest(visit.portable)
        try await visit.mpin.clearUsers()
        #expect(try await storage.identities().isEmpty)
        #expect(try await visit.mpin.allUsers().isEmpty)
    }

    @Test(arguments: DialectName.allCases) func isBlockedInMemory(_ dialect: DialectName) async throws {
        let visit = try await Visit(dialect)
        for _ in 1...3 { _ = try await visit.logsIn("9999") }
        #expect(try await visit.mpin.user(visit.guest.key)?.state == .blocked)
        await expect(.flowError) { try await visit.mpin.portableIdentity(of: visit.guest) }
        #expect(visit.host.storage.changes == 0)
        await visit.mpin.dismissGuests()
        #expect(try await visit.mpin.user(visit.guest.key) == nil)
    }

    /// A guest's new secret would be lost, and the person's card would become invalid.
    @Test(arguments: DialectName.later) func takesANewKeyWithAnotherPINOnly(_ dialect: DialectName) async throws {
        let visit = try await Visit(dialect)
        let (host, guest) = (visit.host, visit.guest)
        host.server.change { ($0.renews, $0.newest) = (true, 1) }
        #expect(try await visit.logsIn() == nil)
        #expect(try await host.mpin.portableIdentity(of: guest) == visit.portable)
        host.transport.forgetRequests()
        let changed = try await visit.changePIN()
        #expect(changed.isGuest && host.storage.changes == 0)
        // The new key was made and not used, which is left to the person.
        #expect((changed.mpinID != guest.mpinID) == (dialect != .mfaV2))
        #expect(host.paths.contains { $0.contains("/dta/") } == (dialect != .mfaV2))
        #expect(host.paths.count { $0 == "/rps/v2/authenticate" } == 1)
        #expect(try await visit.logsIn() == .incorrectPIN)
        #expect(try await visit.logsIn("4321") == nil)
    }

    @Test func onlyARegisteredIdentityIsPortable() async throws {
        let (device, user) = try await Device.with(.startedRegistration)
        await expect(.flowError, .misuse) { try await device.mpin.portableIdentity(of: user) }
        let stored = try #require(try await device.storage.identities().first)
        #expect(!MPin.isPortable(stored))
        await expect(.flowError, .misuse) { try await device.mpin.takeGuest(stored) }
        for bytes in [[], [9, 0], [2, 0, 1]] as [[UInt8]] {
            #expect(!MPin.isPortable(StoredIdentity(key: user.key, record: SecretBytes(copying: bytes))))
        }
        #expect(try await device.mpin.users() == [user])
    }

    /// Registering a guest would store it.
    @Test(arguments: DialectName.trust) func registersNothing(_ dialect: DialectName) async throws {
        let visit = try await Visit(dialect)
        await expect(.flowError, .misuse) { try await visit.host.activated(visit.guest) }
        #expect(visit.host.storage.changes == 0)
    }

    /// The person leaves before the server answers. Nothing is stored or kept.
    @Test func leavesWhenItsCallHasEnded() async throws {
        let (device, user) = try await Device.with(.registered)
        let gate = GatedTransport(inner: device.transport, path: "/rps/pass2")
        let host = try await Device(device.server, through: gate).ready()
        let guest = try await host.mpin.takeGuest(try await device.mpin.portableIdentity(of: user))
        async let login = host.logIn(guest)
        await gate.waitUntilReached()
        await host.mpin.dismissGuests()
        #expect(try await host.mpin.user(guest.key) != nil)
        gate.open()
        _ = try await login
        #expect(try await host.mpin.allUsers().isEmpty && host.storage.changes == 0)
    }
}
