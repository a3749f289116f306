// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Patience
import Testing

@testable import BackendHTTP
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// A page's poll is held until there is something to tell.
@Suite(.timeLimit(.minutes(10))) struct LongPollTests {
    /// A login page that knows the state of its login.
    struct Page: Sendable {
        let endpoint: RunningBackend
        let browser: Browser
        let path: String

        var polls: LongPolls { endpoint.backend.platformSites[0].browsers.polls }

        /// - Parameters:
        ///   - base: the endpoint's path prefix.
        ///   - isApplications: whether the login is for an application.
        init(at endpoint: RunningBackend, below base: String, isApplications: Bool = false) async throws {
            self.endpoint = endpoint
            browser = Browser(endpoint.below(""))
            if isApplications {
                try #require(try await browser.follow(try await browser.get(base + "/login")).status == 200)
                path = browser.authorization("session")
            } else {
                try #require(try await browser.get(base + "/").status == 200)
                path = base + "/session"
            }
        }

        init(at endpoint: RunningBackend) async throws { try await self.init(at: endpoint, below: endpoint.base) }

        /// The version that the page knows after a poll that is not held.
        func version() async throws -> String { try #require(try await browser.get(path).object.string("version")) }

        func ask(knowing version: String) async throws -> Reply { try await browser.get(path + "?after=" + version) }

        /// Waits until this number of polls is held. One too many shows while other requests are answered.
        func waitForPolls(_ count: Int = 1) async throws {
            try await polls.wait { $0 >= count }
            for _ in 0..<2 { try #require(try await endpoint.below("").client.get("/healthz").status == 200) }
            try #require(polls.count == count)
        }

        /// The answer to a poll that is held until `event`.
        func answer(to event: () async throws -> Void) async throws -> JSONObject {
            let version = try await version()
            async let reply = ask(knowing: version)
            try await waitForPolls()
            try await event()
            try #require(try await reply.status == 200)
            #expect(polls.count == 0)
            return try await reply.object
        }

        /// A device logs in while a poll is held, which hears of it.
        func hearsOfALogin(by device: Device, _ code: String) async throws {
            let version = try await version()
            async let last = ask(knowing: version)
            try await waitForPolls()
            #expect(try await device.logIn(code) == 200)
            #expect(try await last.object.string("state") == "authenticated")
        }
    }

    @Test(arguments: Dialect.allCases)
    func isAnsweredWhenTheLoginGoesOn(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            let device = try await Device.registered(dialect, at: endpoint)
            let page = try await Page(at: endpoint)
            let code = try await page.browser.anyCode(below: endpoint.base)
            let scanned = try await page.answer { try await endpoint.report("wid", code, dialect) }
            #expect(scanned.string("state") == "scanned")
            let refused = try await page.answer { try await endpoint.report("abort", code, dialect) }
            #expect(refused.string("state") == "new")
            try await page.hearsOfALogin(by: device, code)
            #expect(try await page.browser.get(endpoint.base + "/protected").status == 200)
        }
    }

    /// The page of an application's login, and a typed number.
    @Test(arguments: [Dialect.milagro, .trust2025])
    func isAnsweredOnOtherPages(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            let device = try await Device.registered(dialect, at: endpoint)
            let page = try await Page(at: endpoint, below: endpoint.base, isApplications: true)
            let code = try await page.browser.authorizationCode(below: endpoint.base)
            try await page.hearsOfALogin(by: device, code)
        }
        try await withBackend(options: ["--dialect", dialect.rawValue]) { backend in
            let page = try await Page(at: backend)
            let code = try #require(try await page.browser.get("/session").object.string("code"))
            let scanned = try await page.answer { try await backend.report("wid", code, dialect) }
            #expect(scanned.string("state") == "scanned")
        }
    }

    /// Nothing happens for 25 seconds, or the code changes earlier.
    @Test(arguments: [Dialect.milagro, .trust2025])
    func isAnsweredInTime(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            let page = try await Page(at: endpoint)
            let before = try await page.browser.get(page.path).object
            let after = try await page.answer {
                endpoint.clock.advance(by: LongPolls.limit - .milliseconds(1))
                try await page.waitForPolls()
                endpoint.clock.advance(by: .milliseconds(1))
            }
            #expect(after == before)
            let changed = try await page.answer { endpoint.clock.advance(by: .seconds(5)) }
            #expect(changed.string("state") == "new" && changed.string("picture") != before.string("picture"))
        }
    }

    /// A poll without a version, or with another version, is answered at once.
    @Test func otherQuestionsAreNotHeld() async throws {
        try await withBackend { backend in
            let page = try await Page(at: backend)
            let version = try await page.version()
            for query in ["", "?after=", "?after=0000000000000000", "?wait=25"] {
                #expect(try await page.browser.get("/session" + query).object.string("version") == version)
            }
            let nobody = try await backend.client.get("/session").object
            #expect(nobody.string("state") == "expired")
            let known = try #require(nobody.string("version"))
            #expect(try await backend.client.get("/session?after=" + known).object == nobody)
            #expect(page.polls.count == 0)
        }
    }

    @Test func aSecondQuestionOfThePageAnswersTheFirst() async throws {
        try await withBackend { backend in
            let page = try await Page(at: backend)
            let code = try await page.browser.accessCode()
            let version = try await page.version()
            async let first = page.ask(knowing: version)
            try await page.waitForPolls()
            async let second = page.ask(knowing: version)
            #expect(try await first.object.string("version") == version)
            try await page.waitForPolls()
            try await backend.report("wid", code, .milagro)
            #expect(try await second.object.string("state") == "scanned")
        }
    }

    @Test func thereIsABound() throws {
        func begin(_ page: BrowserCookie, from number: Int, at polls: LongPolls) -> Bool {
            let address = ClientAddress("192.0.2.\(number)") ?? .unknown
            return ClientAddress.$current.withValue(address) { polls.begin(page) != nil }
        }
        let polls = LongPolls(capacity: 3, perAddress: 2, clock: ManualWallClock())
        let pages = (0..<5).map { BrowserCookie.visit("\($0)") }
        #expect((0..<3).map { begin(pages[$0], from: 1, at: polls) } == [true, true, false])
        #expect((3..<5).map { begin(pages[$0], from: $0, at: polls) } == [true, false])
        // A page's second poll replaces its first.
        #expect(begin(pages[0], from: 1, at: polls))
        #expect(polls.count == 3)
        let held = try #require(ClientAddress.$current.withValue(.unknown) { polls.begin(pages[0]) })
        polls.end(pages[0], held)
        #expect(polls.count == 2)
        #expect(begin(pages[4], from: 4, at: polls))
    }

    /// A poll beyond the bound is answered at once, and its page polls each second.
    @Test func oneBeyondTheBoundIsAnswered() async throws {
        try await withBackend { backend in
            let page = try await Page(at: backend)
            let version = try await page.version()
            let address = try #require(ClientAddress("127.0.0.1"))
            ClientAddress.$current.withValue(address) {
                var number = 0
                while page.polls.begin(.visit("\(number)")) != nil { number += 1 }
            }
            #expect(try await page.ask(knowing: version).object.string("version") == version)
        }
    }

    @Test func aBackendThatStopsAnswers() async throws {
        let (question, version) = try await withBackend { backend in
            let page = try await Page(at: backend)
            let version = try await page.version()
            let question = Task { try await page.ask(knowing: version) }
            try await page.waitForPolls()
            return (question, version)
        }
        #expect(try await question.value.object.string("version") == version)
    }

    /// The connection of a held poll makes room for others, and its page polls again.
    @Test func aHeldQuestionKeepsNobodyOut() async throws {
        try await withBackend(options: ["--connections-per-address", "1"]) { backend in
            let page = try await Page(at: backend)
            let version = try await page.version()
            let question = Task { try await page.ask(knowing: version) }
            try await page.polls.wait { $0 > 0 }
            // A connection that comes before the poll waits is refused.
            while (try? await backend.client.get("/healthz"))?.status != 200 {}
            await #expect(throws: (any Error).self) { try await question.value }
            try await page.polls.wait { $0 == 0 }
        }
    }

    /// A closed page does not matter any more: the person shows the code on the next one.
    @Test func aPageThatLeavesIsNotWaitedFor() async throws {
        try await withBackend { backend in
            let page = try await Page(at: backend)
            let version = try await page.version()
            let cookies = page.browser.known.map { $0.key + "=" + $0.value }.joined(separator: "; ")
            let connection = try await LoopbackConnection.apart {
                let connection = try LoopbackConnection(port: backend.addresses.publicPort)
                connection.send("GET /session?after=\(version) HTTP/1.1\r\nHost: a\r\nCookie: \(cookies)\r\n\r\n")
                return connection
            }
            try await page.waitForPolls()
            connection.close()
            try await page.polls.wait { $0 == 0 }
            let code = try await page.browser.accessCode()
            let scanned = try await page.answer { try await backend.report("wid", code, .milagro) }
            #expect(scanned.string("state") == "scanned")
        }
    }
}

extension LongPolls {
    /// Waits until the wanted number of polls is held. The clock that would end them stands still in tests.
    func wait(until isWanted: (Int) -> Bool) async throws {
        try await Patience.until { isWanted(count) }
    }
}
