// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// A device of any dialect, for changing the PIN 1234.
struct PINChange: Sendable {
    static let dialects: [DialectName] = [.milagro, .mfaV1, .mfaV2, .trust2023, .trust2025]

    let dialect: DialectName
    let mpin: MPin
    let transport: FakeTransport
    let storage: InMemoryStorage
    let user: User
    /// Restores the script's rules over those of a test.
    let install: @Sendable () -> Void
    /// Makes the backend ask for the person's card.
    let askForCards: @Sendable () -> Void
    /// Makes a client with other identities at the same backend.
    let client: @Sendable (InMemoryStorage) async throws -> MPin

    init(_ dialect: DialectName) async throws {
        self.dialect = dialect
        if dialect == .milagro || dialect == .mfaV1 {
            let device = try Device()
            device.backend.change { $0.usesPermits = dialect == .milagro }
            _ = try await device.ready()
            user = try await device.user(.registered)
            (mpin, transport, storage) = (device.mpin, device.transport, device.storage)
            install = { device.backend.install() }
            askForCards = { device.backend.change { $0.asksForCards = true } }
            client = { try await Device(backend: device.backend, storage: $0).ready().mpin }
        } else {
            let device = try await PlatformDevice(dialect).ready()
            user = try await device.register()
            (mpin, transport, storage) = (device.mpin, device.transport, device.storage)
            install = { device.platform.install() }
            askForCards = { device.platform.change { $0.asksForCards = true } }
            client = { try await PlatformDevice(device.platform, storage: $0).ready().mpin }
        }
        try await mpin.startAuthentication(of: user)
        transport.forgetRequests()
    }

    var isClassic: Bool { dialect == .milagro || dialect == .mfaV1 }
    var pass1: String { isClassic ? "/rps/pass1" : "/rps/v2/pass1" }
    var pass2: String { isClassic ? "/rps/pass2" : "/rps/v2/pass2" }
    var verdict: String { isClassic ? "/mpinAuthenticate" : "/rps/v2/authenticate" }

    /// Changes the PIN.
    ///
    /// - Returns: the error; nil for a success.
    func fails(from old: String? = "1234", to new: String? = "4321") async throws -> MPinError? {
        do {
            _ = try await mpin.changePIN(of: user, from: try pin(old), to: try pin(new))
            return nil
        } catch let error as MPinError { return error }
    }

    private func pin(_ digits: String?) throws -> Pin? {
        guard let digits else { return nil }
        return try makePin(digits)
    }

    /// Whether a device with the stored identity logs in with a PIN.
    func works(_ pin: String) async throws -> Bool {
        let fresh = try await client(InMemoryStorage(try await storage.identities()))
        do {
            try await fresh.startAuthentication(of: user)
            _ = try await fresh.finishAuthentication(of: user, pin: makePin(pin), accessCode: accessCode)
            return true
        } catch let error as MPinError {
            #expect(error.status == .incorrectPIN, "\(error)")
            return false
        }
    }

    /// Expects that only one of two PINs works, and that memory and store agree.
    func expect(_ pin: String, not other: String) async throws {
        install()
        #expect(try await !works(other), "\(dialect): \(other) works")
        #expect(try await works(pin), "\(dialect): \(pin) does not work")
        try await mpin.startAuthentication(of: user)
        _ = try await mpin.finishAuthentication(of: user, pin: makePin(pin), accessCode: accessCode)
        let fresh = try await client(InMemoryStorage(try await storage.identities()))
        #expect(try await fresh.user(user.key) == mpin.user(user.key))
    }

    /// Expects that neither the store nor the PIN has changed.
    func expectUnchanged(since before: [StoredIdentity], not other: String = "4321") async throws {
        #expect(try await storage.identities() == before)
        try await expect("1234", not: other)
    }
}
