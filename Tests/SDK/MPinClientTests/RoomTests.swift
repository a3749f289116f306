// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Nothing is requested that could not be stored: while the store is full no mail is sent and no share is used up.
@Suite struct RoomTests {
    private static let shortage = IdentityStorageError(.full, detail: "no space left")

    /// - Parameter call: must fail before any request while the store is full, and succeed afterwards.
    private func check(
        _ storage: InMemoryStorage, _ transport: FakeTransport, _ call: () async throws -> Void
    ) async throws {
        transport.forgetRequests()
        let changes = storage.changes
        storage.shortage = Self.shortage
        await expect(.storageError, .storage(.full)) { try await call() }
        #expect(transport.requests.isEmpty && storage.changes == changes)
        storage.shortage = nil
        try await call()
        #expect(!transport.requests.isEmpty)
    }

    @Test func aRegistrationByMailWaitsForRoom() async throws {
        let device = try await Device().ready()
        let mpin = device.mpin
        var user = await mpin.makeNewUser("alice@example.com")
        try await check(device.storage, device.transport) { user = try await mpin.startRegistration(of: user) }
        try await check(device.storage, device.transport) { user = try await mpin.restartRegistration(of: user) }
        device.server.change { $0.isActive = true }
        try await check(device.storage, device.transport) { user = try await mpin.confirmRegistration(of: user) }
        #expect(try await mpin.finishRegistration(of: user, pin: makePin("1234")).state == .registered)
        let log = device.log.text
        #expect(log.contains("nothing was asked for") && log.contains("no space left"))
    }

    @Test(arguments: DialectName.trust) func aRegistrationWithACodeWaitsForRoom(_ dialect: DialectName) async throws {
        let device = try await Device(dialect).ready()
        let (mpin, storage, transport) = (device.mpin, device.storage, device.transport)
        var user = await mpin.makeNewUser("alice@example.com")
        try await check(storage, transport) { _ = try await mpin.startVerification(of: user) }
        try await check(storage, transport) {
            _ = try await mpin.finishVerification(of: user, code: SecretBytes(copying: "1234-code".utf8))
        }
        try await check(storage, transport) {
            user = try await mpin.startRegistration(of: user, activateCode: Device.token)
        }
        try await check(storage, transport) { user = try await mpin.confirmRegistration(of: user) }
        #expect(try await mpin.finishRegistration(of: user, pin: makePin("1234")).state == .registered)
    }

    @Test func aKeyForSigningWaitsForRoom() async throws {
        let (device, user) = try await Device.with(.registered, .mfaV2)
        try await check(device.storage, device.transport) {
            try await device.mpin.startRegistrationDVS(of: user, pin: makePin("1234"))
        }
    }
}
