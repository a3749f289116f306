// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The browser of an interaction, and its page: it shows a QR code, or, as pages for typing hands do, an access number.
final class FlowBrowser {
    private let browser: TestBrowser
    /// What belongs to the access number that the page shows.
    private var webOTT: String?

    init(site: String) async throws { browser = try await TestBrowser(site: site) }

    func picture() async throws -> Data { try await browser.picture() }

    /// Milagro protocol, section 7.3.
    func accessNumber() async throws -> String {
        let reply = try await browser.post("/rps/getAccessNumber", [:])
        webOTT = reply["webOTT"] as? String
        return try #require(reply["accessNumber"] as? String)
    }

    /// What the page's script does every second; without it no login completes.
    func poll() async throws {
        guard let webOTT else { return try await browser.poll() }
        let access = try await browser.post("/rps/access", ["webOTT": webOTT])
        guard let authOTT = access["authOTT"] as? String, !authOTT.isEmpty else { return }
        _ = try await browser.post("/mpinAuthenticate", ["mpinResponse": ["authOTT": authOTT]])
        self.webOTT = nil
    }

    func isLoggedIn(as user: String) async throws -> Bool { try await browser.page("/protected").contains(user) }
}
