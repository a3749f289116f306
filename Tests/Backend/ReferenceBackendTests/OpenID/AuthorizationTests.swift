// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import KioskTestKit
import Sealing
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The requests with which an application may send a browser to the provider. RFC 6749, section 4.1; RFC 7636,
/// section 4.4; OpenID Connect Core, section 3.1.2.
@Suite struct AuthorizationTests {
    @Test func aParameterThatOccursTwiceIsRefused() async throws {
        try await OpenIDApplication.with { application in
            func ask(_ more: String) async throws -> Reply {
                try await application.endpoint.client.get(application.path() + more)
            }
            #expect(try application.answer(try await ask("&scope=openid"))["error"] == "invalid_request")
            let state = try application.answer(try await ask("&state=other"))
            #expect(state["error"] == "invalid_request" && state["state"] == nil)
            for more in ["&client_id=x", "&redirect_uri=https%3A%2F%2Fevil.example"] {
                #expect(try await ask(more).status == 400)
            }
        }
    }

    /// No browser is sent to an address that is not the application's own.
    @Test(
        arguments: [
            ["client_id": nil], ["client_id": "somebody"], ["redirect_uri": nil], ["redirect_uri": ""],
            ["redirect_uri": "https://evil.example/back?x=1"], ["redirect_uri": OpenIDApplication.redirectURI + "&y=2"],
            ["redirect_uri": "https://app.example.com/back"], ["redirect_uri": "https://APP.example.com/back?x=1"],
            ["redirect_uri": "javascript:alert(1)"],
        ] as [[String: String?]])
    func onlyThePersonIsToldOfAStranger(_ changes: [String: String?]) async throws {
        try await OpenIDApplication.with { application in
            let reply = try await application.endpoint.client.get(application.path(changes))
            #expect(reply.status == 400 && reply.headers[.location] == nil)
            #expect(!reply.text.contains("href=\"https://evil") && !reply.text.contains("<script"))
            #expect(!reply.text.contains("href=\"javascript"))
        }
    }

    @Test func aFormSaysTheSameAsAnAddress() async throws {
        try await OpenIDApplication.with { application in
            let browser = Browser(application.endpoint)
            let posted = try await browser.submit("/authorize", application.request)
            let page = try await Browser(application.endpoint.below("")).follow(posted)
            #expect(page.status == 200 && page.text.contains("/qr.png"))
        }
    }

    @Test func thePersonMaySayNo() async throws {
        try await OpenIDApplication.with { application in
            let browser = Browser(application.endpoint)
            let page = try await browser.get(application.path())
            #expect(page.text.contains("href=\"/trust-2025\(browser.authorization("cancel"))\""))
            #expect(try await browser.get(browser.authorization("qr.png")).headers[.contentType] == "image/png")
            let answer = try application.answer(try await browser.get(browser.authorization("cancel")))
            #expect(answer["error"] == "access_denied" && answer["state"] == "s &t")
            for step in ["cancel", "done"] {
                #expect(try await browser.get(browser.authorization(step)).status == 400)
            }
            #expect(try await browser.get(browser.authorization("qr.png")).status == 404)
        }
    }

