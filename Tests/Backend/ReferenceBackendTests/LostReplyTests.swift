// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Patience
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The reply that logs a page in gets lost, or the process dies before sending it. The page polls again.
@Suite struct LostReplyTests {
    private static let dialects = [Dialect.milagro, .mfaV1, .mfaV2, .trust2025]

    @Test(arguments: StorageUnderTest.allCases, dialects)
    func thePageHearsItAgain(_ kind: StorageUnderTest, _ dialect: Dialect) async throws {
        try await Self.withEndpoint(kind, dialect) { endpoint, clock in
            let device = try await Device.registered(dialect, at: endpoint)
            let (browser, path) = (Browser(endpoint.below("")), endpoint.base + "/session")
            let page = try await Self.loggedIn(browser, by: device, at: endpoint)
            // That page gets it again, for half a minute.
            for _ in 0..<2 {
                let again = page.copy()
                #expect(try await again.waitForLogin(path) == Device.userID)
                #expect(again.known == browser.known && again.known != page.known)
                #expect(try await again.get(endpoint.base + "/protected").status == 200)
                clock.advance(by: .seconds(14))
            }
            #expect(try await page.get(endpoint.base + "/protected").status == 401)
            clock.advance(by: .seconds(2))
            // Then it is a normal page with another code.
            let late = page.copy()
            #expect(try await late.get(path).object.string("state") == "new")
            #expect(try await late.get(endpoint.base + "/protected").status == 401)
            #expect(try await browser.get(endpoint.base + "/protected").status == 200)
        }
    }

    @Test(arguments: StorageUnderTest.allCases, dialects)
    func whoLoggedOutStaysOut(_ kind: StorageUnderTest, _ dialect: Dialect) async throws {
        try await Self.withEndpoint(kind, dialect) { endpoint, _ in
            let device = try await Device.registered(dialect, at: endpoint)
            let browser = Browser(endpoint.below(""))
            let page = try await Self.loggedIn(browser, by: device, at: endpoint)
            #expect(try await browser.submit(endpoint.base + "/logout", []).status < 400)
            #expect(try await browser.get(endpoint.base + "/protected").status == 401)
            #expect(try await page.copy().get(endpoint.base + "/session").object.string("state") == "expired")
        }
    }

    /// Another page with another code does not get it.
    @Test(arguments: StorageUnderTest.allCases)
    func anotherPageHearsNothing(_ kind: StorageUnderTest) async throws {
        try await Self.withEndpoint(kind, .trust2025) { endpoint, _ in
            let device = try await Device.registered(.trust2025, at: endpoint)
            let (browser, other) = (Browser(endpoint.below("")), Browser(endpoint.below("")))
            #expect(try await other.get(endpoint.base + "/").status == 200)
            _ = try await Self.loggedIn(browser, by: device, at: endpoint)
            #expect(try await other.get(endpoint.base + "/session").object.string("state") == "new")
        }
    }

    /// - Returns: the page before it learned of its login.
    private static func loggedIn(
        _ browser: Browser, by device: Device, at endpoint: RunningBackend
    ) async throws -> Browser {
        try #require(try await browser.get(endpoint.base + "/").status == 200)
        let page = browser.copy()
        let code = try await browser.anyCode(below: endpoint.base)
        async let status = device.logIn(code)
        #expect(try await browser.waitForLogin(endpoint.base + "/session") == Device.userID)
        #expect(try await status == 200)
        return page
    }

    private static func withEndpoint(
        _ kind: StorageUnderTest, _ dialect: Dialect,
        _ body: @escaping @Sendable (RunningBackend, ManualWallClock) async throws -> Void
    ) async throws {
        let (state, clock) = (TemporaryFolder(), ManualWallClock())
        try await withBackend(
            state: state, clock: clock, storage: try kind.open(in: state),
            options: ["--company-id", Device.companyID]
        ) { backend in
            try await body(try backend.identified(as: Device.companyID).below("/" + dialect.rawValue), clock)
        }
    }
}
