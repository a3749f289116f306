// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// A person who keeps trying on a bad network. Memory and store always agree, no identity is doubled, and the login
/// finally succeeds.
@Suite struct FaultTests {
    @Test(arguments: 0..<UInt64(24)) func getsThroughABadNetwork(_ seed: UInt64) async throws {
        let backend = try ScriptedBackend(
            transport: FakeTransport(faults: FakeTransport.FaultPlan(seed: seed, oneIn: 4)))
        backend.change { $0.isActive = true }
        let device = Device(backend: backend)
        let mpin = device.mpin
        try await mpin.initialize()
        let key = IdentityKey(userID: "alice@example.com", backend: "rps.test")
        var isLoggedIn = false
        for _ in 0..<200 where !isLoggedIn {
            do throws(MPinError) { isLoggedIn = try await step(device, key) } catch {
                #expect(error.status == .networkError || error.kind == .registrationGone, "seed \(seed): \(error)")
                if error.kind == .registrationGone, let user = try await mpin.user(key) {
                    _ = try? await mpin.restartRegistration(of: user)
                    backend.change { $0.isActive = true }
                }
            }
            let other = Device(backend: backend, storage: device.storage)
            try await other.mpin.initialize()
            #expect(try await other.mpin.allUsers() == mpin.allUsers(), "seed \(seed)")
            #expect(try await mpin.allUsers().count <= 1)
        }
        #expect(isLoggedIn, "seed \(seed)")
    }

    /// Takes one step. Returns true when the login is done.
    private func step(_ device: Device, _ key: IdentityKey) async throws(MPinError) -> Bool {
        let mpin = device.mpin
        try await mpin.setBackend(address(ScriptedBackend.backendURL))
        guard let user = try await mpin.user(key) else {
            _ = try await mpin.startRegistration(of: await mpin.makeNewUser(key.userID))
            device.backend.change { $0.isActive = true }
            return false
        }
        if user.state == .startedRegistration {
            _ = try await mpin.confirmRegistration(of: user)
            _ = try await mpin.finishRegistration(of: user, pin: pin())
        }
        try await mpin.startAuthentication(of: user)
        _ = try await mpin.finishAuthentication(of: user, pin: pin(), accessCode: accessCode)
        return true
    }

    private func pin() throws(MPinError) -> Pin {
        do { return try makePin("2580") } catch { throw MPinError(.noPIN, detail: "\(error)") }
    }

    private func address(_ text: String) throws(MPinError) -> WebAddress {
        do { return try WebAddress(text) } catch { throw MPinError(.misuse, detail: "\(error)") }
    }
}
