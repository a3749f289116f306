// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

@Suite struct RegistrationTests {
    @Test func adoptsTheNewIdentityOfARestart() async throws {
        let device = try await Device().ready()
        let user = try await device.user(.startedRegistration)
        let first = try #require(try await device.storage.identities().first)
        // The server has lost the registration, and silently begins another.
        device.backend.change { $0.registrations = [:] }
        let restarted = try await device.mpin.restartRegistration(of: user)
        #expect(restarted.key == user.key && restarted.deviceName == "kiosk")
        let stored = try await device.storage.identities()
        #expect(stored.count == 1 && stored[0].record != first.record)
        device.backend.change { $0.isActive = true }
        _ = try await device.mpin.confirmRegistration(of: restarted)
        let path = try #require(device.transport.requests.first { $0.url.path.hasPrefix("/rps/signature/") }?.url.path)
        #expect(path.hasSuffix(hex(Array(#"{"userID": "alice@example.com", "salt": "2"}"#.utf8))))
    }

    @Test func tellsKeepWaitingFromGone() async throws {
        let device = try await Device().ready()
        let user = try await device.user(.startedRegistration)
        let waiting = await #expect(throws: MPinError.self) { try await device.mpin.confirmRegistration(of: user) }
        #expect(waiting?.status == .identityNotVerified && waiting?.kind == .notVerified)
        device.backend.change { $0.registrations = [:] }
        let gone = await #expect(throws: MPinError.self) { try await device.mpin.confirmRegistration(of: user) }
        #expect(gone?.status == .identityNotVerified && gone?.kind == .registrationGone)
    }

    @Test func refusesDuplicates() async throws {
        let device = try await Device().ready()
        let user = try await device.user(.registered)
        device.transport.forgetRequests()
        let again = await device.mpin.makeNewUser(user.identity)
        let error = await #expect(throws: MPinError.self) { try await device.mpin.startRegistration(of: again) }
        #expect(error?.status == .flowError)
        #expect(device.transport.requests.isEmpty)
        #expect(try await device.mpin.users() == [user])
    }

    @Test(arguments: ["0000", "00000", "000000"]) func refusesAPINOfZeros(_ zeros: String) async throws {
        let device = try await Device().ready()
        let user = try await device.user(.activated)
        device.backend.change { $0.isActive = true }
        _ = try await device.mpin.confirmRegistration(of: user)
        let error = await #expect(throws: MPinError.self) {
            try await device.mpin.finishRegistration(of: user, pin: makePin(zeros))
        }
        #expect(error?.status == .cryptoError)
        // The shares are still there for another attempt.
        #expect(try await device.mpin.finishRegistration(of: user, pin: makePin("0001")).state == .registered)
    }

    @Test func forgetsShares() async throws {
        let device = try await Device().ready()
        let user = try await device.user(.activated)
        _ = try await device.mpin.confirmRegistration(of: user)
        await device.mpin.forgetShares(of: user)
        let error = await #expect(throws: MPinError.self) {
            try await device.mpin.finishRegistration(of: user, pin: makePin("1234"))
        }
        #expect(error?.status == .flowError)
    }

    @Test func forgetsSharesThatAreUnderWay() async throws {
        let backend = try ScriptedBackend()
        let gate = GatedTransport(inner: backend.transport, path: "/dta/clientSecret")
        let mpin = MPin(
            transport: gate, storage: InMemoryStorage(), trust: nil,
            configuration: MPin.Configuration(clientVersion: "1"), logger: LogCapture().logger)
        try await mpin.initialize()
        try await mpin.setBackend(try WebAddress(ScriptedBackend.backendURL))
        backend.change { $0.forceActivate = true }
        let user = try await mpin.startRegistration(of: await mpin.makeNewUser("alice@example.com"))
        let confirmation = Task { try await mpin.confirmRegistration(of: user) }
        await gate.waitUntilReached()
        // The person leaves while the D-TA answers. Another call has to wait.
        await mpin.forgetShares(of: user)
        let second = await #expect(throws: MPinError.self) { try await mpin.confirmRegistration(of: user) }
        #expect(second?.status == .flowError)
        gate.open()
        let error = await #expect(throws: MPinError.self) { _ = try await confirmation.value }
        #expect(error?.status == .flowError && error?.kind == .registrationGone)
        let finish = await #expect(throws: MPinError.self) {
            try await mpin.finishRegistration(of: user, pin: makePin("1234"))
        }
        #expect(finish?.status == .flowError)
    }

    @Test func aRestartDropsTheShares() async throws {
        let device = try await Device().ready()
        let user = try await device.user(.startedRegistration)
        device.backend.change { $0.isActive = true }
        _ = try await device.mpin.confirmRegistration(of: user)
        _ = try await device.mpin.restartRegistration(of: user)
        let error = await #expect(throws: MPinError.self) {
            try await device.mpin.finishRegistration(of: user, pin: makePin("1234"))
        }
        #expect(error?.status == .flowError)
    }

    @Test func aStartedRegistrationOutlivesTheClient() async throws {
        let first = try await Device().ready()
        let user = try await first.user(.startedRegistration)
        let second = try await Device(backend: first.backend, storage: first.storage).ready()
        #expect(try await second.mpin.user(user.key) == user)
        first.backend.change { $0.isActive = true }
        let confirmed = try await second.mpin.confirmRegistration(of: user)
        #expect(try await second.mpin.finishRegistration(of: confirmed, pin: makePin("1234")).state == .registered)
    }

    @Test func reportsNothingThatIsNotStored() async throws {
        let failure = IdentityStorageError(.unavailable, detail: "the disk is full")
        let device = try await Device().ready()
        var user = await device.mpin.makeNewUser("alice@example.com", deviceName: "kiosk")
        device.storage.failure = failure
        var error = await #expect(throws: MPinError.self) { try await device.mpin.startRegistration(of: user) }
        #expect(error?.status == .storageError && error?.detail.contains("the disk is full") == true)
        // Details go to logs, which name no person.
        #expect(error?.detail.contains("example.com") == false && error?.detail.contains("alice") == false)
        #expect(try await device.mpin.user(user.key) == nil)

        device.storage.failure = nil
        user = try await device.mpin.startRegistration(of: user)
        device.storage.failure = failure
        error = await #expect(throws: MPinError.self) { try await device.mpin.restartRegistration(of: user) }
        #expect(error?.status == .storageError)
        #expect(try await device.mpin.user(user.key) == user)

        device.backend.change { $0.isActive = true }
        device.storage.failure = nil
        _ = try await device.mpin.confirmRegistration(of: user)
        device.storage.failure = failure
        error = await #expect(throws: MPinError.self) {
            try await device.mpin.finishRegistration(of: user, pin: makePin("1234"))
        }
        #expect(error?.status == .storageError)
        #expect(try await device.mpin.user(user.key)?.state == .startedRegistration)

        device.storage.failure = nil
        user = try await device.mpin.finishRegistration(of: user, pin: makePin("1234"))
        device.storage.failure = failure
        error = await #expect(throws: MPinError.self) { try await device.mpin.deleteUser(user) }
        #expect(error?.status == .storageError)
        #expect(try await device.mpin.user(user.key)?.state == .registered)
        // A permit that cannot be cached does not prevent the login.
        try await device.mpin.startAuthentication(of: user)
        _ = try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"))

        let other = Device(backend: device.backend, storage: device.storage)
        error = await #expect(throws: MPinError.self) { try await other.mpin.initialize() }
        #expect(error?.status == .storageError)
    }
}
