// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// A device of any dialect with a started login, for changing the PIN 1234.
struct PINChange: Sendable {
    let device: Device
    let user: User

    var mpin: MPin { device.mpin }
    var transport: FakeTransport { device.transport }
    var storage: InMemoryStorage { device.storage }
    var isClassic: Bool { device.server.dialect.isClassic }
    var pass1: String { device.server.root + "/pass1" }
    var pass2: String { device.server.root + "/pass2" }
    var verdict: String { isClassic ? "/mpinAuthenticate" : "/rps/v2/authenticate" }

    init(_ dialect: DialectName) async throws {
        (device, user) = try await Device.with(.registered, dialect)
        try await mpin.startAuthentication(of: user)
        transport.forgetRequests()
    }

    /// Changes the PIN.
    ///
    /// - Returns: the error; nil for a success.
    func fails(from old: String? = "1234", to new: String? = "4321") async throws -> MPinError? {
        try await failure { try await mpin.changePIN(of: user, from: typedPIN(old), to: typedPIN(new)) }
    }

    /// A client with a copy of the stored identities.
    func copy() async throws -> Device { try await device.next(InMemoryStorage(try await storage.identities())) }

    /// Whether a device with the stored identity logs in with a PIN.
    func works(_ pin: String) async throws -> Bool {
        let error = try await failure { try await copy().logIn(user, pin: pin) }
        #expect(error == nil || error?.status == .incorrectPIN, "\(String(describing: error))")
        return error == nil
    }

    /// Expects that only one of two PINs works, and that memory and store agree.
    func expect(_ pin: String, not other: String) async throws {
        device.server.install()
        #expect(try await !works(other), "\(other) works")
        #expect(try await works(pin), "\(pin) does not work")
        try await device.logIn(user, pin: pin)
        #expect(try await copy().mpin.user(user.key) == mpin.user(user.key))
    }

    /// Expects that neither the store nor the PIN has changed.
    func expectUnchanged(since before: [StoredIdentity], not other: String = "4321") async throws {
        #expect(try await storage.identities() == before)
        try await expect("1234", not: other)
    }
}
