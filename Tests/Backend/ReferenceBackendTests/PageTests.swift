// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import KioskTestKit
import Patience
import Testing

@testable import BackendValues
@testable import ReferenceBackend

@Suite struct PageTests {
    /// `HEAD` is answered wherever `GET` is, and any other method gets a list of the allowed ones. RFC 9110, sections
    /// 9.3.2 and 15.5.6.
    @Test func otherMethods() async throws {
        try await withBackend { backend in
            for path in ["/", "/healthz", "/service", "/.well-known/openid-configuration", "/dialects"] {
                let whole = try await backend.client.get(path)
                let head = try await backend.client.send(.head, path)
                #expect(head.status == whole.status && head.body.isEmpty, "\(path)")
                #expect(head.headers[.contentType] == whole.headers[.contentType], "\(path)")
            }
            let refused = try await backend.client.send(.delete, "/oidc/token")
            #expect(refused.status == 405 && refused.headers[.allow] == "POST, OPTIONS")
            let asked = try await backend.client.send(.options, "/oidc/certs")
            #expect(asked.status == 204 && asked.headers[.allow] == "GET, HEAD, OPTIONS")
        }
    }

    private static let hostile = #"<script>alert("1")</script>'&@example.com"#
    private static let escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;@example.com"

    @Test func aHostileUserIDIsTextOnEveryPage() async throws {
        try await withBackend(options: ["--public-outbox"]) { backend in
            _ = try await backend.client.put("/rps/user", ["userId": .string(Self.hostile), "mobile": 1])
            let outbox = try await backend.client.get("/outbox")
            let mail = try #require(try await backend.mails().first)
            let link = try await backend.page(of: mail)
            let question = try await backend.client.get(String(link.dropFirst(backend.addresses.publicURL.count)))
            for text in [outbox.text, question.text, try #require(mail.string("html"))] {
                #expect(text.contains(Self.escaped))
                #expect(!text.contains("<script>alert"))
            }
            let device = try await Device.registered(Self.hostile, pin: "1234", at: backend)
            let browser = try await Browser.opened(backend)
            async let final = device.logInBrowser(pin: "1234", accessCode: try await browser.accessCode())
            #expect(try await browser.waitForLogin() == Self.hostile)
            #expect(try await final.status == 200)
            for path in ["/", "/protected"] {
                let page = try await browser.get(path).text
                #expect(page.contains(Self.escaped) && !page.contains("<script>alert"))
            }
        }
    }

    @Test func everyPageRefusesForeignContent() async throws {
        try await withBackend { backend in
            for path in ["/", "/protected", "/session", "/page.js", "/nothing", "/rps/clientSettings"] {
                let reply = try await backend.client.get(path)
                let policy = try #require(reply.headers[.contentSecurityPolicy])
                #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
                #expect(reply.headers[.cacheControl] == "no-store")
                #expect(reply.headers[.accessControlAllowOrigin] == nil)
                // With "no-referrer" a browser would send this site's own forms with the origin "null", which is
                // refused.
                #expect(reply.headers[try #require(HTTPField.Name("Referrer-Policy"))] == "same-origin")
            }
        }
    }

    @Test func noPageHoldsInlineCode() async throws {
        try await withBackend { backend in
            let page = try await backend.client.get("/").text
            #expect(!page.contains(" onload=") && !page.contains(" onclick=") && !page.contains(" style="))
            #expect(page.contains(#"<script src="/page.js" data-root="/" data-next="/protected"></script>"#))
            for asset in PageAsset.all {
                let reply = try await backend.client.get("/" + asset.path)
                #expect(reply.status == 200)
                #expect(reply.headers[.contentType] == asset.type)
            }
        }
    }

    @Test(arguments: ["/mpinAuthenticate", "/logout", "/mpinActivate"])
    func anotherSiteCannotPost(_ path: String) async throws {
        try await withBackend { backend in
            for origin in ["https://evil.example", "null", "http://127.0.0.1", backend.addresses.publicURL + ".evil"] {
                let reply = try await backend.client.post(path, [:], headers: [.origin: origin])
                #expect(reply.status == 403, "\(origin)")
            }
            let own = try await backend.client.post(path, [:], headers: [.origin: backend.addresses.publicURL])
            #expect(own.status == 400)
        }
    }

    @Test func theOutboxIsPublicOnlyWhenAsked() async throws {
        try await withBackend { backend in
            let reply = try await backend.client.get("/outbox")
            #expect(reply.status == 404)
        }
        try await withBackend(options: ["--public-outbox"]) { backend in
            let reply = try await backend.client.get("/outbox")
            #expect(reply.status == 200)
            #expect(reply.text.contains("No mails yet"))
        }
    }

    @Test func theLogHoldsNoOneTimeValue() async throws {
        try await withBackend { backend in
            let (mpinID, regOTT) = try await backend.startRegistration("alice@example.com")
            let link = try await backend.mailedPage()
            let short = try #require(try await backend.mails().first?.string("link"))
            try await backend.confirmNewestMail()
            let device = try await Device.finishing(mpinID, regOTT: regOTT, pin: "1234", at: backend)
            let (accessCode, webOTT) = try await backend.client.newQRSession()
            async let final = device.logInBrowser(pin: "1234", accessCode: accessCode)
            var access = try await backend.client.access(webOTT)
            while access.string("status") == "new" { access = try await backend.client.access(webOTT) }
            let authOTT = try #require(access.string("authOTT"))
            let verdict = try await backend.client.post(
                "/mpinAuthenticate", ["mpinResponse": .object(["authOTT": .string(authOTT)])])
            let cookie = try #require(verdict.headers[.setCookie]?.split(separator: ";")[0].split(separator: "=")[1])
            let logoutToken = try #require(try await final.object.object("logoutData")?.string("sessionToken"))
            let credentials = try #require(try StateDirectory.read(backend.state.path + "/credentials"))
            let appKey = try #require(JSONObject(body: credentials)?.string("app_key"))
            // The log is not empty, at the lowest level.
            #expect(backend.log.text.contains("/rps/signature/{mpinID}"))
            for secret in [
                mpinID, regOTT, String(link.suffix(64)), String(short.suffix(22)), accessCode, webOTT, authOTT,
                String(cookie), logoutToken,
                appKey,
                "alice@example.com", String(backend.addresses.outboxAuthorization.dropFirst(6)),
            ] {
                #expect(!secret.isEmpty && !backend.log.text.contains(secret))
            }
        }
    }
}
