// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import Patience
import Sealing
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// A backend that cannot write gives no verdict: it could not count a wrong PIN, so it must not confirm a right one.
@Suite struct FullDiskTests {
    @Test(arguments: Dialect.allCases)
    func givesNoVerdict(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            let device = try await Device.registered(dialect, at: endpoint)
            let disk = try FailingWrites(endpoint.state)
            let state = try BackendState(directory: endpoint.state.path, clock: endpoint.clock)
            var handedIn: [[String: JSONValue]] = []
            for pin in Array(repeating: "1234", count: 5) + Array(repeating: "9999", count: 10) + ["1234"] {
                handedIn.append(try await device.passes(pin: pin))
            }
            try await disk.begin()
            for body in handedIn {
                let reply = try await device.handIn(body)
                #expect(reply.status == 503 && reply.headers[.retryAfter] != nil)
            }
            for _ in 0..<2 { #expect(try await device.passOne().status == 503) }
            try await disk.end()
            // None was looked at, so none counts.
            #expect(try await state.users().map(\.failures) == [0])
            for (pin, status, failures) in [("9999", 401, 1), ("1234", 200, 0)] {
                #expect(try await device.handIn(try await device.passes(pin: pin)).status == status)
                #expect(try await state.users().map(\.failures) == [failures])
                endpoint.clock.letDelaysPass()
            }
        }
    }

    /// Otherwise somebody with the device could try all PINs by signatures.
    @Test(arguments: TrustProject.generations)
    func verifiesNoSignature(_ generation: PlatformGeneration) async throws {
        try await withBackend { backend in
            let project = try await TrustProject(generation, at: backend)
            let device = try await Device.registered(at: project)
            let disk = try FailingWrites(backend.state)
            let hash = Hexadecimal.text(Digest.sha256([1]))
            let credentials = try RelyingPartyCredentials(state: try StateDirectory(path: backend.state.path))
            let headers: HTTPFields = [.authorization: "MAAS-HMAC-SHA256 " + credentials.token(for: hash)]
            func verify(pin: String) async throws -> Int {
                let signature = try device.sign(hash, pin: pin, timestamp: backend.clock.now.seconds)
                return try await project.post(
                    "/dvs/verify",
                    [
                        "signature": .object(signature), "timestamp": .integer(backend.clock.now.seconds),
                        "type": "verification",
                    ], headers: headers
                ).status
            }
            try await disk.begin()
            for pin in ["1234"] + Array(repeating: "9999", count: 20) + ["1234"] {
                #expect(try await verify(pin: pin) == 503)
            }
            try await disk.end()
            #expect(try await verify(pin: "9999") == 401)
            #expect(try await verify(pin: "1234") == 200)
        }
    }
}
