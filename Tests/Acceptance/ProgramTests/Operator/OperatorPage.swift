// SPDX-License-Identifier: Apache-2.0

import Testing

/// A login page in a browser.
struct OperatorPage: Sendable {
    /// The text of its QR code.
    let code: String
    private let webOTT: String
    private let dialect: OperatorDialect
    private let client: SiteClient

    init(_ session: [String: Any], _ dialect: OperatorDialect, _ client: SiteClient) throws {
        code = try #require((session["qrURL"] ?? session["qrUrl"]) as? String, "\(session)")
        webOTT = try #require(session["webOTT"] as? String)
        self.dialect = dialect
        self.client = client
    }

    /// Polls like the page's script until somebody has logged in. Classic platforms admit nobody without it.
    func poll() async throws {
        guard dialect == .milagro || dialect == .mfaV1 else { return }
        while !Task.isCancelled {
            if try await client.takeVerdict(webOTT) { return }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
