// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import Testing

@testable import BackendDatabases
@testable import MPinServer
@testable import ReferenceBackend

/// The recorded requests of the classic C++ client, with the values of the present exchange.
@Suite struct ClassicClientTests {
    static let userID = "alice@example.com"

    static func registered(at backend: RunningBackend, pin: String = "1234") async throws -> ClassicClient {
        var client = try await ClassicClient(at: backend)
        try await client.startRegistration(userID)
        try await backend.confirmNewestMail()
        try await client.finishRegistration(pin: pin)
        return client
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

    @Test func registersAndLogsIn() async throws {
        try await withBackend { backend in
            var client = try await ClassicClient(at: backend)
            try await client.startRegistration(Self.userID)
            let (mpinIDHex, regOTT) = (client.mpinIDHex, client.regOTT)
            #expect(try await client.firstShare().status == 401)
            try await client.restartRegistration(Self.userID)
            #expect(client.mpinIDHex == mpinIDHex && client.regOTT == regOTT)
            try await backend.confirmNewestMail()
            try await client.finishRegistration(pin: "1071")
            #expect(try await client.firstShare().status == 400)
            // This client reads the second PIN as the first.
            for pin in ["1071", "0009"] {
                let reply = try await client.logIn(pin: pin)
                #expect(reply.status == 200)
                #expect(reply.object.string("userId") == Self.userID)
            }
            #expect(try await client.logIn(pin: "1234").status == 401)
            backend.clock.letDelaysPass()
            #expect(try await client.logIn(pin: "1071").status == 200)
        }
    }

    @Test func threeWrongPINsBlock() async throws {
        try await withBackend { backend in
            var client = try await Self.registered(at: backend)
            var statuses: [Int] = []
            for pin in ["9999", "1", "", "1234"] {
                statuses.append(try await client.logIn(pin: pin).status)
                backend.clock.letDelaysPass()
            }
            #expect(statuses == [401, 401, 410, 410])
        }
    }

    @Test func logsABrowserInByCodeAndOutAgain() async throws {
        try await withBackend { backend in
            var client = try await Self.registered(at: backend)
            let (accessCode, webOTT) = try await backend.client.newQRSession()
            // The classic client reads only these spellings.
            let details = try await client.sessionDetails(accessCode)
            #expect(details.status == 200)
            for key in ["prerollId", "appName", "appLogoURL"] { #expect(details.object.string(key) != nil, "\(key)") }
            #expect(try await backend.client.access(webOTT).string("status") == "wid")
            #expect(try await client.announce(Self.userID, for: accessCode).status == 200)
            #expect(try await backend.client.access(webOTT).string("userId") == Self.userID)

            async let browser = Self.follow(webOTT, backend)
            let reply = try await client.logInBrowser(pin: "1234", accessCode: accessCode)
            #expect(reply.status == 200)
            #expect(try await browser.get("/protected").status == 200)
            #expect(try await client.logOut(after: reply) == 200)
            #expect(try await browser.get("/protected").status == 401)
            #expect(try await client.logInBrowser(pin: "1234", accessCode: accessCode).status == 412)
        }
    }

    @Test func logsABrowserInByAccessNumber() async throws {
        try await withBackend { backend in
            var client = try await Self.registered(at: backend, pin: "any text")
            let session = try await backend.client.post("/rps/getAccessNumber", [:]).object
            let number = try #require(session.string("accessNumber"))
            let webOTT = try #require(session.string("webOTT"))
            async let browser = Self.follow(webOTT, backend)
            #expect(try await client.logInBrowser(pin: "any text", accessCode: number).status == 200)
            #expect(try await browser.get("/protected").status == 200)
        }
    }

    @Test func showsAOneTimePassword() async throws {
        try await withBackend { backend in
            var client = try await Self.registered(at: backend)
            let reply = try await client.logIn(pin: "1234", otp: true)
            #expect(reply.status == 200)
            for key in ["ttlSeconds", "expireTime", "nowTime"] {
                #expect(try #require(reply.object.integer(key)) > 0, "\(key)")
            }
        }
    }

    @Test func hearsOfARevocation() async throws {
        try await withBackend { backend in
            let client = try await Self.registered(at: backend)
            let state = try BackendState(directory: backend.state.path)
            _ = try await state.revoke(userID: Self.userID)
            let path = try client.path("timePermitsURL")
            #expect(try await client.get(path + "/" + client.mpinIDHex).status == 410)
        }
    }

    @Test func isRefusedWhenItMayNotRegister() async throws {
        try await withBackend(admitting: ["@example.org"]) { backend in
            let client = try await ClassicClient(at: backend)
            let reply = try await client.send(
                "PUT", try client.path("registerURL"),
                "{\n\t\"userId\" : \"\(Self.userID)\",\n\t\"mobile\" : 1\n}")
            #expect(reply.status == 403)
        }
    }
}
