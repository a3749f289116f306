// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Synchronization
import Testing

@Suite struct TestKitTests {
    @Test func theStoreInMemoryKeepsTheContract() async throws {
        try await checkIdentityStorageContract { InMemoryStorage() }
    }

    @Test func theFakeTransportKeepsTheContract() async throws {
        try await HTTPTransportContract.check { behaviours in
            let transport = FakeTransport()
            let rest = Mutex(behaviours)
            for method in [HTTPRequest.Method.get, .post, .put, .delete] {
                transport.on(method, "*") { _ in
                    switch rest.withLock({ $0.isEmpty ? .silence : $0.removeFirst() }) {
                    case .reply(let status, let headers, let body):
                        .reply(HTTPResponse(status: status, headers: headers, body: SecretBytes(copying: body)))
                    case .silence: .silence
                    case .cut:
                        .failure(HTTPTransportError(.transferFailed, requestMayHaveBeenSent: true, detail: "cut"))
                    }
                }
            }
            return HTTPTransportContract.Subject(
                transport: transport, address: try WebAddress("https://peer.test"),
                received: { transport.requests.map(Self.received) })
        }
    }

    private static func received(_ request: HTTPRequest) -> HTTPTransportContract.Received {
        HTTPTransportContract.Received(
            method: request.method.rawValue,
            target: request.url.path + (request.url.query.map { "?\($0)" } ?? ""), headers: request.headers,
            body: request.body?.withBytes { bytes in bytes.indices.map { bytes[$0] } } ?? [])
    }

}
