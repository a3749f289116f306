// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization
import Waiting

/// The questions of login pages that are held until there is something to tell, one of each page.
/// docs/decisions/0122-pages-that-wait.md
final class HeldQuestions: Sendable {
    /// The time that a question is held at most: proxies wait longer for an answer.
    static let limit = Duration.seconds(25)

    /// The connection, or the stream of one, whose request is being answered; nil for a request that none brought.
    @TaskLocal static var channel: (any Channel)?

    private struct Question {
        let address: ClientAddress
        let released: Eventually<Void>
    }

    private let capacity: Int
    private let perAddress: Int
    private let clock: any WallClock
    private let questions = Mutex<[BrowserCookie: Question]>([:])

    /// - Parameters:
    ///   - capacity: how many are held in all. The listener's other connections stay free of them.
    ///   - perAddress: how many are held for one address.
    init(capacity: Int = ConnectionBounds.maximum / 2, perAddress: Int = 32, clock: any WallClock) {
        self.capacity = capacity
        self.perAddress = perAddress
        self.clock = clock
    }

    /// The number of held questions.
    var count: Int { questions.withLock { $0.count } }

    /// Holds a page's question. An earlier one of the same page is answered.
    /// - Returns: settled when the question is to be answered; nil where enough are held.
    func begin(_ page: BrowserCookie) -> Eventually<Void>? {
        let question = Question(address: .current, released: Eventually())
        let (earlier, isHeld) = questions.withLock { questions in
            let earlier = questions.removeValue(forKey: page)
            let isHeld =
                questions.count < capacity
                && questions.values.count { $0.address == question.address } < perAddress
            if isHeld { questions[page] = question }
            return (earlier, isHeld)
        }
        earlier?.released.settle(.success(()))
        return isHeld ? question.released : nil
    }

    func end(_ page: BrowserCookie, _ released: Eventually<Void>) {
        questions.withLock { questions in
            if questions[page]?.released === released { questions[page] = nil }
        }
    }

    /// Waits until something has changed, or for the time to look.
    /// - Returns: false when the question is to be answered without another look: another one has taken its place, the
    ///   client has left, or the listener ends.
    func wait(
        for changes: [AsyncStream<[UInt8]>], until end: WallTime, unless released: Eventually<Void>
    ) async -> Bool {
        let clock = clock
        @Sendable func wait() async -> Bool {
            await withTaskGroup(of: Bool.self) { group in
                for stream in changes {
                    group.addTask { await stream.first { _ in true } != nil }
                }
                group.addTask { (try? await clock.sleep(until: end)) != nil }
                group.addTask {
                    try? await released.value
                    return false
                }
                let isToLook = await group.next() ?? false
                group.cancelAll()
                return isToLook
            }
        }
        return await withGracefulShutdownHandler {
            Self.channel?.hold(released)
            defer { Self.channel?.triggerUserOutboundEvent(RequestHandler.HoldEnds(), promise: nil) }
            return await wait()
        } onGracefulShutdown: {
            released.settle(.success(()))
        }
    }
}

extension Channel {
    /// While an answer is held the connection makes room for others, as those do that wait for a request.
    func hold(_ released: Eventually<Void>) {
        eventLoop.execute {
            // A channel that is closed hears nothing more.
            guard self.isActive else { return released.settle(.success(())) }
            self.triggerUserOutboundEvent(RequestHandler.Hold(released: released), promise: nil)
        }
    }
}

extension BrowserSessions {
    /// Answers a page's question how far its login is. While that is what the page says that it knows, the question is
    /// held until it changes.
    /// - Parameter look: says how far the login is, and which cookie the browser has from then on.
    func answer(
        _ request: Request, _ cookie: SiteCookie,
        _ look: (BrowserCookie?) async throws -> (cookie: BrowserCookie?, state: PageState)
    ) async throws -> Response {
        let asked = try await cookie.value(of: request)
        let known = try request.queryFields()["after"]
        let page = known == nil ? nil : attempt(of: asked).map { BrowserCookie.session($0.page) }
        let released = page.flatMap { questions.begin($0) }
        defer { if let page, let released { questions.end(page, released) } }
        let deadline = clock.now + HeldQuestions.limit
        while true {
            // From before the look: nothing happens between the two.
            let changes = changes(of: asked)
            let (current, state) = try await look(asked)
            let answer = json(of: state, showing: current)
            let isHeld =
                if let released, !changes.isEmpty, state.isWaiting, answer.string("version") == known,
                    clock.now < deadline
                {
                    await questions.wait(
                        for: changes, until: min(deadline, nextLook(asked, state)), unless: released)
                } else { false }
            guard isHeld else { return try await cookie.set(current, on: Response.json(answer)) }
        }
    }

    /// The time to look again although nothing was heard: the code changes if no device has read it.
    private func nextLook(_ cookie: BrowserCookie?, _ state: PageState) -> WallTime {
        switch (state, attempt(of: cookie)) {
        case (.new, let attempt?), (.declined, let attempt?):
            return max(attempt.changes.roundedUp, clock.now + .seconds(1))
        default: return clock.now + HeldQuestions.limit
        }
    }
}
