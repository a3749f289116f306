// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking

/// A mail program at the backend's outbox: finds activation mails and follows their links as the addressee would.
struct DemoMailbox: Sendable {
    private struct Outbox: Decodable {
        struct Mail: Decodable {
            let to: String
            let link: String
        }
        /// The newest first.
        let mails: [Mail]
    }

    private static let pollInterval = Duration.milliseconds(100)
    /// Seconds.
    private static let timeout = 10.0

    private let session: URLSession
    private let list: URLRequest

    /// - Parameter address: of the outbox, with user name and password.
    init(_ address: String) throws {
        guard var parts = URLComponents(string: address), let user = parts.user, let password = parts.password else {
            throw DemoFailure("the backend does not say where its mails are")
        }
        (parts.user, parts.password) = (nil, nil)
        guard let outbox = parts.url else { throw DemoFailure("the backend's mails have no address") }
        var list = URLRequest(url: outbox)
        let credentials = Data("\(user):\(password)".utf8).base64EncodedString()
        list.setValue("Basic \(credentials)", forHTTPHeaderField: "Authorization")
        list.setValue("application/json", forHTTPHeaderField: "Accept")
        self.list = list
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = DemoMailbox.timeout
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    /// Waits for a mail that is not among `known`, and returns its link.
    ///
    /// - Parameter user: the addressee; nil: any.
    func link(to user: String? = nil, notAmong known: Set<String> = []) async throws -> String {
        while true {
            let (body, _) = try await session.data(for: list)
            let mails = try JSONDecoder().decode(Outbox.self, from: body).mails
            if let mail = mails.first(where: { (user == nil || $0.to == user) && !known.contains($0.link) }) {
                return mail.link
            }
            try await Task.sleep(for: DemoMailbox.pollInterval)
        }
    }

    /// Opens the link's page and presses its button.
    func follow(_ link: String) async throws {
        let parts = link.split(separator: "?", maxSplits: 1).map(String.init)
        guard let page = URL(string: link), let target = URL(string: parts[0]) else {
            throw DemoFailure("the activation mail has no link")
        }
        let opened = try await status(URLRequest(url: page))
        guard opened == 200 else { throw DemoFailure("the activation page answers with HTTP \(opened)") }
        var button = URLRequest(url: target)
        button.httpMethod = "POST"
        button.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        button.httpBody = Data((parts.count > 1 ? parts[1] : "").utf8)
        let confirmed = try await status(button)
        guard confirmed == 200 else {
            throw DemoFailure("the activation page's button answers with HTTP \(confirmed)")
        }
    }

    private func status(_ request: URLRequest) async throws -> Int {
        let (_, reply) = try await session.data(for: request)
        return (reply as? HTTPURLResponse)?.statusCode ?? 0
    }

    /// Follows every activation link soon after its mail has come, until the task is cancelled: the addressee is busy
    /// at the kiosk.
    func followAll() async throws {
        var known: Set<String> = []
        while true {
            let link = try await link(notAmong: known)
            known.insert(link)
            // A link that cannot be followed is one that a person would find dead, too.
            try? await follow(link)
        }
    }
}
