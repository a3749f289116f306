// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts
import KioskTestKit
import Patience
import Signage
import Testing
import LinuxSystem
@testable import WebScreen

@Suite("Access to the page by browsers and others", .serialized, .timeLimit(.minutes(10)))
struct PageScreenTests {
    @Test func thePageIsOneDocumentUnderAStrictPolicy() async throws {
        try await ServedPage.with { page in
            let answer = try page.answer("GET /")
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            let policy = try #require(answer.firstMatch(of: /Content-Security-Policy: (.*)\r\n/)?.output.1)
            let nonce = try #require(policy.firstMatch(of: /script-src 'nonce-([a-z0-9]{10,})'/)?.output.1)
            #expect(policy.hasPrefix("default-src 'none'; ") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(answer.contains("<style nonce=\"\(nonce)\">"))
            #expect(answer.contains("<script nonce=\"\(nonce)\">"))
            #expect(answer.contains("Cache-Control: no-store\r\n"))
            #expect(answer.contains("X-Content-Type-Options: nosniff\r\n"))
            #expect(answer.contains("Cross-Origin-Resource-Policy: same-origin\r\n"))
            // Nothing from other hosts, and nothing that the policy would refuse.
            for foreign in ["http://", "https://", "src=\"//", " style=\"", " onclick="] {
                #expect(!answer.contains(foreign), "\(foreign)")
            }
            #expect(!(try page.answer("GET /")).contains(nonce), "a nonce is used once")
            // The shared design is in it.
            #expect(answer.contains("--ready: #5cc8ff; ") && answer.contains("--sentence: 1.25rem; "))
        }
    }

