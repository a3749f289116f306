// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import MPinCrypto
import Testing

@testable import ReferenceBackend

/// The operator's page as transcripts of a browser.
@Suite struct OperatorPageTests {
    private static let hostile = #"<script>alert("1")</script>'&@example.com"#
    private static let escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;@example.com"

    @Test func thePasswordIsMadeAtTheFirstStart() async throws {
        try await withBackend { backend in
            let path = backend.state.path + "/operator-password"
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let password = try BackendState.operatorPassword(inDirectory: backend.state.path)
            #expect(password.utf8.count == 29 && password.split(separator: "-").count == 6)
            #expect(try BackendState.operatorPassword(inDirectory: backend.state.path) == password)
            #expect(try BackendState.operatorPassword(inDirectory: TemporaryFolder().path) != password)
        }
    }

    @Test func nothingIsShownWithoutThePassword() async throws {
        try await withBackend { backend in
            _ = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let browser = Browser(backend)
            let page = try await browser.get("/operator")
            #expect(page.status == 200 && page.text.contains("type=\"password\"") && !page.text.contains("alice"))
            let wrong = try await browser.submit("/operator/login", [("password", "wrong")])
            #expect(wrong.status == 401 && wrong.headers[.setCookie] == nil)
            #expect(wrong.headers[.wwwAuthenticate] == nil)
            let fields = [("action", "revoke"), ("user", "alice@example.com"), ("identity", "x")]
            #expect(try await browser.submit("/operator/identities", fields).status == 401)
            #expect(try await browser.submit("/operator/logout", []).status == 401)
        }
    }

