// SPDX-License-Identifier: Apache-2.0

import BackendValues
import BackendTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The SDK's client logs in at this backend in every dialect.
@Suite struct LoginFlowTests {
    @Test(arguments: DialectFlow.dialects) func logsABrowserIn(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            let browser = try await kiosk.session()
            let details = try await kiosk.mpin.sessionDetails(for: browser.code)
            #expect(details.appName == "login-kiosk demonstration" && details.prerollID.isEmpty)
            if let page = browser.page {
                #expect(details.customerID == (dialect == .mfaV1 ? kiosk.companyID : ""))
                #expect(try await page.session() == ["scanned", ""])
                try await kiosk.mpin.startAuthentication(of: user, accessCode: browser.code)
                #expect(try await page.session() == ["user", "alice@example.com"])
            } else {
                #expect(try await browser.access(at: kiosk.backend).string("status") == "wid")
            }
            #expect(try await kiosk.logIn(user, at: browser).user == "alice@example.com")
        }
    }

    @Test(arguments: DialectFlow.dialects) func triesAgain(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            for _ in 1...2 {
                for _ in 1...2 {
                    let error = try await kiosk.failure(user, pin: "9999")
                    #expect(error?.status == .incorrectPIN && error?.httpStatus == 401)
                    #expect(try await kiosk.mpin.user(user.key)?.state == .registered)
                    kiosk.backend.clock.letDelaysPass()
                }
                // The right PIN resets the count.
                try await kiosk.expectUnchanged(user)
            }
        }
    }

    @Test(arguments: DialectFlow.dialects) func isBlocked(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            for httpStatus in [401, 401, 410] {
                let error = try await kiosk.failure(user, pin: "9999")
                #expect(error?.status == .incorrectPIN && error?.httpStatus == httpStatus)
                kiosk.backend.clock.letDelaysPass()
            }
            try await kiosk.expectBlocked(user)
        }
    }

    @Test(arguments: DialectFlow.dialects) func learnsThatASessionIsOver(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            let late = try await kiosk.session().code
            kiosk.backend.clock.advance(by: .seconds(306))
            let unknown = try #require(AccessCode("00112233445566778899aabbccddeeff"))
            let browser = try await kiosk.session()
            _ = try await kiosk.logIn(user, at: browser)
            for code in [late, unknown, browser.code] {
                try await kiosk.mpin.startAuthentication(of: user, accessCode: code)
                let error = await #expect(throws: MPinError.self) {
                    try await kiosk.mpin.finishAuthentication(of: user, pin: newPIN("1234"), accessCode: code)
                }
                #expect(error?.status == .incorrectAccessNumber)
            }
            try await kiosk.expectUnchanged(user)
        }
    }

    @Test(arguments: DialectFlow.dialects) func asksForTimePermits(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            kiosk.network.forget()
            try await kiosk.logIn(user)
            try await kiosk.logIn(user)
            let permits = kiosk.network.paths.filter { $0.contains("timePermit") }
            // The first share is needed for each login, the second for the day.
            #expect(permits.count == (DialectFlow.timePermit.isThere(in: dialect) ? 3 : 0))
        }
    }

    @Test(arguments: DialectFlow.dialects) func endsABrowsersSession(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            let browser = try await kiosk.session()
            let isThere = DialectFlow.logout.isThere(in: dialect)
            #expect(try await kiosk.logIn(user, at: browser).login.canLogout == isThere)
            #expect(await kiosk.mpin.canLogout(user) == isThere)
            guard isThere else {
                await kiosk.expectAbsent { try await kiosk.mpin.logout(user) }
                return
            }
            #expect(try await browser.page?.get("/protected").status == 200)
            try await kiosk.mpin.logout(user)
            #expect(try await browser.page?.get("/protected").status == 401)
            #expect(await !kiosk.mpin.canLogout(user))
        }
    }
}
