// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

extension Device {
    /// Logs in by the page that a browser has opened below `base`, and waits until the page knows.
    func logIn(_ browser: Browser, at base: String) async throws {
        let path = (browser.base == base ? "" : base) + "/session"
        try await logIn(browser, by: try await browser.anyCode(below: base), polling: path)
    }

    /// As `logIn`, by the provider's page for an application.
    func logInToApplication(_ browser: Browser, at base: String) async throws {
        let code = try await browser.authorizationCode(below: base)
        try await logIn(browser, by: code, polling: browser.authorization("session"))
    }

    /// As `withEndpoint`, on a storage of the test's.
    static func withEndpoint(
        _ dialect: Dialect, on storage: BackendStorage, in state: TemporaryFolder,
        clock: ManualWallClock = ManualWallClock(),
        _ body: @escaping @Sendable (RunningBackend) async throws -> Void
    ) async throws {
        try await withBackend(
            state: state, clock: clock, storage: storage, options: ["--company-id", companyID]
        ) { try await body(try $0.identified(as: companyID).below("/" + dialect.rawValue)) }
    }

    private func logIn(_ browser: Browser, by code: String, polling path: String) async throws {
        async let last = logIn(code)
        #expect(try await browser.waitForLogin(path) == Self.userID)
        #expect(try await last == 200)
    }
}

extension Browser {
    /// A browser with the page of an endpoint.
    static func opened(_ endpoint: RunningBackend) async throws -> Browser {
        let browser = Browser(endpoint)
        try #require(try await browser.get("/").status == 200)
        return browser
    }
}

extension RunningBackend {
    /// Begins a registration of the classic kind.
    func startRegistration(_ userID: String) async throws -> (mpinID: String, regOTT: String) {
        let started = try await client.put("/rps/user", ["userId": .string(userID), "mobile": 1]).object
        return (try #require(started.string("mpinId")), try #require(started.string("regOTT")))
    }
}
