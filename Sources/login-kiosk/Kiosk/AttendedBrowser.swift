// SPDX-License-Identifier: Apache-2.0

import Logging
import SimulatedCamera

/// The person at a filmed browser: opens the login page, reloads it when its code has expired, and logs out some time
/// after a login, so that the next one can be shown.
struct AttendedBrowser: Sendable {
    /// As often as a login page asks for its own state.
    static let pollInterval = Duration.seconds(1)
    /// How long the page of a logged-in user stays open.
    static let visit = Duration.seconds(10)
    /// For pages that do not tell their state: shorter than a code's usual life.
    static let reloadInterval = Duration.seconds(60)
    static let retryInterval = Duration.seconds(3)

    let page: FilmedPage
    let logger: Logger

    /// Runs until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do throws(BrowserError) {
                try await page.camera.look()
                try await waitUntilStale()
            } catch {
                if !Task.isCancelled { logger.warning("no login page", metadata: ["reason": "\(error)"]) }
                try? await Task.sleep(for: AttendedBrowser.retryInterval)
            }
        }
    }

    private func waitUntilStale() async throws(BrowserError) {
        while (try? await Task.sleep(for: AttendedBrowser.pollInterval)) != nil {
            guard let status = try? await page.browser.status() else {
                try? await Task.sleep(for: AttendedBrowser.reloadInterval)
                return
            }
            switch status.state {
            case .new, .scanned, .user: continue
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
