// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import Foundation
import LoginValues
import MPinClient
import ReferenceBackend

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
    private static let formType = HTTPHeader("Content-Type", "application/x-www-form-urlencoded")

    private let transport: any HTTPTransport
    private let outbox: WebAddress
    private let authorization: String

    init(_ addresses: Backend.Addresses) throws {
        transport = try CurlHTTPTransport(CurlHTTPTransport.Configuration())
        outbox = try WebAddress(addresses.outboxURL)
        authorization = addresses.outboxAuthorization
    }

    /// Waits for a mail that is not among `known`, and returns its link.
    ///
    /// - Parameter user: the addressee; nil: anybody.
    func link(to user: String? = nil, notAmong known: Set<String> = []) async throws -> String {
        while true {
            let reply = try await transport.send(
                HTTPRequest(
                    .get, outbox,
                    headers: [HTTPHeader("Authorization", authorization), HTTPHeader("Accept", "application/json")]),
                trusting: nil)
            let mails = try JSONDecoder().decode(Outbox.self, from: DemoMailbox.data(reply.body)).mails
            if let mail = mails.first(where: { (user == nil || $0.to == user) && !known.contains($0.link) }) {
                return mail.link
            }
            try await Task.sleep(for: DemoMailbox.pollInterval)
        }
    }

    private static func data(_ body: SecretBytes) -> Data {
        body.withBytes { bytes in Data(bytes.indices.map { bytes[$0] }) }
    }

    /// Opens the link's page and presses its button.
    func follow(_ link: String) async throws {
        let page = try WebAddress(link)
        let opened = try await transport.send(HTTPRequest(.get, page), trusting: nil)
        guard opened.status == 200 else {
            throw DemoFailure("the activation page answers with HTTP \(opened.status)")
        }
        let form = SecretBytes(copying: Array((page.query ?? "").utf8).span)
        let confirmed = try await transport.send(
            HTTPRequest(.post, page.base, headers: [DemoMailbox.formType], body: form), trusting: nil)
        guard confirmed.status == 200 else {
            throw DemoFailure("the activation page's button answers with HTTP \(confirmed.status)")
        }
    }

    /// Follows every activation link soon after its mail has come, until the task is cancelled: the addressee is busy at
    /// the kiosk.
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
