// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import HTTPTypes
import Patience
import Testing

@testable import ReferenceBackend

/// A stranger's request never causes a server error.
@Suite struct MalformedInputTests {
    static let hostileBodies: [String] = [
        "", "{", "nope", "[]", "null", "1", "\"text\"", "{}", "{\"a\":", "\u{0}", "{\"userId\":\"x\u{0}\"}",
        String(repeating: "[", count: 5000), "{\"userId\":[]}", "{\"userId\":{}}", "{\"userId\":1}",
        "{\"userId\":\"\"}",
        "{\"userId\":\"  \"}", "{\"userId\":\"a\\u0000b\"}", "{\"userId\":\"a\\r\\nBcc: b\"}",
        "{\"userId\":\"" + String(repeating: "x", count: 300) + "\"}",
        "{\"mpin_id\":\"abc\",\"U\":\"\",\"UT\":\"\"}",
        "{\"mpin_id\":\"zz\",\"U\":\"00\",\"UT\":\"00\",\"V\":\"00\",\"WID\":\"0\"}",
        "{\"mpin_id\":1,\"U\":2,\"UT\":3,\"V\":4,\"WID\":0}",
        "{\"mpin_id\":\"00\",\"U\":\"" + String(repeating: "0", count: 130) + "\",\"UT\":\"\"}",
        "{\"mpinResponse\":1}", "{\"mpinResponse\":{}}", "{\"mpinResponse\":{\"authOTT\":1}}",
        "{\"mpinResponse\":{\"authOTT\":\"00\"}}", "{\"mpinResponse\":{\"authOTT\":\"\"}}",
        "{\"status\":\"wid\"}", "{\"status\":1,\"wid\":\"x\"}", "{\"status\":\"user\",\"wid\":1}",
        "{\"status\":\"root\",\"wid\":\"x\"}", "{\"webOTT\":1}", "{\"sessionToken\":1}",
        "{\"a\":1e999}", "{\"a\":123456789012345678901234567890}",
    ]

    static let endpoints: [(HTTPRequest.Method, String)] = [
        (.put, "/rps/user"), (.put, "/rps/user/00"), (.put, "/rps/user/abc"), (.post, "/rps/access"),
        (.post, "/rps/codeStatus"), (.post, "/rps/pass1"), (.post, "/rps/pass2"), (.post, "/rps/authenticate"),
        (.post, "/rps/setupDone/0"), (.post, "/mpinAuthenticate"), (.post, "/logout"), (.post, "/mpinActivate"),
    ]

    @Test func noBodyBreaksAnEndpoint() async throws {
        try await withBackend { backend in
            for (method, path) in Self.endpoints {
                for body in Self.hostileBodies {
                    let reply = try await backend.client.send(
                        method, path, body: Array(body.utf8), headers: [.contentType: "application/json"])
                    // A browser's logout button sends an empty body.
                    let expected = path == "/logout" && body.isEmpty ? 303..<304 : 400..<500
                    #expect(expected.contains(reply.status), "\(method) \(path) \(body.prefix(80))")
                }
            }
        }
    }

    @Test(arguments: [
        ("/rps/signature/00", 400), ("/rps/signature/abc?regOTT=00", 400), ("/rps/signature/zz?regOTT=00", 400),
        ("/rps/signature/00?regOTT=%zz", 400), ("/rps/timePermit/zz", 404), ("/rps/timePermit/abc", 400),
        ("/rps/timePermit/00", 404), ("/rps/timePermit/", 404), ("/rps/nothing", 404), ("/rps", 404), ("/nothing", 404),
        ("/dta/clientSecret", 403), ("/dta/clientSecret?%", 400), ("/dta/timePermit", 403),
        ("/dta/timePermit?hash_mpin_id=00&signature=00", 403), ("/dta/serverSecret", 404), ("/dta/timePermits", 404),
        ("/mpinActivate", 400), ("/mpinActivate?i=zz&s=00", 400), ("/qr.png", 404), ("/protected", 401),
        ("/mpinVerify", 404), ("/mpinPermitUser?mpin_id=00", 404), ("/outbox", 404), ("/authenticate", 404),
        ("/rps/mobileConfig", 404), ("/user/00", 404),
    ])
    func aRequestThatIsRefused(_ path: String, _ status: Int) async throws {
        try await withBackend { backend in
            let reply = try await backend.client.get(path)
            #expect(reply.status == status)
        }
    }

    /// RFC 9112, section 3.2. Later bytes on the connection are not read.
    @Test(arguments: [
        "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: \r\n",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n",
        "GET http://127.0.0.1/ HTTP/1.1\r\n", "GET ftp://evil.example/ HTTP/1.1\r\nHost: a\r\n",
        "GET * HTTP/1.1\r\nHost: 127.0.0.1\r\n", "CONNECT evil.example:443 HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    ])
    func aRequestWithoutOneHostOrAPathIsRefused(_ head: String) async throws {
        try await withBackend { backend in
            let next = "GET /status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            let reply = try await RawExchange.send(head + "\r\n" + next, port: backend.addresses.publicPort)
            #expect(reply.status == 400 && reply.headers[.connection] == "close")
        }
    }

    @Test func aBodyHasABound() async throws {
        try await withBackend { backend in
            let large = Array(("{\"userId\":\"" + String(repeating: "x", count: 64 * 1024) + "\"}").utf8)
            let reply = try await backend.client.send(.put, "/rps/user", body: large)
            #expect(reply.status == 413)
        }
    }

    @Test func theOutboxWantsItsPassword() async throws {
        try await withBackend { backend in
            let url = backend.addresses.outboxURL
            let port = try #require(
                url.dropFirst("http://127.0.0.1:".count).split(separator: "/").first.flatMap { Int($0) })
            let client = HTTPClient(port: port)
            for path in ["/outbox", "/rps/clientSettings", "/nothing"] {
                #expect(try await client.get(path).status == 401)
                #expect(try await client.get(path, headers: [.authorization: "Basic bG9naW46bG9naW4="]).status == 401)
            }
            // The outbox's listener has no other routes.
            let password: HTTPFields = [.authorization: backend.addresses.outboxAuthorization]
            for path in ["/rps/clientSettings", "/authenticate", "/oidc/certs", "/"] {
                #expect(try await client.get(path, headers: password).status == 404)
            }
        }
    }

    @Test func mutatedRequestsNeverBreakTheServer() async throws {
        let seed: UInt64 = 0xb0d1e5
        try await withBackend { backend in
            var generator = SplitMix64(seed: seed)
            for _ in 0..<400 {
                let (method, path) = try #require(Self.endpoints.randomElement(using: &generator))
                var body = Array(try #require(Self.hostileBodies.randomElement(using: &generator)).utf8.prefix(400))
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let place = Int.random(in: 0...body.count, using: &generator)
                    body.insert(UInt8.random(in: 0...255, using: &generator), at: place)
                }
                let reply = try await backend.client.send(method, path, body: body)
                #expect(reply.status < 500, "seed \(seed), \(method) \(path) \(body)")
            }
        }
    }
}
