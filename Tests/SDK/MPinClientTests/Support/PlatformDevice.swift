// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient

/// A client of the platform since 2018, with a store in memory and a recorded log.
struct PlatformDevice {
    let platform: ScriptedPlatform
    let storage: InMemoryStorage
    let log = LogCapture()
    let clock = ManualClock()
    let mpin: MPin

    static let now: Int64 = 1_795_252_300

    var transport: FakeTransport { platform.transport }
    var paths: [String] { transport.requests.map(\.url.path) }
    var bodies: [String] { transport.requests.compactMap { $0.body.map(text) } }

    init(
        _ platform: ScriptedPlatform, storage: InMemoryStorage = InMemoryStorage(),
        trust: TrustPolicy = Device.trust(),
        configure: (inout MPin.Configuration) -> Void = { _ in }
    ) {
        self.platform = platform
        self.storage = storage
        var configuration = MPin.Configuration(companyID: ScriptedPlatform.projectID, clientVersion: "1.2.3")
        configure(&configuration)
        mpin = MPin(
            transport: platform.transport, storage: storage, trust: trust, configuration: configuration,
            clock: clock, wallClock: { Self.now }, logger: log.logger)
    }

    init(_ generation: DialectName) throws { self.init(try ScriptedPlatform(generation)) }

    /// The device, initialized and with its backend set.
    func ready() async throws -> PlatformDevice {
        try await mpin.initialize()
        try await mpin.setBackend(
            try WebAddress(ScriptedPlatform.url), rpsPrefix: platform.isTrust ? "rps" : "rps/v2")
        transport.forgetRequests()
        return self
    }

    static let token = SecretBytes(copying: ScriptedPlatform.token.utf8)

    /// Registers a person with an activation token.
    func register(_ identity: String = "alice@example.com", pin: String = "1234") async throws -> User {
        var user = await mpin.makeNewUser(identity, deviceName: "kiosk")
        user = try await mpin.startRegistration(of: user, activateCode: Self.token)
        user = try await mpin.confirmRegistration(of: user)
        user = try await mpin.finishRegistration(of: user, pin: makePin(pin))
        transport.forgetRequests()
        return user
    }

    /// Registers a person who can sign, with the PIN 5678 if signing has its own.
    func registerSigner() async throws -> User {
        let user = try await register()
        guard !platform.isTrust else { return user }
        try await mpin.startRegistrationDVS(of: user, pin: makePin("1234"))
        let signer = try await mpin.finishRegistrationDVS(of: user, pinDVS: makePin("5678"))
        transport.forgetRequests()
        return signer
    }

    var signingPIN: String { platform.isTrust ? "1234" : "5678" }

    func logIn(_ user: User, pin: String = "1234") async throws {
        try await mpin.startAuthentication(of: user, accessCode: accessCode)
        _ = try await mpin.finishAuthentication(of: user, pin: makePin(pin), accessCode: accessCode)
    }
}

extension DialectName {
    /// The dialects of the platform since 2018.
    static let later: [DialectName] = [.mfaV2, .trust2023, .trust2025]
    static let trust: [DialectName] = [.trust2023, .trust2025]
}
