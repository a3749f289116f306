// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization
import LinuxSystem

/// The polls of login pages that are held until there is something to tell, one per page.
/// docs/decisions/0122-pages-that-wait.md
final class HeldQuestions: Sendable {
    /// The longest time that a poll is held. Proxies wait longer.
    static let limit = Duration.seconds(25)

    /// The connection or HTTP/2 stream of the current request; nil outside of a connection.
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
    ///   - capacity: polls that are held in total. Other requests use the listener's other connections.
    ///   - perAddress: polls that are held for one address.
    init(capacity: Int = ConnectionBounds.maximum / 2, perAddress: Int = 32, clock: any WallClock) {
        self.capacity = capacity
        self.perAddress = perAddress
        self.clock = clock
    }

    /// Number of held polls.
    var count: Int { questions.withLock { $0.count } }

    /// Holds a page's poll. An earlier poll of the same page is answered.
    /// - Returns: settled when the poll must be answered; nil when too many are held.
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

    /// Waits for a change, or for the time of the next look.
    /// - Returns: false when the poll must be answered without another look: a newer one has come, the client has
    ///   left, or the listener ends.
    func wait(
        for changes: AsyncStream<Void>, until end: WallTime, unless released: Eventually<Void>
    ) async -> Bool {
        let clock = clock
        @Sendable func wait() async -> Bool {
            await withTaskGroup(of: Bool.self) { group in
                group.addTask { await changes.first { _ in true } != nil }
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
    /// Marks the connection as waiting while an answer is held, so that it can make room for others.
    func hold(_ released: Eventually<Void>) {
        eventLoop.execute {
            // A closed channel gets no more events.
            guard self.isActive else { return released.settle(.success(())) }
            self.triggerUserOutboundEvent(RequestHandler.Hold(released: released), promise: nil)
        }
    }
}

extension BrowserSessions {
    /// Answers a page's poll with the login's state. The poll is held while the page already knows that state.
    /// - Parameter look: returns the login's state, and the browser's cookie from then on.
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
            // Subscribe before the look, so that no change is missed.
            let changes = changes(of: asked)
            let (current, state) = try await look(asked)
            let answer = json(of: state, showing: current)
            let isHeld =
                if let released, let changes, state.isWaiting, answer.string("version") == known,
                    clock.now < deadline
                {
                    await questions.wait(
                        for: changes, until: min(deadline, nextLook(asked, state)), unless: released)
                } else { false }
            guard isHeld else { return try await cookie.set(current, on: Response.json(answer)) }
        }
    }

    /// The time of the next look without a signal: the code changes if no device has read it.
    private func nextLook(_ cookie: BrowserCookie?, _ state: PageState) -> WallTime {
        switch (state, attempt(of: cookie)) {
        case (.new, let attempt?), (.declined, let attempt?):
            return max(attempt.changes.roundedUp, clock.now + .seconds(1))
        default: return clock.now + HeldQuestions.limit
        }
    }
}
