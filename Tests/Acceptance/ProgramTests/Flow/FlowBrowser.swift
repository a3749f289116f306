// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The browser of an interaction, and its page, which shows a QR code or an access number.
final class FlowBrowser {
    private let browser: SiteClient
    /// The token of the access number on the page.
    private var webOTT: String?

    init(site: String) async throws { browser = try await SiteClient(opening: site) }

    func picture() async throws -> Data { try await browser.picture() }

    /// The access number. docs/protocol/milagro.md, section 7.3.
    func accessNumber() async throws -> String {
        let reply = try await browser.post("/rps/getAccessNumber", [:])
        webOTT = reply["webOTT"] as? String
        return try #require(reply["accessNumber"] as? String)
    }

    /// Polls like the page's script, without which no login completes.
    func poll() async throws {
        guard let webOTT else { return try await browser.poll() }
        if try await browser.takeVerdict(webOTT) { self.webOTT = nil }
    }

    func isLoggedIn(as user: String) async throws -> Bool { try await browser.page("/protected").contains(user) }
}
