// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import ReferenceBackend

struct BackendRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Let a user's identities log in no more; the user may register again.")
    @OptionGroup var place: BackendStateOptions
    @Argument(help: "The user id, usually an e-mail address.") var user: String

    func run() async throws {
        let found = try await LoginKioskBackend.complaining {
            try await place.backendState().revoke(userID: user)
        }
        guard found > 0 else {
            throw Complaint.make(
                "\(user): no such user has an identity", hint: "see who there is: login-kiosk-backend users",
                status: .dataError)
        }
        print("revoked: \(user) (\(found))")
    }
}