    @Test(
        arguments: [
            ("127.0.0.1:PORT", [], 200), ("localhost:PORT", [], 200), ("LOCALHOST:PORT", [], 200),
            ("127.0.0.1:PORT", ["Origin: http://127.0.0.1:PORT"], 200),
            ("127.0.0.1:PORT", ["Sec-Fetch-Site: none"], 200), ("127.0.0.1:PORT", ["Sec-Fetch-Site: same-origin"], 200),
            ("kiosk.evil.example:PORT", [], 421), ("127.0.0.1", [], 421), ("127.0.0.1:1", [], 421),
            ("127.0.0.1.evil.example:PORT", [], 421), ("127.0.0.2:PORT", [], 421), ("[::1]:PORT", [], 421),
            ("user@127.0.0.1:PORT", [], 421),
            ("127.0.0.1:PORT", ["Host: kiosk.evil.example:PORT"], 400),
            ("127.0.0.1:PORT", ["Host: 127.0.0.1:PORT"], 400),
            ("kiosk.evil.example:PORT", ["Host: localhost:PORT"], 400),
            ("127.0.0.1:PORT", ["Origin: http://evil.example"], 421), ("127.0.0.1:PORT", ["Origin: null"], 421),
            ("127.0.0.1:PORT", ["Origin: http://localhost:PORT"], 421),
            ("127.0.0.1:PORT", ["Sec-Fetch-Site: cross-site"], 421),
            ("127.0.0.1:PORT", ["Sec-Fetch-Site: same-site"], 421),
        ] as [(String, [String], Int)])
    func onlyTheKiosksOwnBrowserIsAnswered(host: String, headers: [String], status: Int) async throws {
        try await ServedPage.with { page in
            func filled(_ text: String) -> String { text.replacing("PORT", with: "\(page.port)") }
            let answer = try page.answer("GET /", host: filled(host), headers: headers.map(filled))
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(100))")
            #expect(answer.contains("<html") == (status == 200))
        }
    }

    @Test func nothingOnThePageChangesAnythingWhileKeysAreOff() async throws {
        try await ServedPage.with { page in
            for request in [
                "POST /key", "POST /", "PUT /", "DELETE /events", "GET /key", "GET /nowhere", "OPTIONS /key",
            ] {
                let answer = try page.answer(request, body: "enter")
                #expect(answer.hasPrefix("HTTP/1.1 404") || answer.hasPrefix("HTTP/1.1 405"), "\(request): \(answer)")
                #expect(!answer.contains("Access-Control"))
            }
            #expect(page.screen.keypad == nil)
            #expect(try await page.screen.address == "http://127.0.0.1:\(page.port)/")
        }
    }

    @Test func keysNeedTheTokenOfThisStart() async throws {
        try await ServedPage.with(hasKeys: true) { page in
            let keypad = try #require(page.screen.keypad)
            #expect(!(try page.answer("GET /")).contains(page.token), "whoever gets the page must not get the keys")
            let token = "X-Kiosk-Token: \(page.token)"
            let refused: [([String], String, Int)] = [
                ([], "enter", 403), (["X-Kiosk-Token: "], "enter", 403), (["X-Kiosk-Token: x"], "enter", 403),
                (["X-Kiosk-Token: \(page.token)x"], "enter", 403),
                ([token, "Origin: http://evil.example"], "1", 421),
                ([token], "", 400), ([token], "enter ", 400), ([token], "12", 400), ([token], "é", 400),
                ([token], " ", 400),
                ([token], "123456789", 413), ([token], "\n", 400),
            ]
            for (headers, body, status) in refused {
                let answer = try page.answer("POST /key", headers: headers, body: body)
                #expect(
                    answer.hasPrefix("HTTP/1.1 \(status) "), "\(headers) \(body.debugDescription): \(answer.prefix(80))"
                )
            }
            for name in ["7", "enter", "a", "back", "clear", "menu", "@"] {
                #expect(try page.answer("POST /key", headers: [token], body: name).hasPrefix("HTTP/1.1 204 "))
            }
            var presses = keypad.presses().makeAsyncIterator()
            for key in [Key.digit(7), .enter, .character("a"), .back, .clear, .menu, .character("@")] {
                #expect(await presses.next() == KeyPress(key))
            }
        }
    }

    /// A key whose request breaks off or is malformed is ignored.
    @Test(arguments: [
        "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "Transfer-Encoding: chunked\r\n\r\n1\r\n7\r\n",
        "Transfer-Encoding: chunked\r\n\r\n1\r\n7\r\nFFFFFFFFFFFFFFFFF\r\n", "Content-Length: 5\r\n\r\n7",
    ])
    func aBrokenBodyIsABadRequest(rest: String) async throws {
        try await ServedPage.with(hasKeys: true) { page in
            let connection = try page.connect()
            connection.send(
                "POST /key HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\nX-Kiosk-Token: \(page.token)\r\n" + rest)
            connection.endSending()
            connection.receiveToEnd()
            #expect(connection.text.hasPrefix("HTTP/1.1 400 "), "\(connection.text.prefix(80))")
            #expect(try page.answer("GET /").hasPrefix("HTTP/1.1 200 "))
        }
    }

    /// In an address the page's token would show in a browser's command line, which every user of the machine can
    /// read.
    @Test func theTokenStandsInTheFileThatLeadsToThePageOnly() async throws {
        try await ServedPage.with(hasKeys: true) { page in
            #expect(try await page.screen.address == "http://127.0.0.1:\(page.port)/")
            let entrance = try await page.screen.entrance
            #expect(entrance.contains("location.replace(\"http://127.0.0.1:\(page.port)/#\(page.token)\")"))
            for headers in [["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"], ["Sec-Fetch-Mode: cors"]] {
                let led = ["Sec-Fetch-Site: cross-site"] + headers
                let isLed = headers.count == 2
                #expect(try page.answer("GET /", headers: led).hasPrefix("HTTP/1.1 \(isLed ? 200 : 421) "))
                #expect(try page.answer("GET /events", headers: led).hasPrefix("HTTP/1.1 421 "))
                #expect(try page.answer("POST /key", headers: led, body: "1").hasPrefix("HTTP/1.1 421 "))
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may make a connection in another user's name"))
    func anotherUserSeesNothingWithoutTheToken() async throws {
        try await ServedPage.with { page in
            await page.screen.show(SampleViews.pin)
            let stranger = try page.events(as: 4711)
            stranger.receiveToEnd()
            #expect(stranger.text.hasPrefix("HTTP/1.1 403 "), "\(stranger.text.prefix(100))")
            #expect(stranger.text.contains("This screen belongs to another user"))
            #expect(!stranger.text.contains("\"stage\":\"pin\""))
            let guest = try page.events(as: 4711, headers: ["X-Kiosk-Token: \(page.token)"])
            #expect(guest.receive(until: "\"stage\":\"pin\""))
        }
    }

    /// Two hundred incomplete requests of another user do not keep the kiosk's browser from pressing keys.
    @Test(.enabled(if: geteuid() == 0, "only root may make a connection in another user's name"))
    func anotherUserTakesNoConnectionThatTheOwnBrowserNeeds() async throws {
        var limits = PageScreen.Limits()
        limits.idle = .seconds(60)
        try await ServedPage.with(hasKeys: true, limits: limits) { page in
            var halves: [LoopbackConnection] = []
            for _ in 0..<200 {
                let half = try LoopbackConnection(port: page.port, user: 4711)
                half.send("POST /key HTTP/1.1\r\nHost: 127.0.0.1")
                halves.append(half)
            }
            for _ in 0..<20 {
                let answer = try page.answer("POST /key", headers: ["X-Kiosk-Token: \(page.token)"], body: "7")
                #expect(answer.hasPrefix("HTTP/1.1 204 "))
            }
            // Connections beyond a user's share are closed instead of waiting.
            let open = page.screen.limits.strangersConnections
            try await Patience.until { halves.count { !$0.hasEndedByNow } <= open }
            #expect(halves.count(where: { !$0.hasEndedByNow }) == open)
        }
    }

    @Test func theKeysKeepTheContractOfTheirPort() async throws {
        try await ServedPage.with(hasKeys: true) { page in
            let keypad = try #require(page.screen.keypad)
            let names: [Key: String] = [.digit(2): "2", .digit(5): "5", .back: "back", .enter: "enter"]
            try await KeypadContract(keys: [.digit(2), .digit(5), .digit(5), .back, .enter], announces: false) {
                KeypadContract.Subject(keypad) { key in
                    let answer = try page.answer(
                        "POST /key", headers: ["X-Kiosk-Token: \(page.token)"], body: names[key] ?? "")
                    #expect(answer.hasPrefix("HTTP/1.1 204 "))
                }
            }.check()
        }
    }

    @Test func whoComesLateOrAgainSeesTheNewestView() async throws {
        try await ServedPage.with { page in
            await page.screen.show(SampleViews.scan)
            await page.screen.show(SampleViews.pin)
            let first = try page.events()
            #expect(first.receive(until: "\"stage\":\"pin\""))
            #expect(first.text.contains("Content-Type: text/event-stream"))
            #expect(!first.text.contains("\"stage\":\"scan\""), "a view that is over is not sent")
            await page.screen.show(SampleViews.success)
            #expect(first.receive(until: "\"tone\":\"success\""))
            let second = try page.events()
            #expect(second.receive(until: "\"tone\":\"success\""))
            #expect(!second.text.contains("\"stage\":\"pin\""))
        }
    }

    @Test func picturesComeInTheScanViewOnly() async throws {
        try await ServedPage.with { page in
            let picture = SampleViews.picture
            let stream = try page.events()
            #expect(stream.receive(until: "retry: 500"))
            await page.screen.show(SampleViews.scan)
            page.screen.show(picture)
            #expect(stream.receive(until: "event: preview\ndata: /9j/"))
            await page.screen.show(SampleViews.pin)
            page.screen.show(picture)
            await page.screen.show(SampleViews.success)
            #expect(stream.receive(until: "\"tone\":\"success\""))
            #expect(stream.text.matches(of: /event: preview/).count == 1)
        }
    }

    @Test func theAudienceIsKnown() async throws {
        var limits = PageScreen.Limits()
        limits.beat = .milliseconds(50)
        try await ServedPage.with(limits: limits) { page in
            var audience = page.screen.audience.makeAsyncIterator()
            do {
                let stream = try page.events()
                #expect(stream.receive(until: "retry: 500"))
                #expect(await audience.next() == true)
                #expect(page.screen.hasRoom(for: .text("")))
            }
            // The server notices at the next signs of life.
            #expect(await audience.next() == false)
            // Without a browser nobody can photograph a card.
            #expect(!page.screen.hasRoom(for: .text("")))
        }
    }

    @Test func connectionsAreCapped() async throws {
        var limits = PageScreen.Limits()
        limits.ownConnections = 3
        limits.idle = .seconds(60)
        try await ServedPage.with(limits: limits) { page in
            await page.screen.show(SampleViews.scan)
            var streams: [LoopbackConnection] = []
            for _ in 0..<3 {
                let stream = try page.events()
                try #require(stream.receive(until: "\"stage\":\"scan\""))
                streams.append(stream)
            }
            let late = try page.events()
            late.receiveToEnd()
            #expect(late.hasEnded && late.text.isEmpty)
            await page.screen.show(SampleViews.pin)
            for stream in streams { #expect(stream.receive(until: "\"stage\":\"pin\"")) }
            var audience = page.screen.audience.makeAsyncIterator()
            _ = await audience.next()
            streams.removeAll()
            page.screen.hub.beat()
            await page.screen.show(SampleViews.success)
            page.screen.hub.beat()
            #expect(await audience.next() == false)
            #expect(try page.events().receive(until: "\"tone\":\"success\""))
        }
    }

    @Test func slowHeadersAreCutOff() async throws {
        var limits = PageScreen.Limits()
        limits.idle = .milliseconds(300)
        try await ServedPage.with(limits: limits) { page in
            let connection = try page.connect()
            connection.send("GET / HTTP/1.1\r\nHost: 127.0.0.1")
            connection.receiveToEnd()
            #expect(connection.hasEnded)
        }
    }

    @Test func largeHeadersAreRefused() async throws {
        try await ServedPage.with { page in
            let answer = try page.answer("GET /", headers: ["X: " + String(repeating: "a", count: 5_000)])
            #expect(!answer.hasPrefix("HTTP/1.1 200"))
            let many = try page.answer("GET /", headers: (0..<100).map { "X\($0): a" })
            #expect(!many.hasPrefix("HTTP/1.1 200"))
        }
    }

    /// One view and one picture wait for a browser that does not read. Its connection ends after a while.
    @Test func aBrowserThatDoesNotReadIsLetGo() async throws {
        var limits = PageScreen.Limits()
        limits.beat = .milliseconds(1)
        limits.stall = .milliseconds(500)
        try await ServedPage.with(limits: limits) { page in
            var audience = page.screen.audience.makeAsyncIterator()
            let stream = try page.events(receiveBuffer: 1024)
            #expect(await audience.next() == true)
            var view = SampleViews.scan
            view.lines = (0..<5_000).map { _ in Prompt(.scanHelp) }
            let sending = Task {
                while !Task.isCancelled {
                    await page.screen.show(view)
                    try? await Task.sleep(for: .milliseconds(1))
                }
            }
            defer { sending.cancel() }
            #expect(await audience.next() == false)
            _ = stream
        }
    }

    @Test func theEndEndsTheStreams() async throws {
        let screen = PageScreen(port: 0, languages: .standard, logger: ServedPage.quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await screen.run() }
            let port = try await screen.boundPort.value
            let page = ServedPage(screen: screen, port: port)
            let stream = try page.events()
            #expect(stream.receive(until: "retry: 500"))
            await screen.show(SampleViews.success)
            #expect(stream.receive(until: "\"tone\":\"success\""))
            group.cancelAll()
            try await group.waitForAll()
            stream.receiveToEnd()
            #expect(stream.hasEnded)
            #expect(throws: (any Error).self) { try LoopbackConnection(port: port) }
        }
    }

    @Test func aPortInUseIsNamed() async throws {
        try await ServedPage.with { page in
            let other = PageScreen(port: page.port, languages: .standard, logger: ServedPage.quiet)
            let error = await #expect(throws: PageScreenError.self) { try await other.run() }
            #expect(error?.description.contains("127.0.0.1:\(page.port)") == true)
            await #expect(throws: PageScreenError.notRunning) { try await other.address }
        }
    }
}
