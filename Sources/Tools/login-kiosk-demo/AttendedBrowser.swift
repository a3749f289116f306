// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import Logging
import SimulatedCamera

/// The person at a filmed browser: opens the login page, reloads it when its code has expired or changed, opens it
/// again when a kiosk has read its code and somebody refused, and logs out some time after a login, so that the next
/// one can be shown. Reports when there is no page to be seen.
struct AttendedBrowser: Sendable {
    /// The time for which the page of a logged-in user stays open.
    static let visit = Duration.seconds(10)
    /// The pauses before the page is tried again; the last one is repeated.
    static let retryPauses: [Duration] = [
        .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(15), .seconds(30),
    ]
    /// A page that has not loaded after this time is reported, and still awaited.
    static let slowAnswer = Duration.seconds(3)

    let page: FilmedPage
    let logger: Logger
    /// Receives the reason why there is nothing to film.
    let complain: @Sendable (String) -> Void

    /// Runs until the task is cancelled.
    func run() async {
        var failures = 0
        while !Task.isCancelled {
            do throws(FrameSourceError) {
                try await load(isFirst: failures == 0)
                try await waitUntilStale()
                failures = 0
            } catch {
                if Task.isCancelled { return }
                complain("\(error)")
                let pause = AttendedBrowser.retryPauses[min(failures, AttendedBrowser.retryPauses.count - 1)]
                failures += 1
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// - Parameter isFirst: whether nothing was printed about it yet.
    private func load(isFirst: Bool) async throws(FrameSourceError) {
        let complaint = Task {
            guard isFirst, (try? await Task.sleep(for: AttendedBrowser.slowAnswer)) != nil else { return }
            let seconds = AttendedBrowser.slowAnswer.components.seconds
            complain("\(page.browser.page): has not answered for \(seconds) s; it is waited for")
        }
        defer { complaint.cancel() }
        try await page.camera.look()
    }

    private func waitUntilStale() async throws(FrameSourceError) {
        var picture: String?
        var poll = StatusPoll()
        while !Task.isCancelled {
            let status = try await poll.next(page.browser.status(after:))
            switch status.state {
            case .new where status.declined == true:
                // The kiosk does not read this code a second time.
                page.browser.forgetCookies()
                return
            case .new, .scanned, .user:
                // A code that no kiosk reads changes.
                guard picture == nil || status.picture == picture else { return }
                picture = status.picture
            case .expired: return
            case .authenticated:
                logger.notice("the browser is logged in")
                try? await Task.sleep(for: AttendedBrowser.visit)
                try await page.browser.logOut()
                return
            }
        }
    }
}
