// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// An identity that a person brings along. It works like a stored one, and nothing of it is stored.
@Suite struct GuestTests {
    /// A client with an empty store, at the same backend.
    private struct Host {
        let mpin: MPin
        let storage: InMemoryStorage

        init(at change: PINChange, storage: InMemoryStorage = InMemoryStorage()) async throws {
            self.storage = storage
            mpin = try await change.client(storage)
        }

        func logsIn(_ user: User, _ pin: String = "1234") async throws -> Status? {
            do {
                try await mpin.startAuthentication(of: user, accessCode: accessCode)
                _ = try await mpin.finishAuthentication(of: user, pin: makePin(pin), accessCode: accessCode)
                return nil
            } catch let error as MPinError { return error.status }
        }
    }

    @Test(arguments: PINChange.dialects) func logsInAndLeavesNothing(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let portable = try await change.mpin.portableIdentity(of: change.user)
        #expect(MPin.isPortable(portable) && portable.key == change.user.key && portable.number == nil)
        let host = try await Host(at: change)
        let guest = try await host.mpin.takeGuest(portable)
        #expect(guest.isGuest && guest.number == nil && guest.state == .registered && guest.dialect == dialect)
        #expect(try await host.mpin.users().map(\.key) == [change.user.key])
        #expect(try await host.logsIn(guest) == nil)
        #expect(try await host.logsIn(guest, "9999") == .incorrectPIN)
        // Even with time permits the store was not used.
        #expect(host.storage.changes == 0)
        // The day's permit does not change the portable identity.
        #expect(try await host.mpin.portableIdentity(of: guest) == portable)
        await host.mpin.dismissGuests()
        #expect(try await host.mpin.allUsers().isEmpty)
        #expect(try await host.logsIn(guest) == .flowError)
        #expect(try await host.storage.identities().isEmpty)
    }

    /// The card's times are sent to a backend that asks for them, only in the request with the proof.
    @Test(arguments: PINChange.dialects) func itsCardIsToldWhoAsks(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let portable = try await change.mpin.portableIdentity(of: change.user)
        let host = try await Host(at: change)
        func told() async throws -> [String] {
            change.transport.forgetRequests()
            #expect(try await host.logsIn(change.user) == nil)
            return change.transport.requests.compactMap { $0.body.map(text) }.filter { $0.contains("\"card\"") }
        }
        _ = try await host.mpin.takeGuest(portable, card: CardTimes(issued: 1_700_000_000, ends: 1_731_536_000))
        #expect(try await told().isEmpty)
        change.askForCards()
        let bodies = try await told()
        #expect(bodies.count == 1)
        #expect(bodies.allSatisfy { $0.contains(#""card":{"issued":1700000000,"ends":1731536000}"#) })
        #expect(change.transport.requests.last?.body.map(text) == bodies.first)
        // A guest without a card, and the identity on its own device.
        _ = try await host.mpin.takeGuest(portable)
        #expect(try await told().isEmpty)
        let own = try await Host(at: change, storage: change.storage)
        change.transport.forgetRequests()
        #expect(try await own.logsIn(change.user) == nil)
        #expect(!change.transport.requests.contains { $0.body.map(text)?.contains("\"card\"") == true })
    }

    @Test(arguments: PINChange.dialects) func needsNoRoom(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let host = try await Host(at: change)
        let guest = try await host.mpin.takeGuest(try await change.mpin.portableIdentity(of: change.user))
        host.storage.failure = IdentityStorageError(.unavailable, detail: "no disk at all")
        #expect(try await host.logsIn(guest) == nil)
        try await host.mpin.startAuthentication(of: guest)
        _ = try await host.mpin.changePIN(of: guest, from: makePin("1234"), to: makePin("4321"))
        #expect(try await host.logsIn(guest, "1234") == .incorrectPIN)
        #expect(try await host.logsIn(guest, "4321") == nil)
        try await host.mpin.deleteUser(guest)
        #expect(try await host.mpin.user(guest.key) == nil)
    }

    /// No server knows a token's PIN, so a token handed out before still works with the old PIN.
    @Test(arguments: PINChange.dialects) func anotherPINIsAnotherToken(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let portable = try await change.mpin.portableIdentity(of: change.user)
        let host = try await Host(at: change)
        let guest = try await host.mpin.takeGuest(portable)
        try await host.mpin.startAuthentication(of: guest)
        _ = try await host.mpin.changePIN(of: guest, from: makePin("1234"), to: makePin("4321"))
        let renewed = try await host.mpin.portableIdentity(of: guest)
        #expect(renewed != portable)
        #expect(try await host.mpin.takeGuest(renewed).isGuest)
        #expect(try await host.logsIn(guest, "4321") == nil)
        _ = try await host.mpin.takeGuest(portable)
        #expect(try await host.logsIn(guest, "1234") == nil)
    }

