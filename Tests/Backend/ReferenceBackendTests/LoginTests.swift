// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import MPinCrypto
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// Registration and login as transcripts of a whole exchange.
@Suite struct LoginTests {
    @Test func aRegisteredDeviceLogsIn() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let reply = try await device.logIn(pin: "1234")
            #expect(reply.status == 200)
            #expect(reply.object.string("userId") == "alice@example.com")
        }
    }

    @Test func aDeviceLogsTheBrowserIn() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("bob@example.com", pin: "4711", at: backend)
            let client = backend.client
            let (accessCode, webOTT) = try await client.newQRSession()
            #expect(try await client.access(webOTT).string("status") == "new")
            let details = try await device.report("wid", accessCode: accessCode).object
            #expect(details.string("AppName") == details.string("appName"))
            #expect(details.string("appName") == "login-kiosk demonstration")
            #expect(try await client.access(webOTT).string("status") == "wid")
            _ = try await device.report("user", accessCode: accessCode, userID: "bob@example.com")
            #expect(try await client.access(webOTT).string("userId") == "bob@example.com")

            async let final = device.logInBrowser(pin: "4711", accessCode: accessCode)
            var access = try await client.access(webOTT)
            while access.string("status") == "user" { access = try await client.access(webOTT) }
            #expect(access.string("status") == "authenticate")
            let browser = Browser(backend)
            let authOTT = try #require(access.string("authOTT"))
            let verdict = try await browser.post(
                "/mpinAuthenticate", ["mpinResponse": .object(["authOTT": .string(authOTT)])])
            #expect(verdict.status == 200)
            let released = try await final
            #expect(released.status == 200)
            #expect(released.object.string("logoutURL") == "/logout")
            #expect(try await client.access(webOTT).string("status") == "expired")
            #expect(try await browser.get("/protected").text.contains("Hello, <strong id=\"user\">bob@example.com"))

            // The device can log the browser out, with its own data only.
            let data = try #require(released.object.object("logoutData"))
            var forged = data.members
            forged["userId"] = "mallory@example.com"
            #expect(try await client.post("/logout", forged).status == 400)
            #expect(try await browser.get("/protected").status == 200)
            #expect(try await client.post("/logout", data.members).status == 200)
            #expect(try await browser.get("/protected").status == 401)
        }
    }

    @Test func theLoginPageFollowsTheDevice() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("carol@example.com", pin: "0815", at: backend)
            let browser = Browser(backend)
            let page = try await browser.get("/")
            #expect(page.status == 200)
            #expect(page.text.contains("<img id=\"qr\" src=\"/qr.png?"))
            #expect(try await browser.session() == ["new", ""])
            let picture = try await browser.get("/qr.png?1")
            #expect(picture.status == 200)
            #expect(picture.body.starts(with: [0x89, 0x50, 0x4e, 0x47]))
            let accessCode = try await browser.accessCode()
            _ = try await device.report("wid", accessCode: accessCode)
            #expect(try await browser.session() == ["scanned", ""])
            _ = try await device.report("user", accessCode: accessCode, userID: "carol@example.com")
            #expect(try await browser.session() == ["user", "carol@example.com"])
            _ = try await device.report("abort", accessCode: accessCode)
            #expect(try await browser.session() == ["new", ""])

            async let final = device.logInBrowser(pin: "0815", accessCode: accessCode)
            #expect(try await browser.waitForLogin() == "carol@example.com")
            #expect(try await final.status == 200)
            #expect(try await browser.get("/protected").status == 200)
            #expect(try await browser.get("/").text.contains("carol@example.com"))
            // Opening the address changes nothing, but the page's button logs out.
            let question = try await browser.get("/logout")
            #expect(question.status == 200 && question.text.contains("action=\"/logout\""))
            #expect(try await browser.get("/protected").status == 200)
            #expect(try await browser.submit("/logout", [], origin: "https://evil.example").status == 403)
            #expect(try await browser.get("/protected").status == 200)
            #expect(try await browser.submit("/logout", []).status == 303)
            #expect(try await browser.get("/protected").status == 401)
        }
    }

    @Test func anAccessNumberWorksLikeACode() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("dora@example.com", pin: "2583", at: backend)
            let session = try await backend.client.post("/rps/getAccessNumber", [:]).object
            let number = try #require(session.string("accessNumber"))
            let webOTT = try #require(session.string("webOTT"))
            async let final = device.logInBrowser(pin: "2583", accessCode: number)
            var access = try await backend.client.access(webOTT)
            while access.string("status") == "new" { access = try await backend.client.access(webOTT) }
            let verdict = try await backend.client.post(
                "/mpinAuthenticate", ["mpinResponse": .object(["authOTT": .string(access.string("authOTT") ?? "")])])
            #expect(verdict.status == 200)
            #expect(try await final.status == 200)
        }
    }

    @Test func aUserIDNeedNotBeASCII() async throws {
        try await withBackend { backend in
            let userID = "zoë \u{1F600}@exämple.com"
            let device = try await Device.registered(userID, pin: "7777", at: backend)
            let bytes = device.mpinID.bytes
            #expect(bytes.allSatisfy { $0 < 0x80 })
            #expect(MPinIDText.userID(in: device.mpinID) == userID)
            #expect(try await device.logIn(pin: "7777").object.string("userId") == userID)
        }
    }

    @Test func aOneTimePasswordComesWithItsLifetime() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("erin@example.com", pin: "1111", at: backend)
            let second = try await device.passes(pin: "1111", otp: true, permit: try await device.permit())
            let otp = try #require(second.object.string("OTP"))
            #expect(otp.count == 6)
            let final = try await backend.client.post(
                "/mpinAuthenticate", ["mpinResponse": .object(second.object.members)])
            #expect(final.object.integer("ttlSeconds") == 60)
            #expect(final.object.integer("nowTime") == backend.clock.now.milliseconds)
        }
    }
}
