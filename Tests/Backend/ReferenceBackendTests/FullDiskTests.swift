// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import KioskTestKit
import MPinCrypto
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

    /// A device that leaves, or a backend that stops, is not a fault of the disk: no operator is alarmed.
    @Test func aCancelledRequestIsNotReported() async throws {
        let state = TemporaryFolder()
        let storage = try BackendStorage.embedded(in: try StateDirectory(path: state.path)).durable
        let verifier = PendingVerifier { $0 }
        let shares = try (0..<2).map { _ in try MasterSecret.random().serverSecretShare() }
        #expect(try await verifier.settle(ServerSecret(combining: shares[0], shares[1]), in: storage))
        let log = LogCapture()
        let checker = LoginChecker(
            storage: storage, verifier: verifier, clock: ManualWallClock(), logger: log.logger)
        let request = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await checker.begin(LoginOrder(mpinID: MPinID([1]))) { _ in }
        }
        request.cancel()
        await #expect(throws: Refusal.self) { try await request.value }
        #expect(log.text == "")
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
