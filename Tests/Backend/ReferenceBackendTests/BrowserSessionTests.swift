// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto
import Patience
import Testing

@testable import BackendHTTP
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// Logins by code with a missing part.
@Suite struct BrowserSessionTests {
    @Test func theDeviceWaitsTenSecondsForTheBrowser() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let (accessCode, webOTT) = try await backend.client.newQRSession()
            async let final = device.logInBrowser(pin: "1234", accessCode: accessCode)
            try await backend.clock.waitForSleeper()
            let access = try await backend.client.access(webOTT)
            #expect(access.string("status") == "authenticate")
            backend.clock.advance(by: .seconds(10))
            #expect(try await final.status == 408)
            // The browser is too late as well, so both sides know the same.
            #expect(try await backend.client.access(webOTT).string("status") == "expired")
            let late = try await backend.client.post(
                "/mpinAuthenticate", ["mpinResponse": .object(["authOTT": .string(access.string("authOTT") ?? "")])])
            #expect(late.status == 408)
        }
    }

    /// A server that stops releases its devices early. Then no browser is logged in any more.
    @Test(arguments: StorageUnderTest.allCases)
    func noBrowserIsLoggedInWithoutADevice(_ kind: StorageUnderTest) async throws {
        let (state, now) = (TemporaryFolder(), WallTime(seconds: 1000))
        let sessions = try LoginSessions(in: kind.open(in: state).volatile)
        let (device, browser) = (try OneTimeToken.random(), try OneTimeToken.random())
        let code = try await sessions.open(until: now + .seconds(60), now: now).accessCode
        func change(_ body: @escaping @Sendable (inout LoginSession) -> Bool) async throws -> Bool {
            try await sessions.update(code, now: now) { body(&$0.value) } ?? false
        }
        func admit(_ token: OneTimeToken, at now: WallTime) async throws -> Bool {
            try await change { $0.admit(token, offersLogout: true, now: now) }
        }
        func prove(_ authOTT: OneTimeToken) async throws -> Bool {
            try await change { $0.prove("alice", waiting: authOTT, until: now + .seconds(10)) }
        }
        #expect(try await !admit(browser, at: now))
        #expect(try await prove(device))
        #expect(try await !prove(.random()))
        // In time, once for the same browser, and for no other.
        #expect(try await !admit(browser, at: now + .seconds(10)))
        for _ in 0..<2 { #expect(try await admit(browser, at: now)) }
        #expect(try await !admit(.random(), at: now))
        #expect(try await !change { $0.end(waiting: device) })
        #expect(try await sessions.value(for: code, now: now)?.browser == browser)
        let other = try await sessions.open(until: now + .seconds(60), now: now).accessCode
        let results = try await sessions.update(other, now: now) { entry in
            [
                entry.value.prove("alice", waiting: device, until: now + .seconds(10)),
                // The wait of another device.
                entry.value.end(waiting: browser),
                entry.value.end(waiting: device),
                entry.value.admit(browser, offersLogout: true, now: now),
            ]
        }
        #expect(results == [true, false, true, false])
        #expect(try await sessions.value(for: other, now: now) == nil)
    }

    /// Without room for its browser a login begins again. What the next device does says nothing about the first.
    @Test func aLoginWithoutRoomIsOpenAgain() throws {
        let now = WallTime(seconds: 1000)
        let (first, second, browser) = (try OneTimeToken.random(), try OneTimeToken.random(), try OneTimeToken.random())
        var session = LoginSession()
        _ = session.prove("alice", waiting: first, until: now + .seconds(10))
        session.reopen()
        #expect(session.status == .named && session.isOpenForLogin)
        _ = session.prove("bob", waiting: second, until: now + .seconds(10))
        #expect(!session.isWaiting(first) && session.isWaiting(second))
        let isAdmitted = session.admit(browser, offersLogout: true, now: now)
        #expect(isAdmitted && session.userID == "bob" && session.waiting == second)
        // No device waits at the platform: its page asks until there is room.
        var platform = LoginSession()
        _ = platform.prove("alice")
        platform.reopen()
        #expect(platform.isAdmissible(at: now))
    }

    /// With two processes if possible, each of which knows what it last read.
    @Test(arguments: StorageUnderTest.allCases)
    func whatADeviceSaysUndoesNothing(_ kind: StorageUnderTest) async throws {
        let (state, now) = (TemporaryFolder(), WallTime(seconds: 1000))
        let storage = try kind.open(in: state).volatile
        let one = try LoginSessions(in: storage)
        let two = kind == .postgreSQL ? try LoginSessions(in: storage) : one
        let end = now + .seconds(60)
        let code = try await one.open(until: end, now: now).accessCode
        #expect(try await one.report(.scanned, of: "", to: code, now: now) != nil)
        #expect(try await two.report(.named, of: "alice", to: code, now: now) != nil)
        #expect(try await one.value(for: code, now: now)?.userID == "alice")
        #expect(try await one.report(.declined, of: "", to: code, now: now) != nil)
        #expect(try await two.value(for: code, now: now)?.status == .declined)
        for isScanned in [true, false] {
            let code = try await two.open(until: end, now: now).accessCode
            if isScanned { #expect(try await one.report(.scanned, of: "", to: code, now: now) != nil) }
            #expect(try await two.update(code, now: now) { $0.value.prove("alice") } == true)
            #expect(try await one.report(.scanned, of: "", to: code, now: now) == nil)
            #expect(try await one.value(for: code, now: now)?.status == .proved)
        }
        let numbers = [AccessNumbers(at: "endpoint", in: storage), AccessNumbers(at: "endpoint", in: storage)]
        func add(_ number: String, _ numbers: AccessNumbers) async throws -> Bool {
            try await numbers.add(number, for: code, until: end, keptUntil: end, now: now)
        }
        #expect(try await add("1234567", numbers[0]))
        #expect(try await !add("1234567", numbers[1]))
        #expect(try await add("7654321", numbers[1]))
        #expect(try await numbers[0].accessCode(of: "7654321", now: now) == code)
    }

    /// There are few numbers, so a number is free again after its login.
    @Test func aNumberIsUsedUp() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let offer = try await backend.client.post("/rps/getAccessNumber", [:]).object
            let number = try #require(offer.string("accessNumber"))
            async let final = device.logInBrowser(pin: "1234", accessCode: number)
            let webOTT = try #require(offer.string("webOTT"))
            var access = try await backend.client.access(webOTT)
            while access.string("status") != "authenticate" { access = try await backend.client.access(webOTT) }
            let login = try await backend.client.post(
                "/mpinAuthenticate", ["mpinResponse": .object(["authOTT": .string(access.string("authOTT") ?? "")])])
            #expect(login.status == 200)
            #expect(try await final.status == 200)
            let numbers = backend.backend.classicSites[0].rps.numbers
            #expect(try await numbers.accessCode(of: number, now: backend.clock.now) == nil)
        }
    }

    @Test func anUnknownCodeLeadsNowhere() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            for code in ["1234567", "00000000000000000000000000000000", "", "x"] {
                #expect(try await device.logInBrowser(pin: "1234", accessCode: code).status == 412)
            }
        }
    }

    @Test func aCodeExpires() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let (accessCode, webOTT) = try await backend.client.newQRSession()
            let browser = try await Browser.opened(backend)
            backend.clock.advance(by: LoginSession.lifetime + LoginSession.grace)
            #expect(try await backend.client.access(webOTT).string("status") == "expired")
            #expect(try await device.logInBrowser(pin: "1234", accessCode: accessCode).status == 412)
            #expect(try await browser.session() == ["expired", ""])
            #expect(try await browser.get("/qr.png").status == 404)
            // Opening the page again makes a new code.
            _ = try await browser.get("/")
            #expect(try await browser.session() == ["new", ""])
        }
    }

    @Test func aCodeIsUsedOnce() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let browser = try await Browser.opened(backend)
            let accessCode = try await browser.accessCode()
            async let final = device.logInBrowser(pin: "1234", accessCode: accessCode)
            #expect(try await browser.waitForLogin() == "alice@example.com")
            #expect(try await final.status == 200)
            #expect(try await device.logInBrowser(pin: "1234", accessCode: accessCode).status == 412)
        }
    }

    @Test func onlyTheDevicePresentsTheTokenOfABrowserSession() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let (accessCode, _) = try await backend.client.newQRSession()
            let permit = try await device.permit()
            let body = try await device.passes(accessCode: accessCode, permit: permit)
            #expect(try await backend.client.post("/mpinAuthenticate", body).status == 408)
            let plainBody = try await device.passes(permit: permit)
            #expect(try await backend.client.post("/rps/authenticate", plainBody).status == 412)
        }
    }

    @Test(arguments: ["authenticate", "new", "expired", "signed", "", "WID"])
    func aDeviceCannotClaimAnotherStatus(_ status: String) async throws {
        try await withBackend { backend in
            let (accessCode, webOTT) = try await backend.client.newQRSession()
            let reply = try await backend.client.post(
                "/rps/codeStatus", ["status": .string(status), "wid": .string(accessCode)])
            #expect(reply.status == 400)
            #expect(try await backend.client.access(webOTT).string("status") == "new")
        }
    }

    @Test func aStoppingBackendLetsNoDeviceWait() async throws {
        let waiting = try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let (accessCode, _) = try await backend.client.newQRSession()
            let waiting = Task { try await device.logInBrowser(pin: "1234", accessCode: accessCode) }
            try await backend.clock.waitForSleeper()
            return waiting
        }
        // The clock never moves, so only the shutdown can have ended the wait.
        #expect(try await waiting.value.status == 408)
    }

    @Test func theCookieChangesWithTheLogin() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let page = try await backend.client.get("/")
            let set = try #require(page.headers[.setCookie])
            #expect(set.contains("HttpOnly") && set.contains("SameSite=Lax") && !set.contains("Secure"))
            let planted = String(set.split(separator: ";")[0])
            let cookie = try #require(planted.split(separator: "=").last.flatMap { BrowserCookie($0) })
            let attempt = backend.backend.classicSites[0].browsers.attempt(of: cookie)
            let accessCode = try #require(attempt?.qrText.split(separator: "#").last.map(String.init))
            async let final = device.logInBrowser(pin: "1234", accessCode: accessCode)
            var poll = try await backend.client.get("/session", headers: [.cookie: planted])
            while poll.object.string("state") != "authenticated" {
                poll = try await backend.client.get("/session", headers: [.cookie: planted])
            }
            #expect(try await final.status == 200)
            let fresh = try #require(poll.headers[.setCookie]).split(separator: ";")[0]
            #expect(fresh != planted[...])
            #expect(try await backend.client.get("/protected", headers: [.cookie: planted]).status == 401)
            #expect(try await backend.client.get("/protected", headers: [.cookie: String(fresh)]).status == 200)
        }
    }

    @Test func theQRTextIsThePublicURLAndTheCode() async throws {
        try await withBackend(options: ["--public-url", "https://login.example.com//"]) { backend in
            let url = try await backend.client.post("/rps/getQrUrl", [:]).object.string("qrUrl")
            let parts = try #require(url).split(separator: "#")
            #expect(parts[0] == "https://login.example.com")
            #expect(OneTimeToken(parts[1]) != nil)
            let service = try await backend.client.get("/service").object
            #expect(service.string("url") == "https://login.example.com")
            #expect(service.string("type") == "online")
            let settings = try await backend.client.get("/rps/clientSettings").object
            #expect(settings.string("certivoxURL") == "https://login.example.com/dta/")
            #expect(try await backend.client.get("/").headers[.setCookie]?.contains("Secure") == true)
        }
    }
}

extension LoginSessions {
    /// Sessions of a site without places.
    init(in storage: any VolatileStorage) throws {
        let networks = NetworkPlaces([], refusesOthers: false, key: try storage.key(for: "networks"))
        try self.init("sessions", remainder: .zero, networks: networks, in: storage)
    }
}
