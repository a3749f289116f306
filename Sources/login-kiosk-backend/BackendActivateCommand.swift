// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import ReferenceBackend

struct BackendActivateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activate",
        abstract: "Confirm a user's open registrations, in place of the activation mail.")
    @OptionGroup var place: BackendStateOptions
    @Argument(help: "The user id, usually an e-mail address.") var user: String

    func run() async throws {
        let found = try await LoginKioskBackend.complaining {
            try await place.backendState().activate(userID: user)
        }
        guard found > 0 else {
            throw Complaint.make(
                "\(user): no such user waits for a confirmation", hint: "see who there is: login-kiosk-backend users",
                status: .dataError)
        }
        print("activated: \(user) (\(found))")
    }
}
