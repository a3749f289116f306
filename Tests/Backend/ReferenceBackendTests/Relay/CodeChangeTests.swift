// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// A login page changes its code while no device has read it, and the old code becomes invalid.
@Suite struct CodeChangeTests {
    private static func withPage(
        _ dialect: Dialect,
        _ body: @escaping @Sendable (RunningBackend, Device, Browser) async throws -> Void
    ) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            let device = try await Device.registered(dialect, at: endpoint)
            let browser = Browser(endpoint.below(""))
            try #require(try await browser.get(endpoint.base + "/").status == 200)
            try await body(endpoint, device, browser)
        }
    }

    /// The relay attack by a photograph: a code shown half a minute ago logs nobody in.
    @Test(arguments: Dialect.allCases)
    func anOldCodeIsVoid(_ dialect: Dialect) async throws {
        try await Self.withPage(dialect) { endpoint, device, browser in
            let (path, old) = (endpoint.base + "/session", try await browser.anyCode(below: endpoint.base))
            endpoint.clock.advance(by: .seconds(29))
            let before = try await browser.get(path).object
            #expect(before.string("state") == "new")
            #expect(try await browser.anyCode(below: endpoint.base) == old)
            endpoint.clock.advance(by: .seconds(1))
            // Even before the page has asked for another one.
            let told = try await endpoint.details(of: old, dialect)
            #expect(told.status != 200 || told.object.flag("codeExpired") == true)
            #expect(try await device.logIn(old) != 200)

            let after = try await browser.get(path).object
            #expect(after.string("state") == "new")
            #expect(after.string("picture") != before.string("picture"))
            let new = try await browser.anyCode(below: endpoint.base)
            #expect(new != old)
            #expect(try await device.logIn(old) != 200)
            #expect(try await endpoint.details(of: new, dialect).status == 200)
            try await device.logIn(browser, at: endpoint.base)
        }
    }

    @Test(arguments: Dialect.allCases)
    func aCodeThatWasReadStays(_ dialect: Dialect) async throws {
        try await Self.withPage(dialect) { endpoint, device, browser in
            let (path, code) = (endpoint.base + "/session", try await browser.anyCode(below: endpoint.base))
            endpoint.clock.advance(by: .seconds(25))
            #expect(try await endpoint.details(of: code, dialect).status == 200)
            endpoint.clock.advance(by: .seconds(200))
            #expect(try await browser.get(path).object.string("state") == "scanned")
            // A page without a script reloads itself.
            #expect(try await browser.get(endpoint.base + "/?wait").status == 200)
            #expect(try await browser.anyCode(below: endpoint.base) == code)
            try await device.logIn(browser, at: endpoint.base)
        }
    }

    /// A person who declined may scan again while the page shows its code.
    @Test(arguments: Dialect.allCases)
    func aRefusedCodeChangesInTime(_ dialect: Dialect) async throws {
        try await Self.withPage(dialect) { endpoint, device, browser in
            let (path, old) = (endpoint.base + "/session", try await browser.anyCode(below: endpoint.base))
            try await endpoint.report("wid", old, dialect)
            endpoint.clock.advance(by: .seconds(10))
            try await endpoint.report("abort", old, dialect)
            #expect(try await browser.get(path).object.string("state") == "new")
            #expect(try await browser.anyCode(below: endpoint.base) == old)
            endpoint.clock.advance(by: .seconds(20))
            #expect(try await browser.get(path).object.string("state") == "new")
            #expect(try await browser.anyCode(below: endpoint.base) != old)
            #expect(try await device.logIn(old) != 200)
        }
    }

    @Test(arguments: [Dialect.milagro, .milagroWithoutPermits])
    func aNumberChangesToo(_ dialect: Dialect) async throws {
        try await withBackend(options: ["--dialect", dialect.rawValue]) { backend in
            let device = try await Device.registered(dialect, at: backend)
            let browser = Browser(backend)
            let old = try #require((try await browser.get("/")).typedCode)
            backend.clock.advance(by: .seconds(30))
            #expect(try await device.logIn(old) == 412)
            let new = try #require(try await browser.get("/session").object.string("code"))
            #expect(new != old)
            // A code that was read stays, beyond its own expiry.
            backend.clock.advance(by: .seconds(20))
            try await backend.report("wid", new, dialect)
            backend.clock.advance(by: .seconds(100))
            #expect(try await browser.session() == ["scanned", ""])
            async let last = device.logIn(new)
            #expect(try await browser.waitForLogin() == Device.userID)
            #expect(try await last == 200)
        }
    }

    /// Codes that clients ask for themselves keep their lifetime.
    @Test func codesOfForeignClientsStay() async throws {
        try await withBackend { backend in
            let code = try await backend.client.newQRSession().accessCode
            let number = try #require(
                try await backend.client.post("/rps/getAccessNumber", [:]).object.string("accessNumber"))
            let project = try await TrustProject(.trust2025, at: backend)
            let session = try await project.session()
            let device = try await Device.registered("bob@example.com", at: project)
            backend.clock.advance(by: .seconds(290))
            #expect(try await backend.details(of: code, .milagro).object.string("appName") != nil)
            #expect(try await backend.backend.classicSites[0].rps.openCode(number) != nil)
            #expect(try await device.logIn(session.accessID) == 200)
        }
    }

    /// An application finds its person again after a change of the code.
    @Test(arguments: [Dialect.milagro, .trust2025])
    func theProvidersPageChangesToo(_ dialect: Dialect) async throws {
        try await Self.withPage(dialect) { endpoint, device, _ in
            let browser = Browser(endpoint.below(""))
            _ = try await browser.follow(try await browser.get(endpoint.base + "/login"))
            let path = browser.authorization("session")
            let old = try await browser.authorizationCode(below: endpoint.base)
            endpoint.clock.advance(by: .seconds(30))
            #expect(try await browser.get(path).object.string("state") == "new")
            let new = try await browser.authorizationCode(below: endpoint.base)
            #expect(new != old)
            #expect(try await browser.get(browser.authorization("qr.png")).status == 200)
            try await device.logInToApplication(browser, at: endpoint.base)
            let done = try await browser.get(browser.authorization("done"))
            let back = try await browser.follow(done)
            #expect(try await browser.follow(back).status == 200)
        }
    }

    /// A page without a script polls by reloading, and is logged in.
    @Test func aPageWithoutAScriptIsLoggedIn() async throws {
        try await Self.withPage(.trust2025) { endpoint, device, browser in
            #expect(try await browser.get(endpoint.base + "/").text.contains(#"<meta http-equiv="refresh""#))
            let code = try await browser.anyCode(below: endpoint.base)
            #expect(try await device.logIn(code) == 200)
            let page = try await browser.get(endpoint.base + "/?wait")
            #expect(page.text.contains("You are logged in as"))
        }
    }
}
