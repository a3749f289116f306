// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import ReferenceBackend

struct BackendRenewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Make a user's devices take new keys at their next login; those of the classic dialects cannot.")
    @OptionGroup var place: BackendStateOptions
    @Argument(help: "The user id, usually an e-mail address.") var user: String

    func run() async throws {
        let found = try await LoginKioskBackend.complaining {
            try await place.backendState().renew(userID: user)
        }
        guard found > 0 else {
            throw Complaint.make(
                "\(user): no such user has an identity with a key", hint: "see who there is: login-kiosk-backend users",
                status: .dataError)
        }
        print("to be renewed: \(user) (\(found))")
    }
}
