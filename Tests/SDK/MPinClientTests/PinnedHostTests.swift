// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// With pins in the trust list, every request of every dialect carries them, and a server with another key ends the
/// call.
@Suite struct PinnedHostTests {
    static let pin = PublicKeyPin(digest: [UInt8](repeating: 7, count: 32))
    private static let refusal = FakeTransport.Behaviour.failure(
        HTTPTransportError(.serverKeyRefused, requestMayHaveBeenSent: false, detail: "planned"))

    @Test(arguments: Endpoint.allCases) func everyRequestCarriesThem(_ endpoint: Endpoint) async throws {
        let pin = try #require(Self.pin)
        let stage = try await Stage(endpoint, Device(backend: ScriptedBackend(), trust: Device.trust(pinning: pin)))
        stage.device.transport.on(endpoint.method, endpoint.path, Self.refusal)
        let state = try await stage.device.mpin.user(stage.user.key)?.state
        let error = try await stage.callFails()
        let requests = stage.device.transport.requests
        #expect(!requests.isEmpty && requests.allSatisfy { $0.pins == [pin] })
        #expect(error?.status == (endpoint.isSwallowed ? nil : .untrustedDomainError), "\(String(describing: error))")
        #expect(error?.kind == (endpoint.isSwallowed ? nil : .untrustedHost(.serverKeyRefused)))
        #expect(error?.outcomeIsUnknown != true)
        if endpoint != .secretShare2 { #expect(try await stage.device.mpin.user(stage.user.key)?.state == state) }
    }

    @Test(arguments: PlatformEndpoint.allCases)
    func everyRequestToAPlatformCarriesThem(_ endpoint: PlatformEndpoint) async throws {
        let pin = try #require(Self.pin)
        let stage = try await PlatformStage(endpoint, trust: Device.trust(pinning: pin))
        stage.device.transport.on(endpoint.method, endpoint.path, Self.refusal)
        let error = try await stage.callFails()
        let requests = stage.device.transport.requests
        #expect(!requests.isEmpty && requests.allSatisfy { $0.pins == [pin] })
        #expect(
            error?.status == .untrustedDomainError && error?.kind == .untrustedHost(.serverKeyRefused),
            "\(String(describing: error))")
        #expect(error?.outcomeIsUnknown == false)
    }

    /// A transport that does not check pins is not used.
    @Test func aTransportThatLooksAtNoKeysIsNotUsed() async throws {
        let pin = try #require(Self.pin)
        let backend = try ScriptedBackend()
        let blind = MPin(
            transport: GatedTransport(inner: backend.transport, path: "/none"), storage: InMemoryStorage(),
            trust: try Device.trust(pinning: pin), configuration: MPin.Configuration(clientVersion: "1.2.3"),
            clock: ManualClock(), logger: LogCapture().logger)
        try await blind.initialize()
        let error = await #expect(throws: MPinError.self) {
            try await blind.setBackend(try WebAddress(ScriptedBackend.backendURL))
        }
        #expect(error?.kind == .untrustedHost(.serverKeyRefused) && backend.transport.requests.isEmpty)
    }
}

extension Device {
    /// The usual list, with a pin for each host.
    static func trust(pinning pin: PublicKeyPin) throws -> TrustPolicy {
        TrustPolicy(
            lines: try trust().lines.map { line in
                let targets = line.targets.map { " \($0) \(pin)" }.joined()
                return try TrustLine("\(line.entry) \(pin)" + (targets.isEmpty ? "" : " ->" + targets))
            })
    }
}
