// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The shipped settings of proxies.
@Suite struct ProxyExampleTests {
    /// A backend believes one field of the proxy. Clients can write both.
    @Test(
        arguments: [
            (
                "haproxy.cfg",
                ["http-request del-header X-Forwarded-For", "http-request del-header Forwarded", "option forwardfor"]
            ),
            ("nginx.conf", ["proxy_set_header X-Forwarded-For $remote_addr;", "proxy_set_header Forwarded \"\";"]),
        ])
    func passOnNoAddressThatAClientClaims(_ name: String, _ lines: [String]) throws {
        let text = try SourceTree.text("deploy/fleet/\(name)")
        let found = text.split(separator: "\n").map { $0.drop { $0 == " " } }
        for line in lines { #expect(found.contains { $0 == line }, "\(name): \(line)") }
        // Within `location`, one directive of that name would replace all of these.
        #expect(!found.contains { $0.hasPrefix("add_header") || $0.hasPrefix("option forwardfor ") })
    }

    /// Kiosks and browsers speak HTTP/2.
    @Test func haproxyOffersBothVersions() throws {
        let text = try SourceTree.text("deploy/fleet/haproxy.cfg")
        #expect(text.contains("alpn h2,http/1.1\n"))
    }
}