    @Test func anOperatorLogsInAndOut() async throws {
        try await withBackend { backend in
            _ = try await Device.registered(Self.hostile, pin: "1234", at: backend)
            let browser = Browser(backend)
            let set = try #require(try await Self.logIn(browser, at: backend).headers[.setCookie])
            for word in ["HttpOnly", "SameSite=Strict", "Path=/operator"] { #expect(set.contains(word)) }
            let page = try await browser.get("/operator")
            #expect(page.text.contains(Self.escaped) && !page.text.contains("<script"))
            let token = try Self.formToken(page)
            #expect(try await browser.submit("/operator/logout", [("token", token)]).status == 303)
            #expect(try await browser.get("/operator").text.contains("type=\"password\""))
        }
    }

    @Test func aSessionEnds() async throws {
        try await withBackend { backend in
            let browser = Browser(backend)
            _ = try await Self.logIn(browser, at: backend)
            #expect(try await browser.get("/operator").text.contains("<h1>Identities"))
            backend.clock.advance(by: .seconds(3600))
            #expect(try await browser.get("/operator").text.contains("<h1>Operator"))
            // A new password ends all sessions and counts at once.
            _ = try await Self.logIn(browser, at: backend)
            let old = try BackendState.operatorPassword(inDirectory: backend.state.path)
            let new = try BackendState.operatorPassword(inDirectory: backend.state.path, renewing: true)
            #expect(try await browser.get("/operator").text.contains("<h1>Operator"))
            #expect(try await browser.submit("/operator/login", [("password", old)]).status == 401)
            // People copy a line with its end.
            #expect(try await browser.submit("/operator/login", [("password", new + "\n")]).status == 303)
        }
    }

    /// What each button does, and that it is there only where it does something.
    @Test func anOperatorActsOnOneIdentity() async throws {
        try await AnyDevice.withPlace(.trust2025) { place in
            let device = try await AnyDevice.registered(.trust2025, at: place)
            let backend = place.below("")
            _ = try await AnyDevice.registered(.mfaV2, at: place.below("/mfa-v2"))
            let state = try BackendState(directory: place.state.path, clock: place.clock)
            #expect(try await state.users().count == 2)
            let browser = Browser(backend)
            _ = try await Self.logIn(browser, at: backend)
            guard case .trust(let trusted) = device else { return }
            let fingerprint = MPinID(try #require(Hexadecimal.bytes(trusted.mpinIDHex))).fingerprint
            func row() async throws -> String {
                let text = try await browser.get("/operator").text
                let rows = text.replacing("</tr>", with: "<tr>").split(separator: "<tr>").map(String.init)
                return try #require(rows.first { $0.contains(fingerprint) })
            }
            func act(_ action: String) async throws -> Reply {
                let token = try Self.formToken(try await browser.get("/operator"))
                return try await browser.submit(
                    "/operator/identities",
                    [
                        ("token", token), ("user", AnyDevice.userID), ("identity", fingerprint), ("page", "1"),
                        ("action", action),
                    ])
            }
            #expect(try await !row().contains("value=\"unblock\""))
            for _ in 1...3 {
                let (accessID, _) = try await trusted.project.session()
                _ = try await device.logIn(accessID, pin: "9999")
                place.clock.advance(by: VerdictTests.enough)
            }
            let blocked = try await row()
            #expect(blocked.contains("<td>blocked</td>") && blocked.contains("<td>3</td>"))
            #expect(blocked.contains("value=\"unblock\"") && !blocked.contains("value=\"renew\""))
            let done = try await act("unblock")
            #expect(done.headers[.location] == "/operator?page=1&done=unblock")
            #expect(try await browser.follow(done).text.contains("wrong PINs are forgotten"))
            _ = try await act("renew")
            let renewing = try await row()
            #expect(renewing.contains("registered, to be renewed") && !renewing.contains("value=\"renew\""))
            let (accessID, _) = try await trusted.project.session()
            let login = try await trusted.authenticate(pin: "1234", accessID: accessID)
            #expect(login.status == 200 && login.object.object("dvsRegister") != nil)
            _ = try await act("revoke")
            let revoked = try await row()
            #expect(revoked.contains("<td>revoked</td>") && !revoked.contains("<button"))
            // The other identity of the same user is as it was.
            #expect(try await state.users().map(\.status.rawValue).sorted() == ["registered", "revoked"])
            for action in ["", "delete"] { #expect(try await act(action).status == 400) }
        }
    }

    @Test func anOperatorConfirmsARegistration() async throws {
        try await withBackend { backend in
            let started = try await backend.client.put("/rps/user", ["userId": "alice@example.com", "mobile": 1]).object
            let mpinID = try #require(started.string("mpinId"))
            let regOTT = try #require(started.string("regOTT"))
            let browser = Browser(backend)
            _ = try await Self.logIn(browser, at: backend)
            let page = try await browser.get("/operator")
            #expect(page.text.contains("<td>unconfirmed</td>"))
            let fingerprint = MPinID(try #require(Hexadecimal.bytes(mpinID))).fingerprint
            let fields = [
                ("token", try Self.formToken(page)), ("user", "alice@example.com"), ("identity", fingerprint),
                ("action", "activate"),
            ]
            #expect(try await browser.submit("/operator/identities", fields).status == 303)
            _ = try await Device.finishing(mpinID, regOTT: regOTT, pin: "1234", at: backend)
            // What is not there is not confirmed.
            #expect(try await browser.submit("/operator/identities", fields).status == 404)
        }
    }

    @Test func aFormOfAnotherPageIsRefused() async throws {
        try await withBackend { backend in
            let browser = Browser(backend)
            _ = try await Self.logIn(browser, at: backend)
            let token = try Self.formToken(try await browser.get("/operator"))
            func send(_ token: String?, origin: String) async throws -> Int {
                let fields =
                    [("action", "revoke"), ("user", "a"), ("identity", "b")] + (token.map { [("token", $0)] } ?? [])
                return try await browser.submit("/operator/identities", fields, origin: origin).status
            }
            #expect(try await send(token, origin: backend.url) == 404)
            for wrong in [nil, "", String(repeating: "0", count: 32)] {
                #expect(try await send(wrong, origin: backend.url) == 403)
            }
            for origin in ["https://evil.example", "null", backend.url + ".evil", ""] {
                #expect(try await send(token, origin: origin) == 403, "\(origin)")
            }
            let bare = try await backend.client.send(.post, "/operator/login", body: Array("password=x".utf8))
            #expect(bare.status == 403)
        }
    }

    /// A name of somebody else's that leads here must not let its pages read this one.
    @Test func aForeignNameIsRefused() async throws {
        try await withBackend { backend in
            let port = backend.addresses.publicPort
            for (host, status) in [
                ("127.0.0.1:\(port)", 200), ("localhost:\(port)", 200), ("evil.example:\(port)", 403),
                ("127.0.0.1.evil.example", 403), ("", 400),
            ] {
                let request = "GET /operator HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
                let reply = try await RawExchange.send(request, port: port)
                #expect(host.isEmpty ? reply.status >= 400 : reply.status == status, "\(host)")
            }
        }
    }

    /// Wrong ones are slowed down by address; the right one opens at any time, so that no stranger locks the operator
    /// out.
    @Test func guessesAreLimitedAndTheRightPasswordOpens() async throws {
        try await withBackend { backend in
            let browser = Browser(backend)
            for _ in 1...OperatorDesk.guesses {
                #expect(try await browser.submit("/operator/login", [("password", "wrong")]).status == 401)
            }
            let refused = try await browser.submit("/operator/login", [("password", "wrong")])
            #expect(refused.status == 429 && refused.headers[.retryAfter] == "60")
            let stranger = Stranger("127.0.0.2", at: backend)
            let headers = ["Origin: \(backend.addresses.publicURL)"]
            let elsewhere = try await stranger.post("/operator/login", form: "password=wrong", headers: headers)
            #expect(elsewhere.status == 401)
            _ = try await Self.logIn(browser, at: backend)
            backend.clock.advance(by: OperatorDesk.guessPeriod)
            #expect(try await browser.submit("/operator/login", [("password", "wrong")]).status == 401)
        }
    }

    @Test func manyIdentitiesArePaged() async throws {
        try await withBackend { backend in
            let state = try BackendState(directory: backend.state.path, clock: backend.clock)
            let count = 2 * BackendUserList.pageSize + 1
            for number in 0..<count {
                let userID = "user\(1000 + number)@example.com"
                let mpinID = MPinIDText.make(
                    userID: userID, mobile: 1, issued: WallTime(seconds: 1), salt: try RandomBytes.make(16))
                try await state.storage.add(
                    RegisteredIdentity(mpinID: mpinID, userID: userID, registered: WallTime(seconds: 1)))
            }
            let browser = Browser(backend)
            _ = try await Self.logIn(browser, at: backend)
            var found = 0
            for page in 1...3 {
                let text = try await browser.get("/operator?page=\(page)").text
                #expect(text.contains("Page \(page) of 3"))
                #expect(text.contains("page=\(page + 1)\"") == (page < 3))
                #expect(text.contains("user\(1000 + (page - 1) * BackendUserList.pageSize)@"))
                found += text.split(separator: "<tr><td>user").count - 1
            }
            #expect(found == count)
            for odd in ["0", "-1", "x", "99999999999999999999", "4"] {
                #expect(try await browser.get("/operator?page=\(odd)").status == 200)
            }
        }
    }

    private static func logIn(_ browser: Browser, at backend: RunningBackend) async throws -> Reply {
        let password = try BackendState.operatorPassword(inDirectory: backend.state.path)
        let reply = try await browser.submit("/operator/login", [("password", password)])
        try #require(reply.status == 303 && reply.headers[.location] == "/operator")
        return reply
    }

    /// What the page's forms carry.
    private static func formToken(_ page: Reply) throws -> String {
        let parts = page.text.split(separator: "name=\"token\" value=\"")
        return String(try #require(parts.dropFirst().first).prefix { $0 != "\"" })
    }
}