    @Test(arguments: PINChange.dialects) func standsBeforeWhatIsStored(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let portable = try await change.mpin.portableIdentity(of: change.user)
        _ = try await change.mpin.changePIN(of: change.user, from: makePin("1234"), to: makePin("4321"))
        let before = try await change.storage.identities()
        let host = try await Host(at: change, storage: change.storage)
        let guest = try await host.mpin.takeGuest(portable)
        #expect(guest.number == nil)
        #expect(try await host.mpin.users().count == 1)
        #expect(try await host.logsIn(guest, "1234") == nil)
        try await host.mpin.deleteUser(guest)
        let own = try #require(try await host.mpin.user(change.user.key))
        #expect(!own.isGuest && own.number == 1)
        #expect(try await change.storage.identities() == before)
        #expect(try await host.logsIn(own, "1234") == .incorrectPIN)
        #expect(try await host.logsIn(own, "4321") == nil)
        _ = try await host.mpin.takeGuest(portable)
        try await host.mpin.clearUsers()
        #expect(try await change.storage.identities().isEmpty)
        #expect(try await host.mpin.allUsers().isEmpty)
    }

    @Test(arguments: PINChange.dialects) func isBlockedInMemory(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let host = try await Host(at: change)
        let guest = try await host.mpin.takeGuest(try await change.mpin.portableIdentity(of: change.user))
        for _ in 1...3 { _ = try await host.logsIn(guest, "9999") }
        #expect(try await host.mpin.user(guest.key)?.state == .blocked)
        await #expect(throws: MPinError.self) { try await host.mpin.portableIdentity(of: guest) }
        #expect(host.storage.changes == 0)
        await host.mpin.dismissGuests()
        #expect(try await host.mpin.user(guest.key) == nil)
    }

    /// A guest's new secret would be lost, and the person's card would become void.
    @Test(arguments: DialectName.later) func takesANewKeyWithAnotherPINOnly(_ dialect: DialectName) async throws {
        let device = try PlatformDevice(dialect)
        device.platform.change { $0.renews = true }
        let user = try await device.ready().register()
        let portable = try await device.mpin.portableIdentity(of: user)
        device.platform.change { $0.newest = 1 }
        let host = try await PlatformDevice(device.platform).ready()
        let guest = try await host.mpin.takeGuest(portable)
        try await host.logIn(guest)
        #expect(try await host.mpin.portableIdentity(of: guest) == portable)
        try await host.mpin.startAuthentication(of: guest)
        host.transport.forgetRequests()
        let changed = try await host.mpin.changePIN(of: guest, from: makePin("1234"), to: makePin("4321"))
        #expect(changed.isGuest && host.storage.changes == 0)
        // The new key was made and not used, which is left to the person.
        #expect((changed.mpinID != guest.mpinID) == (dialect != .mfaV2))
        #expect(host.paths.contains { $0.contains("/dta/") } == (dialect != .mfaV2))
        #expect(host.paths.count { $0 == "/rps/v2/authenticate" } == 1)
        await #expect(throws: MPinError.self) { try await host.logIn(changed) }
        try await host.logIn(changed, pin: "4321")
    }

    @Test func nothingButARegisteredIdentityIsPortable() async throws {
        let device = try await Device().ready()
        let user = try await device.user(.startedRegistration)
        let error = await #expect(throws: MPinError.self) { try await device.mpin.portableIdentity(of: user) }
        #expect(error?.kind == .misuse)
        let stored = try #require(try await device.storage.identities().first)
        #expect(!MPin.isPortable(stored))
        let refused = await #expect(throws: MPinError.self) { try await device.mpin.takeGuest(stored) }
        #expect(refused?.kind == .misuse)
        for bytes in [[], [9, 0], [2, 0, 1]] as [[UInt8]] {
            #expect(!MPin.isPortable(StoredIdentity(key: user.key, record: SecretBytes(copying: bytes))))
        }
        #expect(try await device.mpin.users() == [user])
    }

    /// Registering a guest would store it.
    @Test(arguments: DialectName.trust) func registersNothing(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let host = try await Host(at: change)
        let guest = try await host.mpin.takeGuest(try await change.mpin.portableIdentity(of: change.user))
        let error = await #expect(throws: MPinError.self) {
            try await host.mpin.startRegistration(of: guest, activateCode: PlatformDevice.token)
        }
        #expect(error?.kind == .misuse && host.storage.changes == 0)
    }

    /// The person leaves before the server answers. Nothing is stored or kept.
    @Test func leavesWhenItsCallHasEnded() async throws {
        let device = try await Device().ready()
        let user = try await device.user(.registered)
        let portable = try await device.mpin.portableIdentity(of: user)
        let gate = GatedTransport(inner: device.transport, path: "/rps/pass2")
        let storage = InMemoryStorage()
        let mpin = MPin(
            transport: gate, storage: storage, trust: Device.trust(),
            configuration: MPin.Configuration(companyID: "company1", clientVersion: "1.2.3"),
            logger: device.log.logger)
        try await mpin.initialize()
        try await mpin.setBackend(try WebAddress(ScriptedBackend.backendURL))
        let guest = try await mpin.takeGuest(portable)
        try await mpin.startAuthentication(of: guest)
        async let login = mpin.finishAuthentication(of: guest, pin: makePin("1234"), accessCode: accessCode)
        await gate.waitUntilReached()
        await mpin.dismissGuests()
        #expect(try await mpin.user(guest.key) != nil)
        gate.open()
        _ = try await login
        #expect(try await mpin.allUsers().isEmpty && storage.changes == 0)
    }
}
