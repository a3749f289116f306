// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import Foundation
import GRDB
import HTTPTypes
import MPinCrypto
import Patience
import Synchronization
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import OperatorPage
@testable import ReferenceBackend

/// The operator's page as a browser's transcripts.
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

    @Test func thePageSaysThatNobodyMayRegister() async throws {
        for (admitted, says) in [([], true), (["anybody"], false)] {
            try await Self.withOperator(admitting: admitted) { _, browser in
                let page = try await browser.get("/operator").text
                #expect(page.contains("Nobody may register") == says)
            }
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
        try await Self.withOperator { backend, browser in
            #expect(try await browser.get("/operator").text.contains("<h1>Identities"))
            backend.clock.advance(by: .seconds(3600))
            #expect(try await browser.get("/operator").text.contains("<h1>Operator"))
            // A new password ends all sessions and takes effect at once.
            _ = try await Self.logIn(browser, at: backend)
            let old = try BackendState.operatorPassword(inDirectory: backend.state.path)
            let new = try BackendState.operatorPassword(inDirectory: backend.state.path, renewing: true)
            #expect(try await browser.get("/operator").text.contains("<h1>Operator"))
            #expect(try await browser.submit("/operator/login", [("password", old)]).status == 401)
            // People copy a line including its end.
            #expect(try await browser.submit("/operator/login", [("password", new + "\n")]).status == 303)
        }
    }

    /// The effect of each button, which is there only where it has one.
    @Test func anOperatorActsOnOneIdentity() async throws {
        try await Device.withEndpoint(.trust2025) { endpoint in
            let device = try await Device.registered(.trust2025, at: endpoint)
            let backend = endpoint.below("")
            _ = try await Device.registered(.mfaV2, at: endpoint.below("/mfa-v2"))
            let state = try BackendState(directory: endpoint.state.path, clock: endpoint.clock)
            #expect(try await state.users().count == 2)
            let browser = Browser(backend)
            _ = try await Self.logIn(browser, at: backend)
            let fingerprint = device.mpinID.fingerprint
            func row() async throws -> String {
                let text = try await browser.get("/operator").text
                let rows = text.replacing("</tr>", with: "<tr>").split(separator: "<tr>").map(String.init)
                return try #require(rows.first { $0.contains(fingerprint) })
            }
            func act(_ action: String) async throws -> Reply {
                let address = "/operator/revoke?user=\(Device.userID)&identity=\(fingerprint)&state=registered"
                let page = action == "revoke" ? try await browser.get(address) : nil
                let text: String
                if let page { text = page.text } else { text = try await row() }
                let form = try Self.form(text)
                return try await browser.submit("/operator/identities", form + [("action", action)])
            }
            #expect(try await !row().contains("value=\"unblock\""))
            for _ in 1...3 {
                let (accessID, _) = try await device.newSession()
                _ = try await device.logIn(accessID, pin: "9999")
                endpoint.clock.letDelaysPass()
            }
            let blocked = try await row()
            #expect(blocked.contains(">Blocked by wrong PINs<") && blocked.contains("data-failures=\"3\""))
            #expect(blocked.contains("value=\"unblock\"") && !blocked.contains("value=\"renew\""))
            let done = try await act("unblock")
            #expect(done.headers[.location]?.hasPrefix("/operator?done=") == true)
            #expect(try await browser.follow(done).text.contains("wrong PINs of <bdi>\(Device.userID)</bdi> are"))
            _ = try await act("renew")
            let renewing = try await row()
            #expect(renewing.contains(">to be renewed<") && !renewing.contains("value=\"renew\""))
            #expect(renewing.contains(">not yet<"))
            let (accessID, _) = try await device.newSession()
            let login = try await device.logInBrowser(accessCode: accessID)
            #expect(login.status == 200 && login.object.object("dvsRegister") != nil)
            #expect(try await !row().contains(">not yet<"))
            // The same question, opened twice and answered twice.
            let question = "/operator/revoke?user=\(Device.userID)&identity=\(fingerprint)"
            let form = try Self.form(try await browser.get(question).text)
            let answer = try await act("revoke")
            #expect(answer.headers[.location]?.hasPrefix("/operator?state=registered&done=") == true)
            #expect(try await browser.follow(answer).text.contains("<bdi>\(Device.userID)</bdi> can no longer"))
            let again = try await browser.submit("/operator/identities", form + [("action", "revoke")])
            #expect(again.status == 303)
            let asked = try await browser.get(question)
            #expect(asked.text.contains("revoked already") && !asked.text.contains("<button"))
            let revoked = try await row()
            #expect(revoked.contains(">Revoked<") && !revoked.contains("<button") && !revoked.contains("/revoke?"))
            // The same user's other identity is unchanged.
            #expect(try await state.users().map(\.status.rawValue).sorted() == ["registered", "revoked"])
            for action in ["", "delete"] {
                let reply = try await browser.submit("/operator/identities", form + [("action", action)])
                #expect(reply.status == 400)
            }
        }
    }

    @Test func anOperatorConfirmsARegistration() async throws {
        let observer = DeedWatch()
        try await Self.withOperator(observer: observer) { backend, browser in
            let (mpinID, regOTT) = try await backend.startRegistration("alice@example.com")
            let page = try await browser.get("/operator?state=unconfirmed")
            #expect(page.text.contains(">E-mail not confirmed<"))
            let fingerprint = MPinID(try #require(Hexadecimal.bytes(mpinID))).fingerprint
            let row = try #require(page.text.split(separator: "\n").first { $0.contains("data-identity=") })
            let fields = try Self.form(String(row)) + [("action", "activate")]
            let done = try await browser.submit("/operator/identities", fields)
            #expect(done.headers[.location]?.hasPrefix("/operator?state=unconfirmed&done=") == true)
            _ = try await Device.finishing(mpinID, regOTT: regOTT, pin: "1234", at: backend)
            // A missing identity gives no confirmation.
            #expect(try await browser.submit("/operator/identities", fields).status == 404)
            #expect(
                observer.deeds == [
                    OperatorDeed(action: "activate", userID: "alice@example.com", fingerprint: fingerprint)
                ])
        }
    }

    @Test func aFormOfAnotherPageIsRefused() async throws {
        try await Self.withOperator { backend, browser in
            _ = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            _ = try await Device.registered("bob@example.com", pin: "1234", at: backend)
            func question(_ user: String) async throws -> [(name: String, value: String)] {
                let state = try BackendState(directory: backend.state.path, clock: backend.clock)
                let known = try #require(try await state.users().first { $0.userID == user })
                let address = "/operator/revoke?user=\(user)&identity=\(known.fingerprint)"
                return try Self.form(try await browser.get(address).text) + [("action", "revoke")]
            }
            let (alice, bob) = (try await question("alice@example.com"), try await question("bob@example.com"))
            func send(_ token: String?, origin: String) async throws -> Int {
                let fields = alice.filter { $0.name != "token" } + (token.map { [("token", $0)] } ?? [])
                return try await browser.submit("/operator/identities", fields, origin: origin).status
            }
            let token = try #require(alice.first { $0.name == "token" }?.value)
            // A form of no page, of this session's page about another identity, and of another session's page.
            let stranger = Browser(backend)
            _ = try await Self.logIn(stranger, at: backend)
            let other = try Self.form(try await stranger.get("/operator").text).first { $0.name == "token" }?.value
            let ofBob = bob.first { $0.name == "token" }?.value
            for wrong in [nil, "", String(repeating: "0", count: 64), other, ofBob] {
                #expect(try await send(wrong, origin: backend.url) == 403)
            }
            for origin in ["https://evil.example", "null", backend.url + ".evil", ""] {
                #expect(try await send(token, origin: origin) == 403, "\(origin)")
            }
            let bare = try await backend.client.send(.post, "/operator/login", body: Array("password=x".utf8))
            #expect(bare.status == 403)
            #expect(try await send(token, origin: backend.url) == 303)
            let absent = try await browser.get("/operator/revoke?user=carol&identity=00")
            #expect(absent.status == 404 && absent.text.contains("no such identity"))
            #expect(try await browser.get("/operator/revoke").status == 400)
        }
    }

    /// Another host's name that points here must not let its pages read this one.
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
                if status == 403 { #expect(reply.text.contains("This backend has another address.")) }
            }
        }
    }

    /// Wrong passwords are slowed down by address. The right one always works, so that no stranger locks the operator
    /// out.
    @Test func guessesAreLimitedAndTheRightPasswordOpens() async throws {
        try await withBackend { backend in
            let browser = Browser(backend)
            for _ in 1...OperatorSessions.guesses {
                #expect(try await browser.submit("/operator/login", [("password", "wrong")]).status == 401)
            }
            let refused = try await browser.submit("/operator/login", [("password", "wrong")])
            #expect(refused.status == 429 && refused.headers[.retryAfter] == "60")
            let stranger = Stranger("127.0.0.2", at: backend)
            let headers = ["Origin: \(backend.addresses.publicURL)"]
            let elsewhere = try await stranger.post("/operator/login", form: "password=wrong", headers: headers)
            #expect(elsewhere.status == 401)
            _ = try await Self.logIn(browser, at: backend)
            backend.clock.advance(by: OperatorSessions.guessPeriod)
            #expect(try await browser.submit("/operator/login", [("password", "wrong")]).status == 401)
        }
    }

    /// A hundred wrong ones at once, at two processes if the storage is shared: ten get the answer that they are
    /// wrong.
    @Test(arguments: StorageUnderTest.allCases)
    func aHundredPasswordsAtOnceAreTenGuesses(_ kind: StorageUnderTest) async throws {
        let folder = TemporaryFolder()
        let state = try StateDirectory(path: folder.path)
        let (first, second) = try kind.openTwice(in: folder)
        let clock = ManualWallClock()
        let password = try OperatorPassword(state: state)
        let pages = try [first, second].map { storage in
            try OperatorSessions(
                state: BackendState(storage: storage, clock: clock), password: password,
                storage: storage.volatile, clock: clock)
        }
        let codes = try await together(100) { number -> Int? in
            do { _ = try await pages[number % 2].logIn("wrong") } catch let refusal as Refusal { return refusal.code }
            return nil
        }
        #expect(codes.filter { $0 == 401 }.count == OperatorSessions.guesses)
        #expect(codes.filter { $0 == 429 }.count == 100 - OperatorSessions.guesses)
        withExtendedLifetime(folder) {}
    }

    private static func add(_ userIDs: [String], to backend: RunningBackend) async throws {
        let state = try BackendState(directory: backend.state.path, clock: backend.clock)
        for userID in userIDs {
            let mpinID = MPinIDText.make(
                userID: userID, mobile: 1, issued: WallTime(seconds: 1), salt: try RandomBytes.make(16))
            try await state.storage.durable.add(
                RegisteredIdentity(mpinID: mpinID, userID: userID, registered: WallTime(seconds: 1)))
        }
    }

    private static func users(in page: Reply) -> [String] {
        page.text.split(separator: "\n").filter { $0.hasPrefix("<tr role=\"row\" data-identity") }.compactMap {
            $0.firstMatch(of: #/<bdi>(.*?)</bdi>/#).map { String($0.1) }
        }
    }

    /// The page that asks whether the identity of a row shall be revoked.
    private static func question(in row: some StringProtocol, _ browser: Browser) async throws -> Reply {
        let address = try #require(String(row).firstMatch(of: #/href="(/operator/revoke[^"]*)"/#))
        return try await browser.get(String(address.1).replacing("&amp;", with: "&"))
    }

    private static func link(_ relation: String, in page: Reply) throws -> String {
        let parts = page.text.split(separator: "rel=\"\(relation)\" href=\"")
        return String(try #require(parts.dropFirst().first).prefix { $0 != "\"" }).replacing("&amp;", with: "&")
    }

    /// Rows that appear and disappear meanwhile neither repeat another row nor hide one.
    @Test func manyIdentitiesArePaged() async throws {
        try await Self.withOperator { backend, browser in
            let size = BackendUserList.pageSize
            let userIDs = (0...2 * size).map { "user\(1000 + $0)@example.com" }
            try await Self.add(userIDs, to: backend)
            let first = try await browser.get("/operator?q=USER")
            #expect(Self.users(in: first) == Array(userIDs.prefix(size)) && !first.text.contains("rel=\"prev\""))
            #expect(first.text.contains("<svg") == false)
            let newcomer = "user\(1000 + size - 1)z@example.com"
            try await Self.add(["user0999@example.com", newcomer], to: backend)
            let next = try Self.link("next", in: first)
            #expect(next.hasPrefix("/operator?q=USER&after=") && !next.contains("\(1000 + size - 1)"))
            let second = try await browser.get(next)
            #expect(Self.users(in: second) == [newcomer] + userIDs[size..<2 * size - 1])
            let third = try await browser.get(try Self.link("next", in: second))
            #expect(Self.users(in: third) == Array(userIDs[(2 * size - 1)...]) && !third.text.contains("rel=\"next\""))
            let back = try await browser.get(try Self.link("prev", in: third))
            #expect(Self.users(in: back) == Self.users(in: second))
            let full = try await browser.get(try Self.link("prev", in: back))
            #expect(Self.users(in: full) == Array(userIDs.prefix(size)))
            // The SDK's transport can read it too.
            #expect(full.text.utf8.count < 64 << 10)
            // Before it there is less than a page, so the first page is shown.
            let start = try await browser.get(try Self.link("prev", in: full))
            #expect(Self.users(in: start) == ["user0999@example.com"] + userIDs.prefix(size - 1))
            #expect(!start.text.contains("rel=\"prev\""))
            for odd in ["after=x", "before=", "after=\(String(repeating: "A", count: 10_000))", "state=x", "match=x"] {
                let page = try await browser.get("/operator?\(odd)")
                #expect(page.status == 200 && Self.users(in: page).first == "user0999@example.com")
            }
            // Another kind of sealed link is no position.
            let key = SecretBytes(Array(repeating: 1, count: 32))
            let report = try #require(OperatorLinks(key: key).text(of: OperatorReport(action: .revoke, userID: "x")))
            #expect(try await !browser.get("/operator?done=\(report)").text.contains("role=\"status\""))
        }
    }

    @Test func usersAreFoundByWhatIsTyped() async throws {
        try await Self.withOperator { backend, browser in
            let all = [
                "100%_a@example.com", "100xya@example.com", "anna@example.com", "joanna@example.org",
                "zo\u{eb}@example.com",
            ]
            try await Self.add(all, to: backend)
            func found(_ typed: String, _ more: String = "") async throws -> [String] {
                Self.users(in: try await browser.get("/operator?" + FormFields.text([("q", typed)]) + more))
            }
            #expect(try await found("anna") == ["anna@example.com"])
            #expect(try await found("  ANNA ", "&match=containing") == ["anna@example.com", "joanna@example.org"])
            #expect(try await found("%", "&match=containing") == ["100%_a@example.com"])
            #expect(try await found("100%_") == ["100%_a@example.com"])
            for same in ["ZO\u{cb}", "zoe\u{308}"] { #expect(try await found(same) == [all[4]]) }
            for empty in ["", " "] { #expect(try await found(empty) == all) }
            #expect(try await found("anna", "&state=registered") == ["anna@example.com"])
            #expect(try await found("anna", "&state=blocked") == [])
            for odd in ["\u{0}", "a\u{202e}", String(repeating: "a", count: 9_000), "'", "\\", "\u{10FFFF}"] {
                let page = try await browser.get("/operator?" + FormFields.text([("q", odd)]))
                #expect(page.status == 200 && page.text.contains("No identity matches."), "\(odd.debugDescription)")
            }
            let kept = try await browser.get("/operator?q=%3Cscript%3E%22&match=containing&state=blocked")
            #expect(kept.text.contains("value=\"&lt;script&gt;&quot;\"") && !kept.text.contains("<script"))
            #expect(kept.text.contains("<option value=\"containing\" selected>"))
            #expect(kept.text.contains("href=\"/operator?q=%3Cscript%3E%22&amp;match=containing&amp;state=revoked\""))
        }
    }

    /// Any user id leaves the page intact, in every language.
    @Test func strangeUserIDsAreText() async throws {
        try await Self.withOperator { backend, browser in
            let names = [
                Self.hostile, "\u{5d0}\u{5d1}@example.com", String(repeating: "\u{1f600}", count: 63),
                String(repeating: "w", count: 255), "{user}", "a&lt;b",
            ]
            try await Self.add(names, to: backend)
            let page = try await browser.get("/operator")
            #expect(Set(Self.users(in: page)) == Set(names.map { HTMLText.escaped($0) }))
            for name in names {
                let row = try #require(
                    page.text.split(separator: "\n").first { $0.contains("<bdi>\(HTMLText.escaped(name))</bdi>") })
                let question = try await Self.question(in: row, browser)
                #expect(question.text.contains("<h1>Revoke <bdi>\(HTMLText.escaped(name))</bdi>?</h1>"))
                let done = try await browser.submit(
                    "/operator/identities", try Self.form(question.text) + [("action", "revoke")])
                let report = try await browser.follow(done).text
                #expect(report.contains("identity of <bdi>\(HTMLText.escaped(name))</bdi> can"))
                for text in [String(row), question.text, report] { #expect(!text.contains("<script")) }
            }
        }
    }

    /// A user id with easily confused letters has a mark, also on the page that asks about a revocation.
    @Test func lookAlikesAreMarked() async throws {
        try await Self.withOperator { backend, browser in
            let marked = ["p\u{430}ypal@example.com", "bob@ex\u{3b1}mple.com", "\u{430}1lice@example.com"]
            let others = ["\u{431}\u{43e}\u{431}@example.com", "alice@example.com"]
            try await Self.add(marked + others, to: backend)
            let page = try await browser.get("/operator")
            for name in marked + others {
                let row = try #require(page.text.split(separator: "\n").first { $0.contains("<bdi>\(name)</bdi>") })
                let mark = "<strong class=\"mixed\">letters of several scripts</strong>"
                #expect(row.contains(mark) == marked.contains(name), "\(name)")
                let question = try await Self.question(in: row, browser)
                #expect(question.text.contains(mark) == marked.contains(name), "\(name)")
            }
        }
    }

    @Test func thePageSpeaksTheBrowsersLanguage() async throws {
        try await Self.withOperator { backend, browser in
            let cookie = browser.known.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            for words in PageWords.all {
                let reply = try await backend.client.get(
                    "/operator", headers: [.cookie: cookie, .acceptLanguage: "xx, \(words.language)-XX;q=0.5"])
                #expect(reply.text.contains("<html lang=\"\(words.language)\">"))
                #expect(reply.text.contains("<h1>\(words(.identities))</h1>"))
                #expect(reply.text.contains(words(.noIdentities)))
            }
            let page = try await browser.get("/operator")
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src 'none'") && !policy.contains("script") && !policy.contains("unsafe"))
            #expect(!page.text.contains("style=") && !page.text.contains("<style"))
            let style = try await backend.client.get("/operator/operator.css")
            #expect(style.status == 200 && style.headers[.contentType]?.hasPrefix("text/css") == true)
        }
    }

    /// Verdicts are shown on the page, including those of another process with the same storage.
    @Test(arguments: StorageUnderTest.shared) func loginsAreDrawn(_ kind: StorageUnderTest) async throws {
        let (state, clock) = (TemporaryFolder(), ManualWallClock())
        let (first, second) = try kind.openTwice(in: state)
        try await withBackend(state: state, clock: clock, storage: first, tallyPeriod: .milliseconds(1)) { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let permit = try await device.permit()
            #expect(try await device.logIn(pin: "1234", permit: permit).status == 200)
            #expect(try await device.logIn(pin: "9999", permit: permit).status == 401)
            try await second.operators.add(LoginCounts(right: 40, wrongPIN: 0, blocked: 2, unknown: 0), now: clock.now)
            let browser = Browser(backend)
            _ = try await Self.logIn(browser, at: backend)
            var page = ""
            try await Patience.until(every: .milliseconds(5)) {
                page = try await browser.get("/operator").text
                return page.contains(">41 logins,") && page.contains(">3 failures,")
            }
            #expect(page.contains("<rect class=\"right\"") && page.contains("<rect class=\"refused\""))
        }
    }

    @Test func aDatabaseThatFailsIsSaid() async throws {
        let state = TemporaryFolder()
        let directory = try StateDirectory(path: state.path)
        let database = try BackendDatabase(state: directory)
        let storage = try BackendStorage.embedded(in: directory)
        try await withBackend(state: state, storage: storage) { backend in
            let browser = Browser(backend)
            _ = try await Self.logIn(browser, at: backend)
            try await database.write { try $0.execute(sql: "DROP TABLE tally") }
            let page = try await browser.get("/operator")
            #expect(page.status == 503 && page.text.contains("The database does not answer."))
        }
    }

    /// Runs `body` with the browser of an operator who has logged in.
    private static func withOperator(
        admitting admitted: [String] = ["anybody"], observer: (any BackendObserver)? = nil,
        _ body: @escaping @Sendable (RunningBackend, Browser) async throws -> Void
    ) async throws {
        try await withBackend(observer: observer, admitting: admitted) { backend in
            let browser = Browser(backend)
            _ = try await logIn(browser, at: backend)
            try await body(backend, browser)
        }
    }

    private static func logIn(_ browser: Browser, at backend: RunningBackend) async throws -> Reply {
        let password = try BackendState.operatorPassword(inDirectory: backend.state.path)
        let reply = try await browser.submit("/operator/login", [("password", password)])
        try #require(reply.status == 303 && reply.headers[.location] == "/operator")
        return reply
    }

    /// The hidden fields of the last form in a text.
    private static func form(_ text: String) throws -> [(name: String, value: String)] {
        let form = try #require(text.split(separator: "<form method=\"post\"").last)
        return form.prefix(upTo: form.firstRange(of: "</form>")?.lowerBound ?? form.endIndex)
            .matches(of: #/type="hidden" name="([a-z]+)" value="([^"]*)"/#).map { match in
                let value = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
                    .reduce(String(match.2)) { $0.replacing($1.0, with: $1.1) }
                return (String(match.1), value)
            }
    }

    /// The token of the page's logout form.
    private static func formToken(_ page: Reply) throws -> String {
        let parts = page.text.split(separator: "name=\"token\" value=\"")
        return String(try #require(parts.dropFirst().first).prefix { $0 != "\"" })
    }
}

/// Records the operators' actions.
private final class DeedWatch: BackendObserver {
    private let known = Mutex<[OperatorDeed]>([])

    var deeds: [OperatorDeed] { known.withLock { $0 } }

    func checked(_ proof: CheckedProof) {}
    func acted(_ deed: OperatorDeed) { known.withLock { $0.append(deed) } }
}
