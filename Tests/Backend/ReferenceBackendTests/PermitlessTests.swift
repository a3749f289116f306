// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import MPinCrypto
import Patience
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The classic protocol with and without time permits.
@Suite struct PermitlessTests {
    /// A commitment with a permit does not count as one without, and the reverse.
    @Test func noPermitIsNoPermit() async throws {
        try await withBackend { backend in
            let device = try await Device.registered(.milagro, at: backend)
            var body = try device.passOneBody()
            body["UT"] = ""
            #expect(try await device.sendPassOne(body).status == 403)
        }
        try await Device.with(.milagroWithoutPermits) { device in
            var body = try device.passOneBody()
            body["UT"] = nil
            #expect(try await device.sendPassOne(body).status == 403)
            // A device that fetches a permit all the same proves nothing with it.
            #expect(try await device.logIn(permit: try await device.permit()).status == 401)
        }
    }

    /// The same identities work in both ways, so an operator may change the dialect.
    @Test func identitiesOutliveTheChange() async throws {
        let state = TemporaryFolder()
        let device = try await withBackend(state: state) { try await Device.registered(.milagro, at: $0) }
        try await withBackend(state: state, options: ["--dialect", "milagro-without-permits"]) { backend in
            let reply = try await device.moved(to: backend, dialect: .milagroWithoutPermits).logIn()
            #expect(reply.status == 200)
        }
    }
}
