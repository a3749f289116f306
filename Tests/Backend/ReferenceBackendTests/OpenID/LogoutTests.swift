// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import KioskTestKit
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// Logouts that applications begin, in a browser. OpenID Connect RP-Initiated Logout 1.0.
@Suite struct LogoutTests {
    private static let after = "https://time.example.com/bye?x=1"

    /// A browser that is logged in for an application.
    private struct Visit: Sendable {
        let application: OpenIDApplication
        let browser: Browser
        let tokens: JSONObject

        var endpoint: RunningBackend { application.endpoint }

        func isLoggedIn() async throws -> Bool {
            let location = try await browser.get(application.path(["prompt": "none"])).headers[.location]
            return location?.contains("?code=") == true
        }

        func logout(_ fields: [(name: String, value: String)], language: String? = nil) async throws -> Reply {
            let path = "/authorize/logout?" + FormFields.text(fields)
            guard let language else { return try await browser.get(path) }
            let cookies = browser.known.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            return try await endpoint.client.get(path, headers: [.cookie: cookies, .acceptLanguage: language])
        }
    }

    private static func with(_ body: @escaping @Sendable (Visit) async throws -> Void) async throws {
        try await Device.withEndpoint(.trust2025, options: ["--browser-session", "3600"]) { endpoint in
            let application = try await OpenIDApplication.added(to: endpoint, after: [after])
            let device = try await Device.registered(.trust2025, at: endpoint)
            let browser = Browser(endpoint)
            let code = try #require(try await application.logIn(device, in: browser)["code"])
            let visit = Visit(
                application: application, browser: browser, tokens: try await application.redeem(code).object)
            #expect(try await visit.isLoggedIn())
            try await body(visit)
        }
    }

    /// The application's own token ends the session at once, also after it has expired.
    @Test func theApplicationLogsItsUserOut() async throws {
        try await Self.with { visit in
            visit.endpoint.clock.advance(by: .seconds(900))
            let hint = try #require(visit.tokens.string("id_token"))
            let reply = try await visit.logout([
                ("id_token_hint", hint), ("post_logout_redirect_uri", Self.after), ("state", "a b"),
            ])
            #expect(reply.status == 303 && reply.headers[.location] == Self.after + "&state=a%20b")
            #expect(reply.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(try await visit.isLoggedIn() == false)
            // A browser that is logged out already goes on as well.
            let again = try await visit.logout([
                ("client_id", visit.application.clientID), ("post_logout_redirect_uri", Self.after),
            ])
            #expect(again.headers[.location] == Self.after)
            #expect(try await visit.logout([]).text.contains("Logged out"))
        }
    }

    /// A link that anybody can make takes the person's button, which leads on.
    @Test func aStrangersLinkTakesTheButton() async throws {
        try await Self.with { visit in
            let fields: [(name: String, value: String)] = [
                ("client_id", visit.application.clientID), ("post_logout_redirect_uri", Self.after), ("state", "s\">"),
            ]
            let page = try await visit.logout(fields)
            #expect(page.status == 200 && page.text.contains("Time &lt;sheets&gt; (time.example.com)"))
            #expect(page.text.contains(#"name="state" value="s&quot;&gt;""#))
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("form-action 'self' https://time.example.com;"))
            #expect(try await visit.isLoggedIn())
            let stranger = try await visit.browser.submit(
                "/authorize/logout", fields + [("button", "1")], origin: "https://time.example.com")
            #expect(stranger.status == 403)
            #expect(try await visit.isLoggedIn())
            let done = try await visit.browser.submit("/authorize/logout", fields + [("button", "1")])
            #expect(done.headers[.location] == Self.after + "&state=s%22%3E")
            #expect(try await visit.isLoggedIn() == false)
        }
    }

    /// An application's form does what its link does.
    @Test func aFormIsALink() async throws {
        try await Self.with { visit in
            let hint = try #require(visit.tokens.string("id_token"))
            let posted = try await visit.browser.submit(
                "/authorize/logout", [("id_token_hint", hint)], origin: "https://time.example.com")
            #expect(posted.status == 303)
            #expect(try await visit.isLoggedIn())
            let location = try #require(posted.headers[.location])
            let page = try await visit.browser.get(String(location.dropFirst(visit.endpoint.base.count)))
            #expect(page.text.contains("Logged out"))
            #expect(try await visit.isLoggedIn() == false)
        }
    }

    @Test func anUnknownAddressLeadsNowhere() async throws {
        try await Self.with { visit in
            let hint = try #require(visit.tokens.string("id_token"))
            let page = try await visit.logout([
                ("id_token_hint", hint), ("post_logout_redirect_uri", "https://evil.example/?<b>"),
            ])
            #expect(page.status == 400 && page.headers[.location] == nil)
            #expect(page.text.contains("<code>post_logout_redirect_uri=https://evil.example/?&lt;b&gt;</code>"))
            #expect(try await visit.isLoggedIn())
            #expect(visit.endpoint.log.text.contains("after a logout is not registered"))
            #expect(!visit.endpoint.log.text.contains(hint))
        }
    }

    /// The application's languages come before the browser's.
    @Test(arguments: [
        ("xx de", "en", "Abmelden"), ("fr-CH en", "de", "Se déconnecter"), ("xx", "es", "Cerrar sesión"),
        ("", "bg", "Изход"),
    ])
    func thePageSpeaksTheLanguageOfTheApplication(_ locales: String, _ browser: String, _ word: String) async throws {
        try await Self.with { visit in
            let page = try await visit.logout([("ui_locales", locales)], language: browser)
            #expect(page.text.contains(word))
        }
    }

    /// Where every login takes a PIN there is nothing to end.
    @Test func withoutSessionsThereIsNoLogout() async throws {
        try await withBackend { backend in
            #expect(try await backend.client.get("/authorize/logout").status == 404)
            let metadata = try await backend.client.get("/.well-known/openid-configuration").object
            #expect(metadata.string("end_session_endpoint") == nil)
            #expect(metadata.string("revocation_endpoint")?.hasSuffix("/oidc/revoke") == true)
        }
        try await Self.with { visit in
            let metadata = try await visit.endpoint.client.get("/.well-known/openid-configuration").object
            #expect(metadata.string("end_session_endpoint")?.hasSuffix("/trust-2025/authorize/logout") == true)
        }
    }

    /// The application proves itself to end a token.
    @Test func aTokenIsRevoked() async throws {
        try await Self.with { visit in
            let token = try #require(visit.tokens.string("access_token"))
            let (id, secret) = (visit.application.clientID, try #require(visit.application.secret))
            func revoke(_ secret: String) async throws -> Int {
                try await visit.endpoint.client.submit(
                    "/oidc/revoke", [("token", token), ("client_id", id), ("client_secret", secret)]
                ).status
            }
            func userInfo() async throws -> Int { try await visit.application.userInfo(token).status }
            #expect(try await revoke("x" + secret) == 401)
            #expect(try await userInfo() == 200)
            #expect(try await revoke(secret) == 200)
            #expect(try await userInfo() == 401)
            #expect(!visit.endpoint.log.text.contains(token) && !visit.endpoint.log.text.contains(secret))
        }
    }
}
