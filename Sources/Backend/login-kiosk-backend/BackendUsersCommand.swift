// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import MPinServer

struct BackendUsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "List identities and open registrations.",
        discussion: "For example: login-kiosk-backend users --json")
    @OptionGroup var place: BackendStateOptions
    @Flag(help: "Print a JSON object.") var json = false

    func run() async throws {
        let users = try await LoginKioskBackend.complaining {
            try await place.backendState().users()
        }
        if json {
            try JSONOutput.write(Document(users: users.map(Document.User.init)))
        } else if users.isEmpty {
            print("no users yet")
        } else {
            let width = users.map(\.userID.count).max() ?? 0
            for user in users {
                let name = user.userID.padding(toLength: width, withPad: " ", startingAt: 0)
                let status = user.status.rawValue.padding(toLength: 11, withPad: " ", startingAt: 0)
                let kind = user.card?.isTemporary == true ? "temporary card" : "card"
                let card = user.card.map { "  \(kind) until \($0.ends)" } ?? ""
                print("\(name)  \(status)  \(user.since)  \(user.fingerprint)\(card)")
            }
        }
    }

    private struct Document: Encodable {
        struct User: Encodable {
            let userID: String
            let status: String
            let failures: Int
            let since: String
            let lastLogin: String?
            let fingerprint: String
            let byCode: Bool
            let card: Card?

            struct Card: Encodable {
                let issued: String
                let ends: String
                let temporary: Bool
            }

            init(_ user: BackendUser) {
                userID = user.userID
                status = user.status.rawValue
                failures = user.failures
                since = user.since
                lastLogin = user.lastLogin
                fingerprint = user.fingerprint
                byCode = user.isByCode
                card = user.card.map { Card(issued: $0.issued, ends: $0.ends, temporary: $0.isTemporary) }
            }
        }
        let version = 1
        let users: [User]
    }
}
