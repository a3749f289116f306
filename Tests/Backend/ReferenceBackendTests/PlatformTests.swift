// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import KioskTestKit
import MPinCrypto
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The dialect `mfa-v1`.
@Suite struct PlatformTests {
    private static let companyID = "our\"company\""

    /// Without an operator's company id a kiosk in default settings is accepted, and another company's is not.
    @Test func withoutACompanyAnyDeviceIsAccepted() async throws {
        try await withBackend(options: ["--dialect", "mfa-v1"]) { backend in
            for path in ["/service", "/rps/clientSettings", "/mfa-v2/service", "/mfa-v2/rps/v2/clientSettings"] {
                let unnamed = try await backend.client.get(path)
                let other = try await backend.identified(as: "another").client.get(path)
                #expect(unnamed.status == 200 && other.status == 406)
            }
        }
    }

    @Test func theSettingsAreThePlatforms() async throws {
        try await withPlatform { backend in
            let settings = try await backend.client.get("/rps/clientSettings").object
            let base = backend.addresses.publicURL + "/rps"
            #expect(settings.members["usePermits"] == false && settings.string("timePermitsURL") == "")
            #expect(settings.string("authenticateURL") == base + "/authenticate")
            #expect(settings.string("mobileAuthenticateURL") == base + "/authenticate")
            #expect(settings.integer("accessNumberDigits") == 0 && settings.integer("cSum") == 0)
            #expect(settings.members["accessNumberUseCheckSum"] == false)
            let anonymous = HTTPClient(port: backend.addresses.publicPort)
            #expect(try await anonymous.get("/rps/clientSettings").status == 406)
            #expect(try await anonymous.post("/rps/pass1", [:]).status == 406)
        }
    }

