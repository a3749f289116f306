// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import Foundation
import HTTPTypes
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The applications that an operator adds while the backend runs.
@Suite struct ApplicationTests {
    private static let address = "https://time.example.com/back"

    private static func state(of endpoint: RunningBackend) throws -> BackendState {
        try BackendState(directory: endpoint.state.path, clock: endpoint.clock)
    }

    /// Page and device show who asks, also with a later code of the page, and the application gets its tokens.
    @Test(arguments: Dialect.allCases)
    func peopleSeeWhoAsks(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            let application = try await OpenIDApplication.added(to: endpoint)
            let device = try await Device.registered(dialect, at: endpoint)
            let browser = Browser(endpoint)
            let page = try await browser.get(application.path())
            #expect(page.text.contains("Time &lt;sheets&gt; (time.example.com)"))
            for _ in 1...2 {
                let code = try await browser.authorizationCode(below: endpoint.base)
                let details = try await endpoint.details(of: code, dialect).object
                #expect(details.string("appName") == "Time <sheets> (time.example.com)")
                _ = try await endpoint.report("abort", code, dialect)
                endpoint.clock.advance(by: .seconds(31))
                #expect(try await browser.get(browser.authorization("session")).object.string("state") == "new")
            }
            try await device.logInToApplication(browser, at: endpoint.base)
            let answer = try application.answer(try await browser.get(browser.authorization("done")))
            let code = try #require(answer["code"])
            #expect(try await application.redeem(code, by: .post, ["client_secret": "x"]).status == 401)
            #expect(try await application.redeem(code).status == 200)
        }
    }

    /// If the operator wants it, a browser that is logged in for one application needs no PIN for the next, until the
    /// session ends or the user may not log in any more.
    @Test func aBrowserMayStayLoggedIn() async throws {
        let options = ["--browser-session", "3600", "--refresh-token-lifetime", "3600"]
        try await Device.withEndpoint(.trust2025, options: options) { endpoint in
            let device = try await Device.registered(.trust2025, at: endpoint)
            let one = try await OpenIDApplication.added(to: endpoint, name: "One")
            let two = try await OpenIDApplication.added(to: endpoint, name: "Two", isPublic: true)
            let browser = Browser(endpoint)
            func isAsked(_ changes: [String: String?] = [:]) async throws -> Bool {
                let reply = try await browser.get(two.path(changes))
                if reply.status == 200 { return true }
                #expect(try two.answer(reply)["code"] != nil)
                return false
            }
            func logIn() async throws -> String {
                let answer = try await one.logIn(
                    device, in: browser, ["prompt": "login", "scope": "openid offline_access"])
                return try #require(answer["code"])
            }
            #expect(try await isAsked())
            let code = try await logIn()
            #expect(try await isAsked() == false)
            #expect(try await isAsked(["prompt": "none"]) == false)
            #expect(try await isAsked(["prompt": "login"]))
            let token = try #require(try await one.redeem(code).object.string("refresh_token"))
            endpoint.clock.advance(by: .seconds(3599))
            #expect(try await one.refresh(token).status == 200)
            endpoint.clock.advance(by: .seconds(1))
            #expect(try await isAsked())
            let second = try #require(try await one.redeem(try await logIn()).object.string("refresh_token"))
            // Neither opening the address nor another site ends it.
            #expect(try await browser.get("/authorize/logout").status == 200)
            let button: [(name: String, value: String)] = [("button", "1")]
            #expect(try await browser.submit("/authorize/logout", button, origin: "https://evil.example").status == 403)
            let posted = try await browser.submit("/authorize/logout", [], origin: "https://evil.example")
            #expect(posted.headers[.location] == "/trust-2025/authorize/logout")
            #expect(try await isAsked() == false)
            #expect(try await browser.submit("/authorize/logout", button).text.contains("Logged out"))
            #expect(try await isAsked())
            _ = try await logIn()
            #expect(try await isAsked() == false)
            #expect(try await one.refresh(second).status == 200)
            try await Self.state(of: endpoint).revoke(userID: Device.userID)
            #expect(try await isAsked())
            #expect(try await one.refresh(second).status == 400)
        }
    }

    /// The endpoint's own web site is shown by the service's name only.
    @Test(arguments: [Dialect.milagro, .mfaV2, .trust2025])
    func theOwnSiteIsTheService(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect, options: ["--site-name", "Example"]) { endpoint in
            let browser = Browser(endpoint.below(""))
            let page = try await browser.follow(try await browser.get(endpoint.base + "/login"))
            #expect(page.text.contains(">Example</strong> asks you"))
            let code = try await browser.authorizationCode(below: endpoint.base)
            let details = try await endpoint.details(of: code, dialect).object
            #expect((details.string("appName") ?? details.string("projectName")) == "Example")
        }
    }

    /// A typed number gives the same name as the picture.
    @Test func aTypedNumberNamesTheApplication() async throws {
        try await withBackend { backend in
            let application = try await OpenIDApplication.added(to: backend, name: "Time sheets", isPublic: true)
            let page = try await Browser(backend).get(application.path())
            let number = try #require(page.text.firstMatch(of: /<code id="code">([0-9]+)</)?.1)
            let details = try await backend.details(of: String(number), .milagro).object
            #expect(details.string("appName") == "Time sheets (time.example.com)")
        }
    }

    /// A running backend applies each change to the next request.
    @Test func changesCountAtOnce() async throws {
        try await Device.withEndpoint(.trust2025) { endpoint in
            let uri = "http://127.0.0.1:5000/back"
            let application = try await OpenIDApplication.added(to: endpoint, name: "Tool", at: [Self.address, uri])
            for (asked, status) in [(Self.address, 200), (uri, 200), (Self.address + "/x", 400)] {
                #expect(try await endpoint.client.get(application.path(["redirect_uri": asked])).status == status)
            }
            // An authenticated application without a valid code is told what is wrong with the grant.
            #expect(try await application.redeem("x").status == 400)
            let state = try Self.state(of: endpoint)
            let secret = try #require(try await state.renewSecret(ofApplication: "Tool")).secret
            let renewed = OpenIDApplication(endpoint: endpoint, clientID: application.clientID, secret: secret)
            #expect(try await application.redeem("x").status == 401)
            #expect(try await renewed.redeem("x").status == 400)
            #expect(try await state.removeApplication("Tool") != nil)
            #expect(try await endpoint.client.get(application.path()).status == 400)
            #expect(try await renewed.redeem("x").status == 401)
            #expect(try await state.removeApplication("Tool") == nil)
        }
    }

    /// An application in a browser gets its tokens from its own origin as soon as it is added.
    @Test func aPublicApplicationAsksFromItsOwnOrigin() async throws {
        try await withBackend { backend in
            func allowed() async throws -> String? {
                try await backend.client.send(
                    .post, "/oidc/token", headers: [.origin: "https://time.example.com"]
                ).headers[.accessControlAllowOrigin]
            }
            let secretive = try await OpenIDApplication.added(to: backend)
            #expect(try await allowed() == nil)
            _ = try await Self.state(of: backend).removeApplication(secretive.clientID)
            _ = try await OpenIDApplication.added(to: backend, isPublic: true)
            #expect(try await allowed() == "https://time.example.com")
        }
    }

    @Test func namesAndAddressesAreBounded() throws {
        for name in [
            "", " a", "a ", "a  b", "a\nb", "a\u{202e}b", "a\u{200b}b", String(repeating: "n", count: 41),
        ] {
            #expect(throws: BackendError.self, "\(name.debugDescription)") { try BackendState.name(name) }
        }
        #expect(try BackendState.name("Cafe\u{301} 24/7") == "Caf\u{e9} 24/7")
        let many = (1...11).map { "https://a.example/\($0)" }
        for addresses in [
            [], many, ["https://a.example/#x"], ["ftp://a.example/"], ["https://user@a.example/"], ["a.example"],
            ["https://a.example/" + String(repeating: "p", count: 1000)],
        ] {
            #expect(throws: BackendError.self, "\(addresses)") { try BackendState.addresses(addresses) }
        }
        #expect(try BackendState.addresses(["https://a.example/", "https://a.example/"]).count == 1)
    }

    /// People tell applications by their names, so no two look alike, whatever the case and the script.
    @Test func noTwoNamesLookAlike() async throws {
        try await withBackend { backend in
            func add(_ name: String) async throws { _ = try await OpenIDApplication.added(to: backend, name: name) }
            try await add("Time sheets 1")
            for name in [
                "Time sheets 1", "TIME SHEETS 1", "time sheets l", "T\u{456}me sheets 1", "Timesheets 1",
                "\u{422}\u{406}\u{41c}\u{415} SHEETS I", "Ｔｉｍｅ sheets 1", "Tirne sheets 1", "Time sh\u{435}ets 1",
            ] {
                let error = await #expect(throws: BackendError.self, "\(name)") { try await add(name) }
                #expect(error?.description.contains("Time sheets 1") == true)
            }
            for name in ["Time sheets 2", "Zeiten", "Време", "Χρόνος", "Timer"] { try await add(name) }
        }
    }

    /// An application never bears the name of the endpoint's own site, even if it was added first.
    @Test(arguments: ["City library", "CITY LIBRARY", "C\u{456}ty library"])
    func noApplicationLooksLikeTheSite(_ name: String) async throws {
        try await withBackend(options: ["--site-name", "City library"]) { backend in
            let application = try await OpenIDApplication.added(to: backend, name: name)
            let page = try await Browser(backend).get(application.path())
            #expect(page.text.contains("<strong id=\"application\">time.example.com</strong>"))
        }
    }

    @Test func shapesAreFoundInAnyText() {
        let seed: UInt64 = 0x0a13
        var generator = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            let scalars = (0..<Int.random(in: 0...8, using: &generator)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x2ffff, using: &generator))
            }
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            #expect(NameShape(text) == NameShape(text.precomposedStringWithCanonicalMapping), "seed \(seed)")
        }
    }

    /// Unusual input is refused or cleaned: a stored name is one short line, and an address leads where it says.
    @Test func whatIsTypedIsNeverKeptBlindly() {
        let seed: UInt64 = 0x0a11
        var generator = SplitMix64(seed: seed)
        let parts = [
            "https://", "a.example", ":8443", "/", "?x=1", "#", "@", "\n", " ", "\u{202e}", "é", "\\", "%00", "Name",
            "",
        ]
        var taken = (names: 0, addresses: 0)
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...6, using: &generator))
                .map { _ in parts[Int.random(in: 0..<parts.count, using: &generator)] }.joined()
            if let name = try? BackendState.name(text) {
                taken.names += 1
                #expect(!name.isEmpty && !name.contains("\n") && !name.contains("\u{202e}"), "seed \(seed)")
            }
            if let address = try? BackendState.addresses([text]).first {
                taken.addresses += 1
                #expect(address == text && address.hasPrefix("https://") && !address.contains("@"), "seed \(seed)")
            }
        }
        #expect(taken.names > 0 && taken.addresses > 0, "seed \(seed)")
    }
}
