// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// With pins in the trust list, every request of every dialect carries them, and a server with another key ends the
/// call.
@Suite struct PinnedHostTests {
    static let pin = PublicKeyPin(digest: [UInt8](repeating: 7, count: 32))

    /// The usual list, with a pin for each host.
    private static func trust() throws -> TrustPolicy {
        let pin = try #require(pin)
        return TrustPolicy(
            lines: try Device.trust().lines.map { line in
                let targets = line.targets.map { " \($0) \(pin)" }.joined()
                return try TrustLine("\(line.entry) \(pin)" + (targets.isEmpty ? "" : " ->" + targets))
            })
    }

    @Test(arguments: Endpoint.allCases) func everyRequestCarriesThem(_ endpoint: Endpoint) async throws {
        let pin = try #require(Self.pin)
        let stage = try await Stage(endpoint, trust: try Self.trust())
        stage.on(.lost(false, .serverKeyRefused))
        let state = try await stage.device.mpin.user(stage.user.key)?.state
        let error = try await stage.callFails()
        #expect(!stage.transport.requests.isEmpty && stage.transport.requests.allSatisfy { $0.pins == [pin] })
        #expect(error?.status == (endpoint.isSwallowed ? nil : .untrustedDomainError), "\(String(describing: error))")
        #expect(error?.kind == (endpoint.isSwallowed ? nil : .untrustedHost(.serverKeyRefused)))
        #expect(error?.outcomeIsUnknown != true)
        guard endpoint.needsUser, endpoint != .secretShare2 else { return }
        #expect(try await stage.device.mpin.user(stage.user.key)?.state == state)
    }

    @Test func aTransportWithoutPinsIsNotUsed() async throws {
        let server = try ScriptedServer()
        let blind = Device(
            server, trust: try Self.trust(), through: GatedTransport(inner: server.transport, path: "/none"))
        try await blind.mpin.initialize()
        await expect(.untrustedDomainError, .untrustedHost(.serverKeyRefused)) { try await blind.setBackend() }
        #expect(server.transport.requests.isEmpty)
    }
}
