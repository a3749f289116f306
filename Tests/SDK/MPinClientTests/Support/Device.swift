// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient

/// A client with a scripted backend, a store in memory, and a recorded log.
struct Device {
    let backend: ScriptedBackend
    let storage: InMemoryStorage
    let log = LogCapture()
    let clock = ManualClock()
    let mpin: MPin

    var transport: FakeTransport { backend.transport }

    init(
        backend: ScriptedBackend, storage: InMemoryStorage = InMemoryStorage(), trust: TrustPolicy? = Device.trust(),
        wallClock: (@Sendable () -> Int64)? = nil
    ) {
        self.backend = backend
        self.storage = storage
        mpin = MPin(
            transport: backend.transport, storage: storage, trust: trust,
            configuration: MPin.Configuration(companyID: "company1", clientVersion: "1.2.3"), clock: clock,
            wallClock: wallClock, logger: log.logger)
    }

    init() throws { self.init(backend: try ScriptedBackend()) }

    static func trust() -> TrustPolicy {
        let lines = [
            "login.test -> rps.test", "rps.test -> login.test dta.test storage.test", "dta.test", "storage.test",
            "other.test",
        ]
        return TrustPolicy(lines: lines.compactMap { try? TrustLine($0) })
    }

    /// The device, initialized and with its backend set.
    func ready() async throws -> Device {
        try await mpin.initialize()
        try await mpin.setBackend(try WebAddress(ScriptedBackend.backendURL))
        return self
    }

    /// A user in a given state.
    func user(_ state: UserState, identity: String = "alice@example.com", pin: String = "1234") async throws -> User {
        var user = await mpin.makeNewUser(identity, deviceName: "kiosk")
        guard state != .invalid else { return user }
        backend.change { $0.forceActivate = state == .activated }
        user = try await mpin.startRegistration(of: user)
        guard state != .startedRegistration, state != .activated else { return user }
        backend.change { $0.isActive = true }
        user = try await mpin.confirmRegistration(of: user)
        user = try await mpin.finishRegistration(of: user, pin: makePin(pin))
        guard state == .blocked else { return user }
        backend.change { $0.failures = 2 }
        try await mpin.startAuthentication(of: user)
        do { _ = try await mpin.finishAuthentication(of: user, pin: makePin("9999")) } catch {}
        return try await mpin.user(user.key) ?? user
    }
}

func makePin(_ digits: String) throws -> Pin {
    var entry = PinEntry()
    for digit in digits.utf8 { entry.append(digit - 0x30) }
    guard let pin = Pin(entry) else { throw PinIsTooShort() }
    return pin
}

struct PinIsTooShort: Error {}

let accessCode: AccessCode = {
    guard let code = AccessCode("7a65de7b2ea743e795255dfe7baa1c05") else { fatalError("a well-formed code") }
    return code
}()
