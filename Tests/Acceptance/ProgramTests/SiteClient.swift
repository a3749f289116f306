// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import Testing

/// A browser at a site, with its own cookies: the requests of its pages, of applications, and of people who read mails.
struct SiteClient: Sendable {
    struct Mail: Decodable {
        let to: String
        let link: String
        let code: String?
    }

    let site: String
    private let session = URLSession(configuration: .ephemeral)

    init(site: String) { self.site = site }

    /// Opens the login page, which begins a session.
    init(opening site: String) async throws {
        self.init(site: site)
        _ = try await page("/")
    }

    /// The values of its cookies.
    var cookieValues: [String] { (session.configuration.httpCookieStorage?.cookies ?? []).map(\.value) }

    // MARK: Pages

    /// The picture of the login page's QR code.
    func picture() async throws -> Data { try await data(for: request("/qr.png")) }

    func page(_ path: String) async throws -> String {
        String(decoding: try await data(for: request(path)), as: UTF8.self)
    }

    /// Polls like the login page's script, without which no login completes.
    func poll() async throws { _ = try await page("/session") }

    /// Asks for the verdict on a login by its token, and takes it. Classic platforms admit nobody without it.
    ///
    /// - Returns: whether there was one.
    func takeVerdict(_ webOTT: String) async throws -> Bool {
        let access = try await post("/rps/access", ["webOTT": webOTT])
        guard let authOTT = access["authOTT"] as? String, !authOTT.isEmpty else { return false }
        _ = try await post("/mpinAuthenticate", ["mpinResponse": ["authOTT": authOTT]])
        return true
    }

    // MARK: Mails

    /// The mails in an outbox, newest first.
    ///
    /// - Parameter outbox: its address, with the password if it is not public.
    func mails(in outbox: String) async throws -> [Mail] {
        struct Outbox: Decodable { let mails: [Mail] }
        var request = URLRequest(url: try #require(URL(string: outbox)))
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        return try JSONDecoder().decode(Outbox.self, from: try await data(for: request)).mails
    }

    /// The address of the page to which a mail's short link leads.
    func page(behind link: String) async throws -> String {
        let (_, page) = try await session.data(from: try #require(URL(string: link)))
        return try #require(page.url).absoluteString
    }

    /// Follows the link of an activation mail, and presses the page's button.
    func follow(_ link: String) async throws {
        let parts = try await page(behind: link).split(separator: "?", maxSplits: 1)
        var request = URLRequest(url: try #require(URL(string: String(parts[0]))))
        request.httpMethod = "POST"
        request.httpBody = Data(parts[1].utf8)
        let (_, response) = try await session.data(for: request)
        try #require((response as? HTTPURLResponse)?.statusCode == 200)
    }

    // MARK: Requests

    func get(_ path: String) async throws -> [String: Any] { try await reply(to: request(path)) }

    func post(_ path: String, _ body: [String: Any]) async throws -> [String: Any] {
        var request = try request(path)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONSerialization.data(withJSONObject: body)
        return try await reply(to: request)
    }

    private func request(_ path: String) throws -> URLRequest {
        URLRequest(url: try #require(URL(string: site + path)))
    }

    private func data(for request: URLRequest) async throws -> Data { try await session.data(for: request).0 }

    private func reply(to request: URLRequest) async throws -> [String: Any] {
        let body = try await data(for: request)
        let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
        return try #require(object, "\(String(decoding: body, as: UTF8.self))")
    }
}
