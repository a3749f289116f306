// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import ReferenceBackend

struct BackendUsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "List identities and open registrations.")
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
                print("\(name)  \(status)  \(user.since)  \(user.fingerprint)")
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

            init(_ user: BackendUser) {
                userID = user.userID
                status = user.status.rawValue
                failures = user.failures
                since = user.since
                lastLogin = user.lastLogin
                fingerprint = user.fingerprint
            }
        }
        let version = 1
        let users: [User]
    }
}