    @Test func aRegistrationBelongsToABrowserSession() async throws {
        try await withPlatform { backend in
            let client = backend.client
            var body: [String: JSONValue] = ["userId": "alice@example.com", "mobile": 1]
            #expect(try await client.put("/rps/user", body).status == 406)
            body["wid"] = .string(String(repeating: "0", count: 32))
            #expect(try await client.put("/rps/user", body).status == 406)
            #expect(try await backend.mails().isEmpty)
            let (accessCode, _) = try await client.newQRSession()
            body["wid"] = .string(accessCode)
            let started = try await client.put("/rps/user", body)
            #expect(started.status == 200)
            #expect(started.object.integer("nowTime") == backend.clock.now.seconds)
            #expect(started.object.integer("expireTime") == backend.clock.now.seconds + 3600)
            #expect(started.object.string("customerId") == Self.companyID)
            #expect(started.object.string("appId")?.isEmpty == false)
            let mpinID = try #require(started.object.string("mpinId"))
            let text = String(decoding: try #require(Hexadecimal.bytes(mpinID)), as: UTF8.self)
            #expect(
                text.hasPrefix(
                    #"{"issuedAt": 1795262400, "userID": "alice@example.com", "cID": "our\"company\"", "salt": ""#))
            #expect(text.hasSuffix(#"", "v": 1, "mobile": 1}"#))
            #expect(JSONObject(body: Array(text.utf8))?.string("cID") == Self.companyID)

            // A restart continues the registration, even if the session has expired.
            backend.clock.advance(by: LoginSession.lifetime + LoginSession.grace)
            body["regOTT"] = started.object.members["regOTT"]
            let again = try await client.put("/rps/user/\(mpinID)", body)
            #expect(again.status == 200 && again.object.string("mpinId") == mpinID)
            #expect(try await backend.mails().count == 2)
            // A forgotten registration is a new one, and needs a new session.
            backend.clock.advance(by: Registration.lifetime)
            #expect(try await client.put("/rps/user/\(mpinID)", body).status == 406)
        }
    }

    @Test func theSessionTellsWhoseCustomerAsks() async throws {
        try await withPlatform { backend in
            let client = backend.client
            let (accessCode, webOTT) = try await client.newQRSession()
            let details = try await client.post(
                "/rps/codeStatus", ["status": "wid", "wid": .string(accessCode)]
            ).object
            #expect(details.string("prerollId") == "" && details.string("appName") == "login-kiosk demonstration")
            #expect(details.string("customerId") == Self.companyID)
            #expect(details.string("customerName") == "login-kiosk demonstration")
            #expect(details.string("customerLogoURL")?.hasSuffix("/logo.svg") == true)
            // An unknown code is noticed only at the end of a login.
            let unknown = try await client.post("/rps/codeStatus", ["status": "user", "wid": "x", "userId": "a"])
            #expect(unknown.status == 200 && unknown.object.string("status") == "OK")
            let aborted = try await client.post("/rps/codeStatus", ["status": "abort", "wid": .string(accessCode)])
            #expect(aborted.object.string("message") == "")
            #expect(try await client.access(webOTT).string("status") == "abort")
        }
    }

    @Test func aDeviceLogsABrowserIn() async throws {
        try await withPlatform { backend in
            let device = try await registered("alice@example.com", at: backend)
            let browser = Browser(backend)
            _ = try await browser.get("/")
            let authOTT = try await authOTT(of: device, accessCode: try await browser.accessCode())
            async let final = backend.client.post("/rps/authenticate", finalBody(authOTT))
            #expect(try await browser.waitForLogin() == "alice@example.com")
            let reply = try await final
            #expect(reply.status == 200)
            #expect(reply.object.members == ["status": 200, "message": "OK", "code": ""])
            #expect(try await browser.get("/protected").status == 200)
        }
    }

    @Test func aDeviceLogsItselfInAndCountsWrongPINs() async throws {
        try await withPlatform { backend in
            let device = try await registered("alice@example.com", at: backend)
            let reply = try await backend.client.post(
                "/rps/authenticate", finalBody(try await authOTT(of: device)))
            #expect(reply.status == 200)
            #expect(reply.object.members == ["status": 200, "message": "OK", "code": ""])
            for status in [401, 401, 410] {
                let body = finalBody(try await authOTT(of: device, pin: "9999"))
                #expect(try await backend.client.post("/rps/authenticate", body).status == status)
                backend.clock.letDelaysPass()
            }
            let right = finalBody(try await authOTT(of: device))
            #expect(try await backend.client.post("/rps/authenticate", right).status == 410)
        }
    }

    @Test func anAuthOTTCountsOnce() async throws {
        try await withPlatform { backend in
            let device = try await registered("alice@example.com", at: backend)
            let body = finalBody(try await authOTT(of: device))
            #expect(try await backend.client.post("/rps/authenticate", body).status == 200)
            #expect(try await backend.client.post("/rps/authenticate", body).status == 412)
            #expect(try await backend.client.post("/mpinAuthenticate", body).status == 408)
        }
    }

    @Test func aOneTimePasswordComesWithItsLifetime() async throws {
        try await withPlatform { backend in
            let device = try await registered("alice@example.com", at: backend)
            let second = try await device.passes(pin: "1234", otp: true, permit: nil)
            #expect(second.object.string("OTP")?.count == 6)
            let final = try await backend.client.post(
                "/rps/authenticate", finalBody(second.object.string("authOTT") ?? ""))
            #expect(final.object.integer("ttlSeconds") == 60)
            #expect(final.object.integer("nowTime") == backend.clock.now.milliseconds)
            #expect(final.object.integer("expireTime") == backend.clock.now.milliseconds + 60_000)
        }
    }

    @Test func anAuthorizationCodeTellsTheApplicationsServerWhoLoggedIn() async throws {
        try await withPlatform { backend in
            let device = try await registered("alice@example.com", at: backend)
            func code() async throws -> String {
                let body = finalBody(try await authOTT(of: device), wantsCode: true)
                return try #require(try await backend.client.post("/rps/authenticate", body).object.string("code"))
            }
            func redeem(_ code: String, as userID: String) async throws -> Int {
                try await backend.client.post(
                    "/authtoken", ["code": .string(code), "userID": .string(userID)]
                ).status
            }
            let first = try await code()
            #expect(OneTimeToken(first) != nil)
            #expect(try await redeem(first, as: "alice@example.com") == 200)
            #expect(try await redeem(first, as: "alice@example.com") == 401)
            #expect(try await redeem(try await code(), as: "mallory@example.com") == 401)
            let late = try await code()
            backend.clock.advance(by: PendingLogin.lifetime)
            #expect(try await redeem(late, as: "alice@example.com") == 401)
            #expect(try await redeem("", as: "alice@example.com") == 401)
            #expect(try await redeem(String(repeating: "0", count: 32), as: "alice@example.com") == 401)
            #expect(try await backend.client.post("/authtoken", ["code": .string(late)]).status == 400)
            #expect(try await backend.client.post("/authtoken", [:]).status == 400)
        }
    }

    @Test func aRevokedIdentityGetsNothing() async throws {
        try await withPlatform { backend in
            let device = try await registered("alice@example.com", at: backend)
            let state = try BackendState(directory: backend.state.path, clock: backend.clock)
            #expect(try await state.revoke(userID: "alice@example.com") == 1)
            let body = finalBody(try await authOTT(of: device), wantsCode: true)
            let final = try await backend.client.post("/rps/authenticate", body)
            #expect(final.status == 410 && final.object.string("code") == nil)
        }
    }

    /// In the classic dialects a plain login ends at the web site.
    @Test(arguments: [Dialect.milagro, .milagroWithoutPermits])
    func elsewhereAPlainLoginDoesNotEndAtTheRPS(_ dialect: Dialect) async throws {
        try await withBackend(options: ["--dialect", dialect.rawValue]) { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let permit = dialect == .milagro ? try await device.permit() : nil
            let second = try await device.passes(pin: "1234", permit: permit)
            let body = finalBody(second.object.string("authOTT") ?? "", wantsCode: true)
            #expect(try await backend.client.post("/rps/authenticate", body).status == 412)
        }
    }

    private func withPlatform(_ body: @escaping @Sendable (RunningBackend) async throws -> Void) async throws {
        try await withBackend(options: ["--dialect", "mfa-v1", "--company-id", Self.companyID]) { backend in
            try await body(try backend.identified(as: Self.companyID))
        }
    }

    private func registered(_ userID: String, at backend: RunningBackend) async throws -> Device {
        let (accessCode, _) = try await backend.client.newQRSession()
        return try await Device.registered(userID, pin: "1234", accessCode: accessCode, at: backend)
    }

    private func authOTT(of device: Device, pin: String = "1234", accessCode: String = "0") async throws -> String {
        let second = try await device.passes(pin: pin, accessCode: accessCode, permit: nil)
        try #require(second.status == 200)
        return try #require(second.object.string("authOTT"))
    }

    private func finalBody(_ authOTT: String, wantsCode: Bool = false) -> [String: JSONValue] {
        ["mpinResponse": .object(["authOTT": .string(authOTT)]), "authzRequest": .boolean(wantsCode)]
    }
}
