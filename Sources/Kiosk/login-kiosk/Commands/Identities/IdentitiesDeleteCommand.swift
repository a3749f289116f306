// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import KioskMachine
import KioskPorts
import KioskRuntime
import MPinClient

struct IdentitiesDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete one identity from this device.",
        discussion: """
            The identity's tokens are deleted in one step. Other identities are not touched. The backend is not told, \
            and the user can be registered again.
            For example: login-kiosk identities delete --user alice@example.com
            """)

    @OptionGroup var options: KioskOptions
    @OptionGroup var identity: IdentityOptions
    @Flag(help: "Do not ask.") var yes = false
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    func run() async throws {
        guard yes || PINPrompt.isAttended else {
            throw Complaint.make(
                "there is no terminal to ask at", hint: "to delete without a question: --yes", status: .usage)
        }
        let parts = try await KioskParts(options, try options.require())
        try await RunReport.reporting(user: identity.user, json: json) {
            let user = try await parts.client.identity(of: identity.user, at: identity.backend)
            let name = "\(DisplayText(user.identity)) at \(DisplayText(user.key.backend))"
            guard yes || IdentitiesDeleteCommand.agrees("Delete \(name)? (y/N) ") else {
                throw KioskFailure(.declined)
            }
            try await parts.client.delete(user)
            try RunReport.succeed(.identityDeleted, "deleted: \(name)", user: user.identity, json: json)
        }
    }

    private static func agrees(_ question: String) -> Bool {
        PINPrompt.say(question)
        let answer = readLine()?.lowercased()
        return answer == "y" || answer == "yes"
    }
}
