// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The addresses of applications: RFC 8252, section 7, and the origins that browsers make of them (RFC 6454).
@Suite struct RedirectAddressTests {
    /// A program's own scheme has a dot and small letters, and only public applications have one.
    @Test(
        arguments: [
            ("com.example.app:/cb", true), ("edu.kit.data.oidc-agent:/redirect", true), ("com.example.app://cb", true),
            ("com.example.app:/cb?x=1", true), ("myapp:/cb", false), ("javascript:alert(1)", false),
            ("data:text/html,x", false), ("com.example.app:/cb#x", false), ("com..app:/cb", false),
            (".example:/cb", false), ("com.example.:/cb", false), ("1com.example:/cb", false),
            ("COM.example:/cb", false), ("com.example.app:/c b", false), ("com.example.app", false),
            ("intent://x#y", false), ("file:///etc/passwd", false), ("https://a.example/", true), ("https:///", false),
        ])
    func aSchemeOfAProgramIsPublic(_ uri: String, _ isValid: Bool) {
        #expect(RedirectAddress.isValid(uri, isPublic: true) == isValid)
        #expect(RedirectAddress.isValid(uri) == (isValid && uri.hasPrefix("https:")))
    }

    @Test(
        arguments: [
            ("https://spa.example:443/cb", "https://spa.example", true),
            ("http://spa.example:80/cb", "http://spa.example", true),
            ("https://SPA.example/cb", "https://spa.example", true),
            ("https://spa.example:8443/cb", "https://spa.example:8443", true),
            ("https://spa.example/cb", "https://spa.example:8443", false),
            ("https://spa.example/cb", "http://spa.example", false),
            ("https://spa.example:80/cb", "https://spa.example", false),
            ("https://spa.example/cb", "https://spa.example.evil.example", false),
            ("https://spa.example/cb", "https://SPA.example", false), ("https://spa.example/cb", "null", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1:49152", true),
            ("http://127.0.0.1:5000/cb", "http://127.0.0.1", true), ("http://[::1]/cb", "http://[::1]:3000", true),
            ("http://127.0.0.1/cb", "http://[::1]:3000", false), ("http://127.0.0.1/cb", "https://127.0.0.1:3", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1.evil.example", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1:3000@evil.example", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1:3000/x", false),
            ("http://localhost:5000/cb", "http://localhost:3000", false),
            ("com.example.app:/cb", "com.example.app://cb", false),
            ("com.example.app://cb", "com.example.app://cb", false),
        ])
    func anOriginIsComparedAsABrowserWritesIt(_ uri: String, _ origin: String, _ isOwn: Bool) {
        #expect(RedirectAddress.isOrigin(origin, of: uri) == isOwn)
    }

    /// Whatever an operator types, an origin has a scheme, a host and no more.
    @Test func anOriginIsNothingElse() {
        let seed: UInt64 = 0x0a15
        var generator = SplitMix64(seed: seed)
        let parts = [
            "https://", "http://", "A.example", ":443", ":8080", "/", "?", "#", "@", "\\", "[::1]", "x", "%41",
        ]
        var found = 0
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...7, using: &generator))
                .map { _ in parts[Int.random(in: 0..<parts.count, using: &generator)] }.joined()
            guard let origin = RedirectAddress.origin(of: text) else { continue }
            found += 1
            #expect(RedirectAddress.origin(of: origin) == origin, "seed \(seed), \(text)")
            let rest = origin.drop { $0 != ":" }.dropFirst(3)
            #expect(!rest.contains { "/?#@\\ ".contains($0) } && !origin.contains("A"), "seed \(seed), \(text)")
        }
        #expect(found > 0, "seed \(seed)")
    }

    /// A program on a telephone logs people in; people see its scheme, which names its maker.
    @Test func aProgramsOwnAddressIsUsed() async throws {
        try await withBackend { backend in
            let address = "com.example.app://bank.example"
            await #expect(throws: BackendError.self) {
                try await OpenIDApplication.added(to: backend, name: "App", at: [address])
            }
            let application = try await OpenIDApplication.added(to: backend, name: "App", at: [address], isPublic: true)
            let page = try await Browser(backend).get(application.path())
            #expect(page.status == 200 && page.text.contains("App (com.example.app)"))
        }
    }

    /// The same metadata at the address of RFC 8414, for each endpoint, and for pages of any origin.
    @Test func metadataAreWhereOAuthClientsLook() async throws {
        try await withBackend { backend in
            for endpoint in ["", "/trust-2025", "/milagro"] {
                let usual = try await backend.client.get(endpoint + "/.well-known/openid-configuration").object
                let reply = try await backend.client.send(
                    .get, "/.well-known/oauth-authorization-server" + endpoint,
                    headers: [.origin: "https://spa.example"])
                #expect(reply.object == usual && usual.string("issuer") == backend.addresses.publicURL + endpoint)
                #expect(reply.headers[.accessControlAllowOrigin] == "*")
            }
            #expect(try await backend.client.get("/.well-known/oauth-authorization-server/x").status == 404)
        }
    }
}
