// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import Hummingbird
import MPinServer

extension BrowserSessions {
    /// Answers a page's poll with the login's state. The poll is held while the page already knows that state.
    /// - Parameter look: returns the login's state, and the browser's cookie from then on.
    func answer(
        _ request: Request, _ cookie: SiteCookie,
        _ look: (BrowserCookie?) async throws -> (cookie: BrowserCookie?, login: LoginSession)
    ) async throws -> Response {
        let asked = try await cookie.value(of: request)
        let known = try request.queryFields()["after"]
        let page = known == nil ? nil : attempt(of: asked).map { BrowserCookie.session($0.page) }
        let released = page.flatMap { polls.begin($0) }
        defer { if let page, let released { polls.end(page, released) } }
        let deadline = clock.now + LongPolls.limit
        while true {
            // Subscribe before the look, so that no change is missed.
            let changes = changes(of: asked)
            let (current, login) = try await look(asked)
            let answer = json(of: login, showing: current)
            let isHeld =
                if let released, let changes, login.status.isOpen, answer.string("version") == known,
                    clock.now < deadline
                {
                    await polls.wait(
                        for: changes, until: min(deadline, nextLook(asked, login.status)), unless: released)
                } else { false }
            guard isHeld else { return try await cookie.set(current, on: Response.json(answer)) }
        }
    }

    /// The time of the next look without a signal: the code changes if no device has read it.
    private func nextLook(_ cookie: BrowserCookie?, _ status: LoginStatus) -> WallTime {
        switch (status, attempt(of: cookie)) {
        case (.new, let attempt?), (.declined, let attempt?):
            return max(attempt.changes.roundedUp, clock.now + .seconds(1))
        default: return clock.now + LongPolls.limit
        }
    }
}
