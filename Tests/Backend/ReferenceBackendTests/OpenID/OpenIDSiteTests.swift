// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import HTTPTypes
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The web site of each endpoint as a client of its provider.
@Suite struct OpenIDSiteTests {
    /// The whole code flow, from the page's link to the page for people who are logged in.
    @Test(arguments: Dialect.allCases)
    func aBrowserLogsInByTheCodeFlow(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            let device = try await Device.registered(dialect, at: endpoint)
            let browser = Browser(endpoint.below(""))
            let toProvider = try await browser.get(endpoint.base + "/login")
            let page = try await browser.follow(toProvider)
            #expect(page.status == 200)
            let root = browser.authorization("")
            #expect(root.hasPrefix(endpoint.base + "/authorize/"))
            #expect(page.text.contains("data-root=\"\(root)\" data-next=\"\(root)done\""))
            try await device.logInToApplication(browser, at: endpoint.base)
            let back = try await browser.get(root + "done")
            #expect(back.headers[.location]?.hasPrefix(endpoint.url + "/login?code=") == true)
            let arrived = try await browser.follow(back)
            #expect(arrived.headers[.location] == endpoint.base + "/protected")
            #expect(try await browser.follow(arrived).text.contains(Device.userID))
            // Neither the code nor the state counts twice.
            let again = try await Browser(endpoint.below("")).follow(back)
            #expect(again.status == 400)
            #expect(try await browser.follow(back).status == 400)
        }
    }

    /// A browser that did not begin a login cannot finish it, so nobody is logged in under another name.
    @Test func aLoginEndsWhereItBegan() async throws {
        try await Device.withEndpoint(.trust2025) { endpoint in
            let device = try await Device.registered(.trust2025, at: endpoint)
            let attacker = Browser(endpoint.below(""))
            _ = try await attacker.follow(try await attacker.get(endpoint.base + "/login"))
            try await device.logInToApplication(attacker, at: endpoint.base)
            let back = try await attacker.get(attacker.authorization("done"))
            let victim = Browser(endpoint.below(""))
            _ = try await victim.get(endpoint.base + "/login")
            #expect(try await victim.follow(back).status == 400)
            #expect(try await victim.get(endpoint.base + "/protected").status == 401)
        }
    }

    @Test func anAnswerOfAnotherProviderIsRefused() async throws {
        try await Device.withEndpoint(.trust2025) { endpoint in
            for issuer in ["", "&iss=https%3A%2F%2Fevil.example"] {
                let browser = Browser(endpoint.below(""))
                let begun = try await browser.get(endpoint.base + "/login")
                let location = try #require(begun.headers[.location])
                let query = try #require(location.split(separator: "?").last)
                let state = try #require(FormFields(query)?["state"])
                let reply = try await browser.get(endpoint.base + "/login?code=x&state=\(state)" + issuer)
                #expect(reply.status == 400 && reply.headers[.setCookie] == nil)
            }
        }
    }

    @Test func whoDoesNotWantToIsNotLoggedIn() async throws {
        try await Device.withEndpoint(.milagro) { endpoint in
            let browser = Browser(endpoint.below(""))
            _ = try await browser.follow(try await browser.get("/milagro/login"))
            let back = try await browser.get(browser.authorization("cancel"))
            let page = try await browser.follow(back)
            #expect(page.status == 401 && page.text.contains("href=\"/milagro/login\""))
        }
    }

    /// The kiosk as the application: an authorization URL, a login, and a code or token for the server.
    @Test(arguments: [Dialect.mfaV1, .mfaV2, .trust2023, .trust2025])
    func anApplicationOnADeviceLogsIn(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            let device = try await Device.registered(dialect, at: endpoint)
            for user in ["mallory@example.com", Device.userID] {
                let url = try await endpoint.client.get("/authzurl").object.string("authorizeURL")
                let path = try #require(url).dropFirst(endpoint.url.count)
                let session = try await endpoint.client.post(String(path), [:])
                #expect(session.status == 200)
                let accessCode = try #require(
                    session.object.string("qrURL")?.split(separator: "#").last.map(String.init))
                #expect(session.object.string("accessId") == accessCode)
                let code = try await device.applicationCode(accessCode)
                let body: [String: JSONValue] = ["code": .string(code), "userID": .string(user)]
                let reply = try await endpoint.client.post("/authtoken", body)
                #expect(reply.status == (user == Device.userID ? 200 : 401), "\(reply.text)")
            }
            for body in [[:], ["code": "x"], ["userID": "x"]] as [[String: JSONValue]] {
                #expect(try await endpoint.client.post("/authtoken", body).status == 400)
            }
            for code in ["", "x", "a.b.c", String(repeating: "0", count: 32)] {
                let body: [String: JSONValue] = ["code": .string(code), "userID": .string(Device.userID)]
                #expect(try await endpoint.client.post("/authtoken", body).status == 401)
            }
        }
    }

    /// Anybody may ask for an authorization URL, also by a picture on a page: it takes no room.
    @Test(arguments: [Dialect.mfaV1, .mfaV2]) func authorizationURLsTakeNoRoom(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            let device = try await Device.registered(dialect, at: endpoint)
            for _ in 1...300 { try #require(try await endpoint.client.get("/authzurl").status == 200) }
            /// - Returns: the status of the application's last request.
            func logIn(after wait: Duration, _ change: (String) -> String) async throws -> Int {
                let url = try #require(try await endpoint.client.get("/authzurl").object.string("authorizeURL"))
                endpoint.clock.advance(by: wait)
                let session = try await endpoint.client.post(change(String(url.dropFirst(endpoint.url.count))), [:])
                let accessCode = try #require(session.object.string("accessId"))
                let code = try await device.applicationCode(accessCode)
                return try await endpoint.client.post(
                    "/authtoken", ["code": .string(code), "userID": .string(Device.userID)]
                ).status
            }
            #expect(try await logIn(after: .seconds(599)) { $0 } == 200)
            #expect(try await logIn(after: .seconds(600)) { $0 } == 401)
            #expect(try await logIn(after: .zero) { $0.replacing(/nonce=[^&]+/, with: "nonce=AAAA") } == 401)
            #expect(try await logIn(after: .zero) { $0.replacing(/nonce=[^&]{8}/, with: "nonce=AAAAAAAA") } == 401)
        }
    }

    @Test(arguments: [
        "", "client_id=somebody&response_type=code", "client_id=\(Device.companyID)&response_type=token",
        "client_id=\(OpenIDApplication.publicID)&response_type=code",
    ])
    func anAuthorizationURLNamesItsClient(_ query: String) async throws {
        try await OpenIDApplication.with { application in
            var stranger = application.endpoint
            stranger.headers = [:]
            let client = stranger.client
            let evil = "client_id=\(application.clientID)&response_type=code&redirect_uri=https%3A%2F%2Fevil.example"
            let known = "client_id=\(Device.companyID)&response_type=code"
            for (query, status) in [(query, 400), (evil, 400), (known, 200)] {
                let reply = try await client.post("/authorize?" + query, [:])
                #expect(reply.status == status)
            }
        }
    }

    @Test func theClassicProtocolHasNoApplications() async throws {
        try await withBackend { backend in
            let authorize = "/milagro/authorize?client_id=x&response_type=code"
            for path in ["/authzurl", "/milagro/authzurl", "/milagro-without-permits/authzurl", authorize] {
                let reply = try await backend.client.post(path, [:])
                #expect(reply.status == 404)
            }
        }
    }
}
