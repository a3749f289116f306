// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import CurlTransport
import LoginValues
import MPinClient
import Patience
import Testing

@testable import ReferenceBackend

/// The connection of a kiosk to a backend with TLS, which stays open from login to login.
@Suite struct KeptConnectionTests {
    /// After 200 streams that a client reset, nio-http2 closes a connection, and a login would fail.
    @Test func carriesAnyNumberOfRequests() async throws {
        let files = TemporaryFolder()
        let tls = try TestCertificate.tls(in: files)
        try await withBackend(options: tls.options) { backend in
            let transport = try CurlHTTPTransport(.init(authorityFile: tls.certificateChainFile))
            for path in ["service", "healthz", "nothing"] {
                let url = try WebAddress("https://localhost:\(backend.addresses.publicPort)/\(path)")
                for number in 0..<250 {
                    let reply = try await transport.send(HTTPRequest(.get, url))
                    #expect(reply.status == (path == "nothing" ? 404 : 200), "\(path) \(number)")
                }
            }
            await transport.shutdown()
        }
        withExtendedLifetime(files) {}
    }
}
