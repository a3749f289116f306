// SPDX-License-Identifier: Apache-2.0

import Dispatch
import KioskPorts
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
            case "/qr.png": .init(body: QRPicture.encode("code").png())
            case "/session?after=" where request.cookie == "b=1":
                .init(body: Array(#"{"state":"authenticated","version":"a1"}"#.utf8))
            case "/session?after=": .init(body: Array(#"{"state":"new","version":"a1"}"#.utf8))
            case "/protected" where request.cookie == "b=1": .html("Hello ann")
            case "/protected": .init(status: 401)
            default: .init(status: 404)
            }
        }
    }

    private func browser(_ address: String) async throws -> BrowserSession {
        let browser = try BrowserSession(address)
        try await PageCamera(browser: browser).look()
        return browser
    }

    private func state(_ browser: BrowserSession) async throws -> BrowserStatus.State {
        try await browser.status(after: "").state
    }

    @Test func eachBrowserHasItsOwnCookies() async throws {
        let site = site()
        let one = try await browser(site.address("/one"))
        let two = try await browser(site.address("/two"))
        #expect(try await state(one) == .authenticated)
        #expect(try await state(two) == .new)
        #expect(try await one.protectedPage() == "Hello ann")
        let error = await #expect(throws: FrameSourceError.self) { try await two.protectedPage() }
        #expect(error?.problem == "answers with HTTP 401")
        one.forgetCookies()
        #expect(try await state(one) == .new)
    }

    /// A page names the answer that it knows, and waits for the next one longer than for anything else.
    @Test func aPollWaitsForAnotherAnswer() async throws {
        let isAsked = Atomic(false)
        let mayAnswer = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let site = PageServer { request in
            guard request.path != "/session?after=" else {
                return .init(body: Array(#"{"state":"new","version":"a1"}"#.utf8))
            }
            guard request.path == "/session?after=a1" else {
                mayEnd.wait()
                return .init(status: 404)
            }
            isAsked.store(true, ordering: .releasing)
            mayAnswer.wait()
            return .init(body: Array(#"{"state":"authenticated","version":"b2"}"#.utf8))
        }
        // The server waits for its threads at the end.
        defer {
            mayAnswer.signal()
            mayEnd.signal()
        }
        let browser = try BrowserSession(site.address())
        let polled = Task {
            var poll = StatusPoll()
            #expect(try await poll.next(browser.status(after:)).state == .new)
            return try await poll.next(browser.status(after:))
        }
        try await Patience.until { isAsked.load(ordering: .acquiring) }
        // Another request that begins later has its whole time in the meantime.
        let error = await #expect(throws: FrameSourceError.self) { try await PageCamera(browser: browser).look() }
        #expect(error?.code == .silent)
        mayAnswer.signal()
        #expect(try await polled.value.state == .authenticated)
    }

    @Test func anotherSiteIsNamed() async throws {
        let site = PageServer { _ in .html("<p>hello") }
        let browser = try BrowserSession(site.address())
        let error = await #expect(throws: FrameSourceError.self) { try await state(browser) }
        #expect(error?.code == .unreadable && error?.place == site.address("/session"))
    }
}
