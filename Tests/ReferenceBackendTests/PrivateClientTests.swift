// SPDX-License-Identifier: Apache-2.0

import Testing
import Waiting

@testable import ReferenceBackend

@Suite struct PrivateClientTests {
    /// A server that has seen the head alone must not be able to close the connection before the rest is written.
    @Test func everyExchangeGetsItsReply() async throws {
        try await withBackend { backend in
            let client = try makeClient(of: backend)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<50 {
                            let got = try await client.get("/outbox")
                            let posted = try await client.post("/authenticate", JSONObject([:]))
                            #expect([got, posted].map(\.status) == [401, 401])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func aListenerThatIsGoneIsAnError() async throws {
        let client = try await withBackend { backend in
            let client = try makeClient(of: backend)
            let reply = try await client.get("/outbox")
            #expect(reply.status == 401)
            return client
        }
        await #expect(throws: (any Error).self) { try await client.get("/outbox") }
    }

    private func makeClient(of backend: RunningBackend) throws -> PrivateClient {
        let port = Eventually<Int>()
        let digits = backend.addresses.outboxURL.dropFirst("http://127.0.0.1:".count).prefix { $0 != "/" }
        port.settle(.success(try #require(Int(digits))))
        return PrivateClient(port: port, secret: PrivateSecret(token: try .random()))
    }
}
