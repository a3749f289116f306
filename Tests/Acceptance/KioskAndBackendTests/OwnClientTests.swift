// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The SDK's client with this backend, over real connections. They share no protocol code, so each has to understand
/// the other's messages.
@Suite struct OwnClientTests {
    static let dialects = Dialect.allCases.filter { $0.platformGeneration == nil }

    @Test(arguments: dialects) func registersAndLogsABrowserIn(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let browser = try await kiosk.openPage()
            let code = try await kiosk.code(on: browser)
            let session = try await kiosk.mpin.sessionDetails(for: code)
            #expect(session.appName == "login-kiosk demonstration" && session.prerollID.isEmpty)
            #expect(session.customerID == (dialect == .mfaV1 ? kiosk.companyID : ""))
            #expect(try await browser.session() == ["scanned", ""])
            let user = try await kiosk.register("alice@example.com", code)
            #expect(user.state == .registered && user.pinLength == 4)

            try await kiosk.mpin.startAuthentication(of: user, accessCode: code)
            #expect(try await browser.session() == ["user", "alice@example.com"])
            async let login = kiosk.mpin.finishAuthentication(of: user, pin: newPIN("1234"), accessCode: code)
            #expect(try await browser.waitForLogin() == "alice@example.com")
            let canLogout = try await login.canLogout
            #expect(try await browser.get("/protected").status == 200)

            // The platform ends logins itself and does not know the web site's sessions.
            #expect(canLogout == (dialect != .mfaV1))
            #expect(await kiosk.mpin.canLogout(user) == canLogout)
            guard canLogout else { return }
            try await kiosk.mpin.logout(user)
            #expect(try await browser.get("/protected").status == 401)
            #expect(await !kiosk.mpin.canLogout(user))
        }
    }

    @Test(arguments: [Dialect.milagro, .milagroWithoutPermits])
    func logsABrowserInByAccessNumber(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register("alice@example.com")
            let offer = try await kiosk.backend.client.post("/rps/getAccessNumber", [:]).object
            let digits = try #require(offer.string("accessNumber"))
            let wrong = digits.dropLast() + (digits.hasSuffix("1") ? "2" : "1")
            let mistyped = await #expect(throws: MPinError.self) {
                try await kiosk.mpin.checkAccessNumber(try #require(AccessCode(wrong)))
            }
            #expect(mistyped?.status == .incorrectAccessNumber)
            let number = try #require(AccessCode(digits))
            try await kiosk.mpin.checkAccessNumber(number)
            try await kiosk.mpin.startAuthentication(of: user, accessCode: number)
            async let login = kiosk.mpin.finishAuthentication(of: user, pin: newPIN("1234"), accessCode: number)
            let browser = Browser(kiosk.backend)
            var access = JSONObject([:])
            while access.string("status") != "authenticate" {
                access = try await kiosk.backend.client.access(offer.string("webOTT") ?? "")
            }
            let authOTT = JSONValue.string(access.string("authOTT") ?? "")
            let reply = try await browser.post("/mpinAuthenticate", ["mpinResponse": .object(["authOTT": authOTT])])
            #expect(reply.status == 200)
            #expect(try await login.canLogout)
            #expect(try await browser.get("/protected").status == 200)
        }
    }

    @Test(arguments: dialects) func logsItselfInInEveryWay(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let mpin = kiosk.mpin
            let user = try await kiosk.register("alice@example.com")
            try await mpin.startAuthentication(of: user)
            let plain = try await mpin.finishAuthentication(of: user, pin: newPIN("1234"))
            #expect(plain.resultData.count > 2 && !plain.canLogout)

            try await mpin.startAuthentication(of: user)
            let password = try await mpin.finishAuthenticationOTP(of: user, pin: newPIN("1234"))
            #expect(password.status == .ok && password.digits.count == 6 && password.ttlSeconds == 60)
            #expect(password.expires?.nowTimeSeconds == kiosk.backend.clock.now.seconds)
            #expect(password.expires?.timeLeft == .seconds(60))

            try await mpin.startAuthentication(of: user)
            guard dialect == .mfaV1 else {
                let error = await #expect(throws: MPinError.self) {
                    try await mpin.finishAuthenticationMFA(of: user, pin: newPIN("1234"))
                }
                #expect(error?.status == .responseParseError)
                return
            }
            let code = try await mpin.finishAuthenticationMFA(of: user, pin: newPIN("1234"))
            let text = code.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
            let redeemed = try await kiosk.backend.client.post(
                "/authtoken", ["code": .string(text), "userID": "alice@example.com"])
            #expect(redeemed.status == 200)
        }
    }

    @Test(arguments: dialects) func isBlockedAndRegistersAgain(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let mpin = kiosk.mpin
            let user = try await kiosk.register("alice@example.com")
            try await mpin.startAuthentication(of: user)
            for httpStatus in [401, 401, 410] {
                let error = await #expect(throws: MPinError.self) {
                    try await mpin.finishAuthentication(of: user, pin: newPIN("9999"))
                }
                #expect(error?.status == .incorrectPIN && error?.httpStatus == httpStatus)
                kiosk.backend.clock.letDelaysPass()
            }
            #expect(try await mpin.user(user.key)?.state == .blocked)
            try await mpin.deleteUser(user)
            #expect(try await mpin.users().isEmpty)
            let again = try await kiosk.register("alice@example.com")
            try await mpin.startAuthentication(of: again)
            _ = try await mpin.finishAuthentication(of: again, pin: newPIN("1234"))
        }
    }

    @Test(arguments: dialects) func isRevoked(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register("alice@example.com")
            let state = try BackendState(directory: kiosk.backend.state.path, clock: kiosk.backend.clock)
            #expect(try await state.revoke(userID: "alice@example.com") == 1)
            let error = await #expect(throws: MPinError.self) {
                try await kiosk.mpin.startAuthentication(of: user)
                _ = try await kiosk.mpin.finishAuthentication(of: user, pin: newPIN("1234"))
            }
            // With permits the refusal comes before the PIN, without permits after it.
            #expect(error?.status == (dialect == .milagro ? .revoked : .incorrectPIN))
            try await kiosk.expectRefused(user, by: error)
        }
    }

    @Test(arguments: dialects) func learnsThatACodeIsOver(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register("alice@example.com")
            let code = try await kiosk.code(on: try await kiosk.openPage())
            kiosk.backend.clock.advance(by: LoginSession.lifetime + LoginSession.grace)
            try await kiosk.mpin.startAuthentication(of: user, accessCode: code)
            let error = await #expect(throws: MPinError.self) {
                try await kiosk.mpin.finishAuthentication(of: user, pin: newPIN("1234"), accessCode: code)
            }
            #expect(error?.status == .incorrectAccessNumber)
        }
    }

    /// The operator changes the dialect, and nobody has to register again.
    @Test(arguments: dialects, dialects)
    func outlivesAChange(_ before: Dialect, _ after: Dialect) async throws {
        let folder = TemporaryFolder()
        let identities = try await withClient(before, folder) { kiosk in
            _ = try await kiosk.register("alice@example.com")
            return try await kiosk.storage.identities()
        }
        try await withClient(after, folder, identities) { kiosk in
            let user = try #require(try await kiosk.mpin.users().first)
            try await kiosk.mpin.startAuthentication(of: user)
            _ = try await kiosk.mpin.finishAuthentication(of: user, pin: newPIN("1234"))
            let browser = try await kiosk.openPage()
            let code = try await kiosk.code(on: browser)
            try await kiosk.mpin.startAuthentication(of: user, accessCode: code)
            async let login = kiosk.mpin.finishAuthentication(of: user, pin: newPIN("1234"), accessCode: code)
            #expect(try await browser.waitForLogin() == "alice@example.com")
            _ = try await login
        }
    }

    @Test func aStrangerIsTurnedAway() async throws {
        try await withClient(.mfaV1) { kiosk in
            let address = try WebAddress(kiosk.backend.addresses.publicURL)
            try await kiosk.mpin.setClientID("another company")
            for call in [
                { _ = try await kiosk.mpin.serviceDetails(at: address) },
                { try await kiosk.mpin.testBackend(address) },
            ] {
                let error = await #expect(throws: MPinError.self) { try await call() }
                #expect(error?.status == .badUserAgent)
            }
        }
    }
}
