// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import ReferenceBackend

struct BackendUnblockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Forget a user's wrong PINs.")
    @OptionGroup var place: BackendStateOptions
    @Argument(help: "The user id, usually an e-mail address.") var user: String

    func run() async throws {
        let found = try await LoginKioskBackend.complaining {
            try await place.backendState().unblock(userID: user)
        }
        guard found > 0 else {
            throw Complaint.make(
                "\(user): no such user has an identity", hint: "see who there is: login-kiosk-backend users",
                status: .dataError)
        }
        print("unblocked: \(user) (\(found))")
    }
}
