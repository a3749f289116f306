// SPDX-License-Identifier: Apache-2.0

import Encoding
import Foundation
import FoundationNetworking

/// A mail program for the backend's outbox. It finds activation mails and follows their links like the addressee.
struct DemoMailbox: Sendable {
    private struct Mail: Decodable {
        let to: String
        let link: String
    }

    private struct Outbox: Decodable {
        /// The mails, newest first.
        let mails: [Mail]
    }

    private static let pollInterval = Duration.milliseconds(100)
    /// Seconds.
    private static let timeout = 10.0

    private let session: URLSession
    private let list: URLRequest

    /// - Parameter address: the outbox's address, with user name and password.
    init(_ address: String) throws {
        guard var parts = URLComponents(string: address), let user = parts.user, let password = parts.password else {
            throw DemoFailure("the backend does not say where its mails are")
        }
        (parts.user, parts.password) = (nil, nil)
        guard let outbox = parts.url else { throw DemoFailure("the backend's mails have no address") }
        var list = URLRequest(url: outbox)
        let credentials = Base64.text("\(user):\(password)".utf8)
        list.setValue("Basic \(credentials)", forHTTPHeaderField: "Authorization")
        list.setValue("application/json", forHTTPHeaderField: "Accept")
        self.list = list
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = DemoMailbox.timeout
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    /// Waits for the mail to `user`, and returns its link.
    func link(to user: String) async throws -> String { try await mail { $0.to == user }.link }

    private func mail(where isWanted: (Mail) -> Bool) async throws -> Mail {
        while true {
            let (body, _) = try await session.data(for: list)
            let mails = try JSONDecoder().decode(Outbox.self, from: body).mails
            if let mail = mails.first(where: isWanted) { return mail }
            try await Task.sleep(for: DemoMailbox.pollInterval)
        }
    }

    /// Opens the link's page and presses its button.
    func follow(_ link: String) async throws {
        guard let address = URL(string: link) else { throw DemoFailure("the activation mail has no link") }
        // The short link redirects to the page.
        let (_, page) = try await session.data(from: address)
        let opened = (page as? HTTPURLResponse)?.statusCode ?? 0
        let parts = page.url?.absoluteString.split(separator: "?", maxSplits: 1).map(String.init) ?? []
        guard opened == 200, let target = parts.first.flatMap({ URL(string: $0) }) else {
            throw DemoFailure("the activation page answers with HTTP \(opened)")
        }
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

    /// Follows every activation link soon after its mail has come, until the task is cancelled, because the addressee
    /// is busy at the kiosk.
    ///
    /// - Parameter followed: called with the addressee.
    func followAll(followed: (String) -> Void) async throws {
        var known: Set<String> = []
        while true {
            let mail = try await mail { !known.contains($0.link) }
            known.insert(mail.link)
            // A person would find an invalid link useless too.
            if (try? await follow(mail.link)) != nil { followed(mail.to) }
        }
    }
}
