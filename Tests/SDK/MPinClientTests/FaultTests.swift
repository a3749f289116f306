// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// A person who keeps trying on a bad network. Memory and store always agree, no identity is doubled, and the login
/// finally succeeds.
@Suite struct FaultTests {
    @Test(arguments: 0..<UInt64(24)) func getsThroughABadNetwork(_ seed: UInt64) async throws {
        let server = try ScriptedServer(
            transport: FakeTransport(
                faults: FaultPlan(seed: seed, network: [.beforeSending, .afterSending], oneIn: 4)))
        server.change { $0.isActive = true }
        let device = Device(server)
        let mpin = device.mpin
        try await mpin.initialize()
        let key = IdentityKey(userID: "alice@example.com", backend: "rps.test")
        var isLoggedIn = false
        for _ in 0..<200 where !isLoggedIn {
            do { isLoggedIn = try await step(device, key) } catch let error as MPinError {
                #expect(error.status == .networkError || error.kind == .registrationGone, "seed \(seed): \(error)")
                if error.kind == .registrationGone, let user = try await mpin.user(key) {
                    _ = try? await mpin.restartRegistration(of: user)
                    server.change { $0.isActive = true }
                }
            }
            let other = Device(server, storage: device.storage)
            try await other.mpin.initialize()
            #expect(try await other.mpin.allUsers() == mpin.allUsers(), "seed \(seed)")
            #expect(try await mpin.allUsers().count <= 1)
        }
        #expect(isLoggedIn, "seed \(seed)")
    }

    /// Takes one step. Returns true when the login is done.
    private func step(_ device: Device, _ key: IdentityKey) async throws -> Bool {
        let mpin = device.mpin
        try await device.setBackend()
        guard let user = try await mpin.user(key) else {
            _ = try await mpin.startRegistration(of: await mpin.makeNewUser(key.userID))
            device.server.change { $0.isActive = true }
            return false
        }
        if user.state == .startedRegistration { _ = try await device.finish(user, pin: "2580") }
        try await device.logIn(user, pin: "2580")
        return true
    }
}
