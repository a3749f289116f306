// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Patience
import PictureTestKit
import SimulatedCamera
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct BrowserSessionTests {
    /// A site with sessions in cookies: `b=1` is logged in as ann, any other is new.
    private func site() -> PageServer {
        PageServer { request in
            switch request.path {
            case "/one": .init(headers: ["Set-Cookie: b=1; Path=/; HttpOnly"])
            case "/two": .init(headers: ["Set-Cookie: b=2; Path=/"])
            case "/session" where request.cookie == "b=1":
                .init(body: Array(#"{"state":"authenticated","user":"ann"}"#.utf8))
            case "/session": .init(body: Array(#"{"state":"new","user":null}"#.utf8))
            case "/protected" where request.cookie == "b=1": .html("Hello ann")
            case "/protected": .init(status: 401)
            default: .init(status: 404)
            }
        }
    }

    private func browser(_ site: PageServer, _ path: String) async throws -> BrowserSession {
        let browser = try BrowserSession(page: try #require(URL(string: site.address(path))))
        _ = try await browser.get(browser.page)
        return browser
    }

    @Test func eachBrowserHasItsOwnCookies() async throws {
        let site = site()
        let one = try await browser(site, "/one")
        let two = try await browser(site, "/two")
        let status = try await one.status()
        #expect(status.state == .authenticated && status.user == "ann")
        let other = try await two.status()
        #expect(other.state == .new && other.user == nil)
        let welcome = try await one.protectedPage()
        #expect(welcome.status == 200 && String(decoding: welcome.body, as: UTF8.self) == "Hello ann")
        #expect(try await two.protectedPage().status == 401)
        one.forgetCookies()
        #expect(try await one.status().state == .new)
    }

    /// A page names the answer that it knows, and waits for the next one longer than for anything else.
    @Test func questionsWaitForAnotherAnswer() async throws {
        let isAsked = Atomic(false)
        let (mayAnswer, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let site = PageServer { request in
            guard request.path != "/session" else {
                return .init(body: Array(#"{"state":"new","user":null,"version":"a1"}"#.utf8))
            }
            guard request.path == "/session?after=a1" else { return .init(status: 404) }
            isAsked.store(true, ordering: .releasing)
            mayAnswer.wait()
            return .init(body: Array(#"{"state":"authenticated","user":"ann","version":"b2"}"#.utf8))
        }
        let silent = PageServer { _ in
            mayEnd.wait()
            return .init(status: 404)
        }
        // The servers wait for their threads at the end.
        defer {
            mayAnswer.signal()
            mayEnd.signal()
        }
        let browser = try BrowserSession(page: try #require(URL(string: site.address())))
        let question = Task {
            var questions = StatusQuestions(browser)
            #expect(try await questions.ask().state == .new)
            return try await questions.ask()
        }
        try await Patience.until { isAsked.load(ordering: .acquiring) }
        // Another request that begins later has its whole time in the meantime.
        let address = try #require(URL(string: silent.address()))
        let error = await #expect(throws: BrowserError.self) { try await browser.get(address) }
        #expect(error?.code == .unreachable)
        mayAnswer.signal()
        #expect(try await question.value.user == "ann")
    }

    @Test func anotherSiteIsNamed() async throws {
        let site = PageServer { _ in .html("<p>hello") }
        let browser = try await browser(site, "/")
        let error = await #expect(throws: BrowserError.self) { try await browser.status() }
        #expect(error?.code == .unexpectedReply && error?.place == site.address("/session"))
    }
}
