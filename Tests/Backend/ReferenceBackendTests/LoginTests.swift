// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import HTTPTypes
import MPinCrypto
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// Classic logins as transcripts of a whole exchange, by a device of these tests and by the C++ client.
@Suite struct LoginTests {
    static func registered(_ program: Wire.Program, pin: String = "1234", at backend: RunningBackend) async throws
        -> Device
    {
        try await Device.registered(
            .milagro, Device.userID, pin: pin, code: nil, over: Wire(backend: backend, program: program))
    }

    /// Polls and presents the authOTT, like a browser with the classic page.
    static func follow(_ webOTT: String, _ backend: RunningBackend) async throws -> Browser {
        var access = try await backend.client.access(webOTT)
        while access.string("status") != "authenticate" {
            try #require(access.string("status") != "expired")
            access = try await backend.client.access(webOTT)
        }
        let browser = Browser(backend)
        let reply = try await browser.post(
            "/mpinAuthenticate", ["mpinResponse": .object(["authOTT": .string(access.string("authOTT") ?? "")])])
        #expect(reply.status == 200)
        return browser
    }

    @Test(arguments: [Wire.Program.own, .classic])
    func aDeviceLogsTheBrowserInAndOut(_ program: Wire.Program) async throws {
        try await withBackend { backend in
            let device = try await Self.registered(program, at: backend)
            let (accessCode, webOTT) = try await device.newSession()
            #expect(try await device.access(webOTT).string("status") == "new")
            // The classic client reads only these spellings.
            let details = try await device.report("wid", accessCode: accessCode).object
            for key in ["prerollId", "appName", "appLogoURL"] { #expect(details.string(key) != nil, "\(key)") }
            #expect(details.string("AppName") == details.string("appName"))
            #expect(details.string("appName") == "login-kiosk demonstration")
            #expect(try await device.access(webOTT).string("status") == "wid")
            #expect(try await device.report("user", accessCode: accessCode, userID: Device.userID).status == 200)
            #expect(try await device.access(webOTT).string("userId") == Device.userID)

            async let page = Self.follow(webOTT, backend)
            let released = try await device.logInBrowser(accessCode: accessCode)
            #expect(released.status == 200)
            let browser = try await page
            #expect(try await device.access(webOTT).string("status") == "expired")
            #expect(try await browser.get("/protected").status == 200)
            #expect(try await device.logIn(accessCode) == 412)

            // The device can log the browser out, with its own data only.
            let data = try #require(released.object.object("logoutData")).members
            let path = try #require(released.object.string("logoutURL"))
            let forged = data.merging(["userId": "mallory@example.com"]) { $1 }
            #expect(try await device.wire.send(.post, path, forged).status == 400)
            #expect(try await browser.get("/protected").status == 200)
            #expect(try await device.wire.send(.post, path, data).status == 200)
            #expect(try await browser.get("/protected").status == 401)
        }
    }

    @Test(arguments: [Wire.Program.own, .classic])
    func anAccessNumberWorksLikeACode(_ program: Wire.Program) async throws {
        try await withBackend { backend in
            // The classic client makes a PIN of any text.
            let pin = program == .classic ? "any text" : "2583"
            let device = try await Self.registered(program, pin: pin, at: backend)
            let session = try await backend.client.post("/rps/getAccessNumber", [:]).object
            let number = try #require(session.string("accessNumber"))
            async let browser = Self.follow(try #require(session.string("webOTT")), backend)
            #expect(try await device.logIn(number, pin: pin) == 200)
            #expect(try await browser.get("/protected").status == 200)
        }
    }

    @Test func aUserIDNeedNotBeASCII() async throws {
        try await withBackend { backend in
            let userID = "zoë \u{1F600}@exämple.com"
            let device = try await Device.registered(.milagro, as: userID, at: backend)
            #expect(device.mpinID.bytes.allSatisfy { $0 < 0x80 })
            #expect(MPinIDText.userID(in: device.mpinID) == userID)
            #expect(try await device.logIn().object.string("userId") == userID)
        }
    }
}
