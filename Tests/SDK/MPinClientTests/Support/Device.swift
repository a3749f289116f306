// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// A client of a scripted server of any dialect, with a store in memory and a recorded log.
struct Device: Sendable {
    static let now: Int64 = 1_795_252_300
    static let token = SecretBytes(copying: ScriptedServer.token.utf8)

    let server: ScriptedServer
    let storage: InMemoryStorage
    let log = LogCapture()
    let clock = ManualClock()
    let mpin: MPin

    var transport: FakeTransport { server.transport }
    var paths: [String] { transport.requests.map(\.url.path) }
    var bodies: [String] { transport.requests.compactMap { $0.body.map(text) } }

    /// - Parameter transport: stands between client and server.
    init(
        _ server: ScriptedServer, storage: InMemoryStorage = InMemoryStorage(), trust: TrustPolicy? = Device.trust(),
        through transport: (any HTTPTransport)? = nil, configure: (inout MPin.Configuration) -> Void = { _ in },
        wallClock: @escaping @Sendable () -> Int64 = { Device.now }
    ) {
        self.server = server
        self.storage = storage
        var configuration = MPin.Configuration(companyID: ScriptedServer.projectID, clientVersion: "1.2.3")
        configure(&configuration)
        mpin = MPin(
            transport: transport ?? server.transport, storage: storage, trust: trust, configuration: configuration,
            clock: clock, wallClock: wallClock, logger: log.logger)
    }

    init(_ dialect: DialectName = .milagro, configure: (inout MPin.Configuration) -> Void = { _ in }) throws {
        self.init(try ScriptedServer(dialect), configure: configure)
    }

    static func trust() -> TrustPolicy {
        let lines = [
            "login.test -> rps.test", "rps.test -> login.test dta.test storage.test", "dta.test", "storage.test",
            "other.test",
        ]
        return TrustPolicy(lines: lines.compactMap { try? TrustLine($0) })
    }

    /// A device with one user in a given state.
    static func with(_ state: UserState, _ dialect: DialectName = .milagro) async throws -> (Device, User) {
        let device = try await Device(dialect).ready()
        return (device, try await device.user(state))
    }

    /// The device, initialized and with its backend set.
    func ready() async throws -> Device {
        try await mpin.initialize()
        try await setBackend()
        transport.forgetRequests()
        return self
    }

    func setBackend(_ address: String = ScriptedServer.url) async throws {
        let isOlder = server.dialect == .mfaV2
        try await mpin.setBackend(try WebAddress(address), rpsPrefix: isOlder ? "rps/v2" : "rps")
    }

    /// Another client of the same server.
    func next(_ storage: InMemoryStorage? = nil) async throws -> Device {
        try await Device(server, storage: storage ?? self.storage).ready()
    }

    /// A user in a given state.
    func user(_ state: UserState, identity: String = "alice@example.com", pin: String = "1234") async throws -> User {
        defer { transport.forgetRequests() }
        let new = await mpin.makeNewUser(identity, deviceName: "kiosk")
        switch state {
        case .invalid: return new
        case .startedVerification:
            _ = try await mpin.startVerification(of: new)
            return try #require(try await mpin.user(new.key))
        case .startedRegistration, .activated: return try await start(new, isActivated: state == .activated)
        case .registered:
            let user = try await start(new, isActivated: !server.dialect.isClassic)
            server.change { $0.isActive = true }
            return try await finish(user, pin: pin)
        case .blocked:
            let user = try await self.user(.registered, identity: identity, pin: pin)
            server.change { $0.failures = 2 }
            await expect(.incorrectPIN, .blocked) { try await logIn(user, pin: "9999") }
            return try #require(try await mpin.user(user.key))
        }
    }

    private func start(_ new: User, isActivated: Bool) async throws -> User {
        server.change { $0.forceActivate = isActivated && server.dialect.isClassic }
        guard server.dialect.isClassic || !isActivated else { return try await activated(new) }
        return try await mpin.startRegistration(of: new, accessCode: server.dialect == .milagro ? nil : accessCode)
    }

    /// Starts a registration with an activation token.
    func activated(_ new: User) async throws -> User {
        try await mpin.startRegistration(of: new, activateCode: Self.token)
    }

    /// Confirms a registration and chooses a PIN.
    func finish(_ user: User, pin: String = "1234") async throws -> User {
        let confirmed = try await mpin.confirmRegistration(of: user)
        return try await mpin.finishRegistration(of: confirmed, pin: makePin(pin))
    }

    /// Registers a person who can sign, with the PIN 5678 if signing has its own.
    func signer() async throws -> User {
        let user = try await self.user(.registered)
        guard !server.isTrust else { return user }
        try await mpin.startRegistrationDVS(of: user, pin: makePin("1234"))
        let signer = try await mpin.finishRegistrationDVS(of: user, pinDVS: makePin("5678"))
        transport.forgetRequests()
        return signer
    }

    var signingPIN: String { server.isTrust ? "1234" : "5678" }

    @discardableResult
    func logIn(_ user: User, pin: String = "1234") async throws -> AuthenticationResult {
        try await mpin.startAuthentication(of: user, accessCode: accessCode)
        return try await mpin.finishAuthentication(of: user, pin: makePin(pin), accessCode: accessCode)
    }
}

extension DialectName {
    /// The dialects of the platform since 2018.
    static let later: [DialectName] = [.mfaV2, .trust2023, .trust2025]
    static let trust: [DialectName] = [.trust2023, .trust2025]
    var isClassic: Bool { self == .milagro || self == .mfaV1 }
}
