// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskTestKit
import Logging
import LoginValues
import Testing

@testable import KioskRuntime
@testable import MPinClient

/// The backend of an identity when nobody names one.
@Suite struct OperatorBackendTests {
    /// An identity uses plain http only if it was registered over it, even while http is allowed.
    @Test(arguments: [true, false]) func theSchemeIsTheIdentitys(_ isOverHTTP: Bool) async throws {
        let transport = FakeTransport()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let trust = TrustPolicy(lines: [try TrustLine("localhost:8480")], allowsLoopbackHTTP: true)
        let sdk = MPin(
            transport: transport, storage: InMemoryStorage(), trust: trust,
            configuration: MPin.Configuration(clientVersion: "1"), logger: logger)
        try await sdk.initialize()
        let key = IdentityKey(userID: "alice@example.com", backend: "localhost:8480")
        var user = User(key: key, state: .registered, deviceName: "")
        user.isOverHTTP = isOverHTTP
        await #expect(throws: KioskFailure.self) {
            let run = CommandRun(OperatorClient(sdk: sdk, trust: trust, logger: logger))
            try await run.open(user, at: nil, rpsPrefix: "rps")
        }
        #expect(!transport.requests.isEmpty)
        for request in transport.requests {
            #expect(request.url.origin.scheme == (isOverHTTP ? .http : .https), "\(request)")
        }
    }
}
