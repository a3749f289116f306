// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import Testing

/// The requests of pages and applications to their site.
struct SiteClient: Sendable {
    let site: String
    private let session = URLSession(configuration: .ephemeral)

    init(site: String) { self.site = site }

    func get(_ path: String) async throws -> [String: Any] {
        try await reply(to: URLRequest(url: try #require(URL(string: site + path))))
    }

    func post(_ path: String, _ body: [String: Any]) async throws -> [String: Any] {
        var request = URLRequest(url: try #require(URL(string: site + path)))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONSerialization.data(withJSONObject: body)
        return try await reply(to: request)
    }

    /// Follows the link of an activation mail, like a browser.
    func follow(_ link: String) async throws {
        let (_, page) = try await session.data(from: try #require(URL(string: link)))
        let parts = try #require(page.url).absoluteString.split(separator: "?", maxSplits: 1)
        var request = URLRequest(url: try #require(URL(string: String(parts[0]))))
        request.httpMethod = "POST"
        request.httpBody = Data(parts[1].utf8)
        let (_, response) = try await session.data(for: request)
        try #require((response as? HTTPURLResponse)?.statusCode == 200)
    }

    /// The link in the newest mail.
    ///
    /// - Parameter outbox: the outbox's address, with the password.
    func mailedLink(in outbox: String) async throws -> String {
        var request = URLRequest(url: try #require(URL(string: outbox)))
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        let mails = try #require(try await reply(to: request)["mails"] as? [[String: Any]])
        return try #require(mails.first?["link"] as? String)
    }

    private func reply(to request: URLRequest) async throws -> [String: Any] {
        let (body, _) = try await session.data(for: request)
        let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
        return try #require(object, "\(String(decoding: body, as: UTF8.self))")
    }
}
