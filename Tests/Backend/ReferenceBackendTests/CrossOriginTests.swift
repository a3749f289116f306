// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import HTTPTypes
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// Web pages of other origins as clients of the platform, within the browser's rules. Fetch standard, section 3.2.
@Suite struct CrossOriginTests {
    static let shop = "https://shop.example"

    @Test(arguments: [
        (ScriptClient.Version.six, Dialect.mfaV2), (.seven, .trust2023), (.today, .trust2025),
    ])
    func aPageOfAnotherSiteIsAClient(_ version: ScriptClient.Version, _ dialect: Dialect) async throws {
        try await ScriptClientTests.withScript(version, dialect, origin: Self.shop) { client in
            try await client.verifyAndRegister()
            let session = try await client.page()
            let login = try await client.device.logInBrowser(accessCode: session.accessID)
            #expect(login.status == 200 && login.headers[.accessControlAllowOrigin] == "*")
            // A page can read refusals too, also that something does not exist.
            let wrong = try await client.device.logInBrowser(pin: "9999", accessCode: session.accessID)
            #expect(wrong.status == 412 && wrong.headers[.accessControlAllowOrigin] == "*")
            let absent = try await client.wire.send(.post, "/rps/v2/absent", [:])
            #expect(absent.status == 404 && absent.headers[.accessControlAllowOrigin] == "*")
        }
    }

    @Test func aBrowserAsksBeforeItSends() async throws {
        try await withBackend { backend in
            for path in ["registration", "rps/v2/pass1", "dta/1/clientSecret?a=b", "verification/email", "authorize"] {
                let reply = try await Self.ask(backend, "/trust-2025/" + path, method: "PUT")
                #expect(reply.status == 204 && reply.body.isEmpty, "\(path)")
                #expect(reply.headers[.accessControlAllowOrigin] == "*")
                #expect(reply.headers[.accessControlAllowMethods] == "GET, POST, PUT")
                #expect(
                    reply.headers[.accessControlAllowHeaders] == "Content-Type, X-MIRACL-CID, X-MIRACL-CLIENT")
                // Neither a visitor's cookies nor a relying party's password are allowed.
                #expect(reply.headers[.accessControlAllowCredentials] == nil)
            }
        }
    }

    /// Sites know their visitors by a cookie, relying parties have a password, and the classic dialects have no such
    /// clients.
    @Test(arguments: [
        "/trust-2025/", "/trust-2025/session", "/trust-2025/dvs/verify", "/trust-2025x/registration", "/outbox",
        "/rps/user", "/service", "/",
    ])
    func nothingElseIsOpen(_ path: String) async throws {
        try await withBackend(options: ["--public-outbox"]) { backend in
            #expect(try await Self.ask(backend, path, method: "POST").headers[.accessControlAllowOrigin] == nil)
            let reply = try await backend.client.get(path, headers: [.origin: Self.shop])
            #expect(reply.headers[.accessControlAllowOrigin] == nil)
        }
    }

    /// An application in a browser: its own origin gets tokens, and any origin may read the documents.
    @Test(arguments: ["", "/trust-2025"])
    func anApplicationInABrowserAsksTheProvider(_ base: String) async throws {
        try await withBackend(options: ["--public-client", "spa=\(Self.shop)/back"]) { backend in
            for path in ["/.well-known/openid-configuration", "/oidc/certs"] {
                let reply = try await backend.client.get(base + path, headers: [.origin: "https://other.example"])
                #expect(reply.status == 200 && reply.headers[.accessControlAllowOrigin] == "*", "\(path)")
            }
            for path in ["/oidc/token", "/oidc/userinfo"] {
                let asked = try await Self.ask(backend, base + path, method: "POST")
                #expect(asked.status == 204 && asked.headers[.accessControlAllowOrigin] == Self.shop, "\(path)")
                #expect(asked.headers[.accessControlAllowHeaders]?.contains("Authorization") == true)
                let sent = try await backend.client.send(.post, base + path, headers: [.origin: Self.shop])
                #expect(sent.headers[.accessControlAllowOrigin] == Self.shop && sent.headers[.vary] == "Origin")
                let other = try await backend.client.send(
                    .post, base + path, headers: [.origin: "https://other.example"])
                #expect(other.headers[.accessControlAllowOrigin] == nil)
            }
        }
    }

    @Test func devicesHearNothingOfIt() async throws {
        try await withBackend { backend in
            let reply = try await backend.client.get("/trust-2025/.well-known/project-configuration")
            #expect(reply.status == 200 && reply.headers[.accessControlAllowOrigin] == nil)
        }
    }

    private static func ask(_ backend: RunningBackend, _ path: String, method: String) async throws -> Reply {
        try await backend.client.send(
            .options, path,
            headers: [
                .origin: shop, .accessControlRequestMethod: method,
                .accessControlRequestHeaders: "content-type,x-miracl-cid,x-miracl-client",
            ])
    }
}
