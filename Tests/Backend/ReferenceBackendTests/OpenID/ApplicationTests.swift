// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
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

    private static func state(of place: RunningBackend) throws -> BackendState {
        try BackendState(directory: place.state.path, clock: place.clock)
    }

    private static func query(_ id: String, _ uri: String = address, scope: String = "openid") -> String {
        "/authorize?"
            + FormFields.text([
                ("client_id", id), ("redirect_uri", uri), ("response_type", "code"), ("scope", scope),
                ("code_challenge", OpenIDApplication.challenge), ("code_challenge_method", "S256"),
            ])
    }

    private static func tokens(
        _ fields: [(name: String, value: String)], _ id: String, _ secret: String, at place: RunningBackend
    ) async throws -> Reply {
        let form = FormFields.text(fields + [("client_id", id), ("client_secret", secret)])
        return try await place.client.send(
            .post, "/oidc/token", body: Array(form.utf8),
            headers: [.contentType: "application/x-www-form-urlencoded"])
    }

    private static func redeem(
        _ code: String, _ id: String, _ secret: String, at place: RunningBackend
    ) async throws -> Reply {
        try await tokens(
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", address),
                ("code_verifier", OpenIDApplication.verifier),
            ], id, secret, at: place)
    }

    /// Goes from an application's page to its code.
    private static func code(_ browser: Browser, _ device: AnyDevice, at place: RunningBackend) async throws -> String {
        let code = try await browser.authorizationCode(below: place.base)
        async let last = device.logIn(code)
        _ = try await browser.waitForLogin(browser.authorization("session"))
        #expect(try await last == 200)
        let location = try #require(try await browser.get(browser.authorization("done")).headers[.location])
        try #require(location.hasPrefix(address + "?"))
        return try #require(FormFields(location.dropFirst(address.count + 1))?["code"])
    }

    /// Page and device show who asks, also with a later code of the page, and the application gets its tokens.
    @Test(arguments: Dialect.allCases)
    func peopleSeeWhoAsks(_ dialect: Dialect) async throws {
        try await AnyDevice.withPlace(dialect) { place in
            let state = try Self.state(of: place)
            let (application, made) = try await state.addApplication(
                name: "Time <sheets>", redirectURIs: [Self.address], isPublic: false)
            let secret = try #require(made)
            let device = try await AnyDevice.registered(dialect, at: place)
            let browser = Browser(place)
            let page = try await browser.get(Self.query(application.id))
            #expect(page.text.contains("Time &lt;sheets&gt; (time.example.com)"))
            for _ in 1...2 {
                let code = try await browser.authorizationCode(below: place.base)
                let details = try await place.details(of: code, dialect).object
                #expect(details.string("appName") == "Time <sheets> (time.example.com)")
                _ = try await place.report("abort", code, dialect)
                place.clock.advance(by: .seconds(31))
                #expect(try await browser.get(browser.authorization("session")).object.string("state") == "new")
            }
            let code = try await Self.code(browser, device, at: place)
            #expect(try await Self.redeem(code, application.id, "x" + secret, at: place).status == 401)
            #expect(try await Self.redeem(code, application.id, secret, at: place).status == 200)
        }
    }

    /// An application that refreshes its tokens learns nothing more of a revoked user.
    @Test func aRevokedUserEndsARefreshToken() async throws {
        try await AnyDevice.withPlace(.trust2025, options: ["--refresh-token-lifetime", "3600"]) { place in
            let state = try Self.state(of: place)
            let (application, made) = try await state.addApplication(
                name: "Time sheets", redirectURIs: [Self.address], isPublic: false)
            let secret = try #require(made)
            let device = try await AnyDevice.registered(.trust2025, at: place)
            let browser = Browser(place)
            _ = try await browser.get(Self.query(application.id, scope: "openid offline_access"))
            let code = try await Self.code(browser, device, at: place)
            let tokens = try await Self.redeem(code, application.id, secret, at: place).object
            let token = try #require(tokens.string("refresh_token"))
            func refresh() async throws -> Int {
                try await Self.tokens(
                    [("grant_type", "refresh_token"), ("refresh_token", token)], application.id, secret, at: place
                ).status
            }
            #expect(try await refresh() == 200)
            try await state.revoke(userID: AnyDevice.userID)
            #expect(try await refresh() == 400)
        }
    }

    /// If the operator wants it, a browser that is logged in for one application needs no PIN for the next, until the
    /// session ends or the user may not log in any more.
    @Test func aBrowserMayStayLoggedIn() async throws {
        try await AnyDevice.withPlace(.trust2025, options: ["--browser-session", "3600"]) { place in
            let state = try Self.state(of: place)
            let device = try await AnyDevice.registered(.trust2025, at: place)
            var ids: [String] = []
            for name in ["One", "Two"] {
                ids.append(
                    try await state.addApplication(name: name, redirectURIs: [Self.address], isPublic: true)
                        .application.id)
            }
            let browser = Browser(place)
            func isAsked(_ more: String = "") async throws -> Bool {
                let reply = try await browser.get(Self.query(ids[1]) + more)
                if reply.status == 200 { return true }
                #expect(reply.status == 303 && reply.headers[.location]?.hasPrefix(Self.address + "?code=") == true)
                return false
            }
            func logIn() async throws {
                _ = try await browser.get(Self.query(ids[0]) + "&prompt=login")
                _ = try await Self.code(browser, device, at: place)
            }
            #expect(try await isAsked())
            try await logIn()
            #expect(try await isAsked() == false)
            #expect(try await isAsked("&prompt=none") == false)
            #expect(try await isAsked("&prompt=login"))
            place.clock.advance(by: .seconds(3600))
            #expect(try await isAsked())

            try await logIn()
            // Neither opening the address nor another site ends it.
            #expect(try await browser.get("/authorize/logout").status == 200)
            let button: [(name: String, value: String)] = [("button", "1")]
            #expect(try await browser.submit("/authorize/logout", button, origin: "https://evil.example").status == 403)
            let posted = try await browser.submit("/authorize/logout", [], origin: "https://evil.example")
            #expect(posted.headers[.location] == "/trust-2025/authorize/logout")
            #expect(try await isAsked() == false)
            #expect(try await browser.submit("/authorize/logout", button).text.contains("Logged out"))
            #expect(try await isAsked())

            try await logIn()
            #expect(try await isAsked() == false)
            try await state.revoke(userID: AnyDevice.userID)
            #expect(try await isAsked())
        }
    }

    /// The place's own web site is shown by the service's name only.
    @Test(arguments: [Dialect.milagro, .mfaV2, .trust2025])
    func theOwnSiteIsTheService(_ dialect: Dialect) async throws {
        try await AnyDevice.withPlace(dialect, options: ["--site-name", "Example"]) { place in
            let browser = Browser(place.below(""))
            let page = try await browser.follow(try await browser.get(place.base + "/login"))
            #expect(page.text.contains(">Example</strong> asks you"))
            let code = try await browser.authorizationCode(below: place.base)
            let details = try await place.details(of: code, dialect).object
            #expect((details.string("appName") ?? details.string("projectName")) == "Example")
        }
    }

    /// A typed number gives the same name as the picture.
    @Test func aTypedNumberNamesTheApplication() async throws {
        try await withBackend { backend in
            let (application, _) = try await Self.state(of: backend).addApplication(
                name: "Time sheets", redirectURIs: [Self.address], isPublic: true)
            let page = try await Browser(backend).get(Self.query(application.id))
            let number = try #require(page.text.firstMatch(of: /<code id="code">([0-9]+)</)?.1)
            let details = try await backend.details(of: String(number), .milagro).object
            #expect(details.string("appName") == "Time sheets (time.example.com)")
        }
    }

    /// A running backend applies each change to the next request.
    @Test func changesCountAtOnce() async throws {
        try await AnyDevice.withPlace(.trust2025) { place in
            let state = try Self.state(of: place)
            let uri = "http://127.0.0.1:5000/back"
            let (application, made) = try await state.addApplication(
                name: "Tool", redirectURIs: [Self.address, uri], isPublic: false)
            let secret = try #require(made)
            for (asked, status) in [(Self.address, 200), (uri, 200), (Self.address + "/x", 400)] {
                #expect(try await place.client.get(Self.query(application.id, asked)).status == status)
            }
            // An authenticated application without a valid code is told what is wrong with the grant.
            #expect(try await Self.redeem("x", application.id, secret, at: place).status == 400)
            let renewed = try #require(try await state.renewSecret(ofApplication: "Tool"))
            #expect(try await Self.redeem("x", application.id, secret, at: place).status == 401)
            #expect(try await Self.redeem("x", application.id, renewed.secret, at: place).status == 400)
            #expect(try await state.removeApplication("Tool") != nil)
            #expect(try await place.client.get(Self.query(application.id)).status == 400)
            #expect(try await Self.redeem("x", application.id, renewed.secret, at: place).status == 401)
            #expect(try await state.removeApplication("Tool") == nil)
        }
    }

    /// An application in a browser gets its tokens from its own origin as soon as it is added.
    @Test func aPublicApplicationAsksFromItsOwnOrigin() async throws {
        try await withBackend { backend in
            let state = try Self.state(of: backend)
            func allowed() async throws -> String? {
                try await backend.client.send(
                    .post, "/oidc/token", headers: [.origin: "https://time.example.com"]
                ).headers[.accessControlAllowOrigin]
            }
            let (secretive, _) = try await state.addApplication(
                name: "Time", redirectURIs: [Self.address], isPublic: false)
            #expect(try await allowed() == nil)
            _ = try await state.removeApplication(secretive.id)
            _ = try await state.addApplication(name: "Time", redirectURIs: [Self.address], isPublic: true)
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
            let state = try Self.state(of: backend)
            func add(_ name: String) async throws {
                _ = try await state.addApplication(name: name, redirectURIs: [Self.address], isPublic: true)
            }
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

    /// An application never bears the name of the place's own site, even if it was added first.
    @Test(arguments: ["City library", "CITY LIBRARY", "C\u{456}ty library"])
    func noApplicationLooksLikeTheSite(_ name: String) async throws {
        try await withBackend(options: ["--site-name", "City library"]) { backend in
            let (application, _) = try await Self.state(of: backend).addApplication(
                name: name, redirectURIs: [Self.address], isPublic: true)
            let page = try await Browser(backend).get(Self.query(application.id))
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
