// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient

/// Holds requests to one path until the test opens the gate.
final class GatedTransport: HTTPTransport {
    private let inner: FakeTransport
    private let path: String
    private let reached = AsyncStream.makeStream(of: Void.self)
    private let opened = AsyncStream.makeStream(of: Void.self)

    init(inner: FakeTransport, path: String) {
        self.inner = inner
        self.path = path
    }

    func waitUntilReached() async { for await _ in reached.stream { return } }

    func open() { opened.continuation.finish() }

    func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        if request.url.path == path {
            reached.continuation.yield()
            for await _ in opened.stream {}
        }
        return try await inner.send(request)
    }
}
