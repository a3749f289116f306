// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

@Suite struct RegistrationTests {
    @Test func adoptsTheNewIdentityOfARestart() async throws {
        let (device, user) = try await Device.with(.startedRegistration)
        let first = try #require(try await device.storage.identities().first)
        // The server has lost the registration, and silently begins another.
        device.server.change { $0.registrations = [:] }
        let restarted = try await device.mpin.restartRegistration(of: user)
        #expect(restarted.key == user.key && restarted.deviceName == "kiosk")
        let stored = try await device.storage.identities()
        #expect(stored.count == 1 && stored[0].record != first.record)
        device.server.change { $0.isActive = true }
        _ = try await device.mpin.confirmRegistration(of: restarted)
        let path = try #require(device.transport.requests.first { $0.url.path.hasPrefix("/rps/signature/") }?.url.path)
        #expect(path.hasSuffix(hex(Array(#"{"userID": "alice@example.com", "salt": "2"}"#.utf8))))
    }

    /// The classic dialects register an identity once.
    @Test func aRegisteredIdentityIsNotRegisteredAgain() async throws {
        let (device, user) = try await Device.with(.registered)
        let before = try await device.storage.identities()
        let fresh = await device.mpin.makeNewUser(user.identity)
        await expect(.flowError) { try await device.mpin.startRegistration(of: fresh) }
        #expect(device.transport.requests.isEmpty)
        #expect(try await device.storage.identities() == before)
    }

    @Test(arguments: ["0000", "00000", "000000"]) func refusesAPINOfZeros(_ zeros: String) async throws {
        let (device, user) = try await Device.with(.activated)
        device.server.change { $0.isActive = true }
        _ = try await device.mpin.confirmRegistration(of: user)
        await expect(.cryptoError) { try await device.mpin.finishRegistration(of: user, pin: makePin(zeros)) }
        // The shares are still there for another attempt.
        #expect(try await device.mpin.finishRegistration(of: user, pin: makePin("0001")).state == .registered)
    }

    @Test func forgetsSharesThatAreUnderWay() async throws {
        let server = try ScriptedServer()
        let gate = GatedTransport(inner: server.transport, path: "/dta/clientSecret")
        let device = try await Device(server, through: gate).ready()
        let mpin = device.mpin
        let user = try await device.user(.activated)
        let confirmation = Task { try await mpin.confirmRegistration(of: user) }
        await gate.waitUntilReached()
        // The person leaves while the D-TA answers. Another call has to wait.
        await mpin.forgetShares(of: user)
        await expect(.flowError) { try await mpin.confirmRegistration(of: user) }
        gate.open()
        await expect(.flowError, .registrationGone) { _ = try await confirmation.value }
        await expect(.flowError) { try await mpin.finishRegistration(of: user, pin: makePin("1234")) }
    }

    @Test func aRestartDropsTheShares() async throws {
        let (device, user) = try await Device.with(.startedRegistration)
        device.server.change { $0.isActive = true }
        _ = try await device.mpin.confirmRegistration(of: user)
        _ = try await device.mpin.restartRegistration(of: user)
        await expect(.flowError) { try await device.mpin.finishRegistration(of: user, pin: makePin("1234")) }
    }

    @Test func reportsNothingThatIsNotStored() async throws {
        let failure = IdentityStorageError(.unavailable, detail: "the disk is full")
        let device = try await Device().ready()
        var user = await device.mpin.makeNewUser("alice@example.com", deviceName: "kiosk")
        device.storage.failure = failure
        var error = await expect(.storageError) { try await device.mpin.startRegistration(of: user) }
        #expect(error?.detail.contains("the disk is full") == true)
        // Details go to logs, which name no person.
        #expect(error?.detail.contains("example.com") == false && error?.detail.contains("alice") == false)
        #expect(try await device.mpin.user(user.key) == nil)

        device.storage.failure = nil
        user = try await device.mpin.startRegistration(of: user)
        device.storage.failure = failure
        error = await expect(.storageError) { try await device.mpin.restartRegistration(of: user) }
        #expect(try await device.mpin.user(user.key) == user)

        device.server.change { $0.isActive = true }
        device.storage.failure = nil
        _ = try await device.mpin.confirmRegistration(of: user)
        device.storage.failure = failure
        error = await expect(.storageError) { try await device.mpin.finishRegistration(of: user, pin: makePin("1234")) }
        #expect(try await device.mpin.user(user.key)?.state == .startedRegistration)

        device.storage.failure = nil
        user = try await device.mpin.finishRegistration(of: user, pin: makePin("1234"))
        device.storage.failure = failure
        error = await expect(.storageError) { try await device.mpin.deleteUser(user) }
        #expect(try await device.mpin.user(user.key)?.state == .registered)
        // A permit that cannot be cached does not prevent the login.
        try await device.mpin.startAuthentication(of: user)
        _ = try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"))

        let other = Device(device.server, storage: device.storage)
        await expect(.storageError) { try await other.mpin.initialize() }
    }
}