    /// With `form_post` the pages at the end post the answer to the application, and to nobody else. A script of theirs
    /// presses the button.
    @Test func anAnswerTravelsInAForm() async throws {
        try await OpenIDApplication.with { application in
            let device = try await Device.registered(.trust2025, at: application.endpoint)
            let state = "\"><script>&'" + String(repeating: "s", count: 4080)
            func fields(_ reply: Reply) throws -> [String: String] {
                #expect(reply.status == 200 && reply.headers[.location] == nil)
                #expect(reply.headers[.cacheControl] == "no-store")
                let policy = try #require(reply.headers[.contentSecurityPolicy])
                #expect(policy.contains("form-action https://app.example.com/back; "))
                let script = try #require(reply.text.firstMatch(of: /<script>(.*?)<\/script>/)?.1)
                let hash = Base64.text(Digest.sha256(Array(script.utf8)))
                #expect(policy.contains("script-src 'sha256-\(hash)'") && !policy.contains("unsafe"))
                #expect(reply.text.contains("<form method=\"post\" action=\"https://app.example.com/back?x=1\">"))
                let inputs = reply.text.matches(of: /<input type="hidden" name="([a-z_]+)" value="([^"]*)">/)
                #expect(inputs.contains { $0.1 == "state" && $0.2 == HTMLText.escaped(state) })
                #expect(inputs.contains { $0.1 == "iss" && $0.2 == application.endpoint.url })
                return Dictionary(uniqueKeysWithValues: inputs.map { (String($0.1), String($0.2)) })
            }
            let browser = Browser(application.endpoint)
            let address = application.path(["response_mode": "form_post", "state": state])
            _ = try await browser.get(address)
            try await device.logInToApplication(browser, at: application.endpoint.base)
            let answer = try fields(try await browser.get(browser.authorization("done")))
            #expect(try await application.redeem(try #require(answer["code"])).status == 200)

            _ = try await browser.get(address)
            #expect(try fields(try await browser.get(browser.authorization("cancel")))["error"] == "access_denied")
            #expect(try fields(try await browser.get(address + "&prompt=none"))["error"] == "login_required")
            let metadata = try await application.endpoint.client.get("/.well-known/openid-configuration").object
            #expect(metadata.members["response_modes_supported"] == .array(["query", "form_post"]))
        }
    }

    /// The longest state and nonce come back whole, even if each character takes three in an address.
    @Test func longStatesComeBack() async throws {
        try await OpenIDApplication.with { application in
            let device = try await Device.registered(.trust2025, at: application.endpoint)
            let long = String(repeating: "&", count: 4096)
            let answer = try await application.logIn(device, ["state": long, "nonce": long])
            #expect(answer["state"] == long)
            let tokens = try await application.redeem(try #require(answer["code"])).object
            let keys = try await application.endpoint.client.get("/oidc/certs").object
            let claims = try SignedToken(try #require(tokens.string("id_token"))).claims(checkedWith: keys)
            #expect(claims.string("nonce") == long)
        }
    }

    /// No browser continues without the device, and after a login it does not stay logged in.
    @Test func everyRequestTakesALogin() async throws {
        try await OpenIDApplication.with { application in
            let device = try await Device.registered(.trust2025, at: application.endpoint)
            let browser = Browser(application.endpoint)
            for _ in 1...2 {
                _ = try await browser.get(application.path())
                #expect(try await browser.get(browser.authorization("done")).status == 400)
                #expect(try await browser.get(browser.authorization("session")).object.string("state") == "new")
            }
            try await device.logInToApplication(browser, at: application.endpoint.base)
            // A login at the provider is none at the site.
            #expect(try await browser.get("/protected").status == 401)
            #expect(try application.answer(try await browser.get(browser.authorization("done")))["code"] != nil)
            #expect(try await browser.get(browser.authorization("done")).status == 400)
        }
    }

    /// Each page has its own code and application.
    @Test func twoTabsOfOneBrowserDoNotMeet() async throws {
        try await OpenIDApplication.with { application in
            let device = try await Device.registered(.trust2025, at: application.endpoint)
            let browser = Browser(application.endpoint)
            _ = try await browser.get(application.path(["state": "first"]))
            let first = browser.authorization("")
            let code = try await browser.authorizationCode(below: application.endpoint.base)
            _ = try await browser.get(
                application.path(["client_id": OpenIDApplication.publicID, "state": "second"]))
            let second = browser.authorization("")
            #expect(first != second)
            #expect(try await browser.authorizationCode(below: application.endpoint.base) != code)

            #expect(try await device.logIn(code) == 200)
            #expect(try await browser.waitForLogin(first + "session") == Device.userID)
            #expect(try await browser.get(second + "session").object.string("state") == "new")
            #expect(try await browser.get(second + "done").status == 400)
            let answer = try application.answer(try await browser.get(first + "done"))
            #expect(answer["state"] == "first")
            #expect(try await application.redeem(answer["code"] ?? "").status == 200)
            let refused = try application.answer(try await browser.get(second + "cancel"))
            #expect(refused["state"] == "second" && refused["error"] == "access_denied")
        }
    }

    @Test func aBrowserHasAFewPagesAtATime() async throws {
        try await OpenIDApplication.with { application in
            let browser = Browser(application.endpoint)
            let address = application.path()
            for _ in 1...AuthorizationPageName.openPages {
                let page = try await browser.get(address)
                #expect(page.headers[values: .setCookie].count == 1)
                #expect(page.headers[.setCookie]?.contains("Max-Age=600") == true)
            }
            let cookies = try await browser.get(address).headers[values: .setCookie]
            #expect(cookies.count == 2 && cookies.last?.contains("Max-Age=0") == true)
            for path in ["/authorize/session", "/authorize/x/session", "/authorize/0123456789abcdeg/session"] {
                #expect(try await browser.get(path).status == 404)
            }
        }
    }

    /// A browser that is led here again and again leaves room for the others at its address, also on the way from the
    /// endpoint's own site. Its newest pages work.
    @Test(arguments: [Dialect.milagro, .trust2025])
    func aBrowserThatIsLedHereAgainCostsItselfOnly(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            let address = try await OpenIDApplication.added(to: endpoint, isPublic: true).path()
            var (pages, logins): ([(name: String, pair: String)], String) = ([], "")
            for round in 1...300 {
                let reply = try await endpoint.client.get(
                    address, headers: [.cookie: pages.map(\.pair).joined(separator: "; ")])
                try #require(reply.status == 200, "\(round)")
                for cookie in reply.headers[values: .setCookie] {
                    let pair = String(cookie.prefix { $0 != ";" })
                    let name = String(pair.prefix { $0 != "=" })
                    pages.removeAll { $0.name == name }
                    if !pair.hasSuffix("=") { pages.append((name, pair)) }
                }
                let login = try await endpoint.client.get("/login", headers: [.cookie: logins])
                try #require(login.status == 303, "\(round)")
                logins = String(try #require(login.headers[.setCookie]).prefix { $0 != ";" })
            }
            #expect(pages.count == AuthorizationPageName.openPages)
            // Another browser, and the first one's newest page.
            let device = try await Device.registered(dialect, at: endpoint)
            let browser = Browser(endpoint)
            #expect(try await browser.get(address).status == 200)
            try await device.logInToApplication(browser, at: endpoint.base)
            let newest = try #require(pages.last)
            let state = try await endpoint.client.get(
                "/authorize/\(newest.name.suffix(16))/session", headers: [.cookie: newest.pair])
            #expect(state.object.string("state") == "new")
        }
    }

    /// A script or a frame never shows the page, so it gets none, and costs nothing.
    @Test func onlyPagesAreOpened() async throws {
        try await OpenIDApplication.with { application in
            let address = application.path()
            let fetched = try #require(HTTPField.Name("Sec-Fetch-Dest"))
            let destinations = ["empty", "iframe", "image"]
            for round in 1...300 {
                let destination = destinations[round % 3]
                let reply = try await application.endpoint.client.get(address, headers: [fetched: destination])
                try #require(reply.status == 403 && reply.headers[.setCookie] == nil)
                let login = try await application.endpoint.client.get("/login", headers: [fetched: destination])
                try #require(login.status == 403 && login.headers[.setCookie] == nil)
            }
            #expect(try await application.endpoint.client.get("/login", headers: [fetched: "document"]).status == 303)
            // A browser that looks ahead shows no page either.
            let purpose = try #require(HTTPField.Name("Sec-Purpose"))
            for path in [address, "/login", "/"] {
                let ahead = try await application.endpoint.client.get(
                    path, headers: [fetched: "document", purpose: "prefetch;prerender"])
                #expect(ahead.status == 403 && ahead.headers[.setCookie] == nil, "\(path)")
            }
            for destination in destinations {
                let silent = try await application.endpoint.client.get(
                    address + "&prompt=none", headers: [fetched: destination])
                #expect(try application.answer(silent)["error"] == "login_required")
            }
            #expect(try await application.endpoint.client.get(address, headers: [fetched: "document"]).status == 200)
        }
    }

    /// Browsers without cookies fill their address's room. The refusal tells when there is room again.
    @Test func aRefusalTellsWhenThereIsRoom() async throws {
        try await OpenIDApplication.with { application in
            let address = application.path()
            for _ in 1...256 { try #require(try await application.endpoint.client.get(address).status == 200) }
            for _ in 1...2 {
                let refused = try await application.endpoint.client.get(address)
                let wait = try #require(refused.headers[.retryAfter].flatMap { Int($0) })
                #expect(refused.status == 429 && wait > 1)
                application.endpoint.clock.advance(by: .seconds(wait - 1))
                #expect(try await application.endpoint.client.get(address).status == 429)
                application.endpoint.clock.advance(by: .seconds(1))
                #expect(try await application.endpoint.client.get(address).status == 200)
                for _ in 1...255 { try #require(try await application.endpoint.client.get(address).status == 200) }
            }
        }
    }

    @Test func anOddRedirectURIIsRefusedAtTheStart() {
        for uri in ["", "app.example.com", "https://app.example.com/#here", "ftp://app.example.com", "https://a b/"] {
            #expect(Backend.complaint(options: ["--redirect-uri", uri]).contains("an absolute address"), "\(uri)")
        }
    }
}
