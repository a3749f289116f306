// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import Testing

/// A browser at the backend's login page, with its own cookies.
final class TestBrowser: Sendable {
    private let site: String
    private let session = URLSession(configuration: .ephemeral)

    /// Opens the login page, which begins a session.
    init(site: String) async throws {
        self.site = site
        _ = try await page("/")
    }

    /// The picture of this session's QR code.
    func picture() async throws -> Data { try await get("/qr.png") }

    func page(_ path: String) async throws -> String { String(decoding: try await get(path), as: UTF8.self) }

    /// Polls like the page's script, without which no login completes.
    func poll() async throws { _ = try await get("/session") }

    func post(_ path: String, _ body: [String: Any]) async throws -> [String: Any] {
        var request = URLRequest(url: try #require(URL(string: site + path)))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONSerialization.data(withJSONObject: body)
        let (reply, _) = try await session.data(for: request)
        return try #require(try JSONSerialization.jsonObject(with: reply) as? [String: Any])
    }

    private func get(_ path: String) async throws -> Data {
        try await session.data(from: try #require(URL(string: site + path))).0
    }
}
