// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import KioskMachine
import KioskPorts
import KioskRuntime

struct IdentitiesShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print one identity.",
        discussion: "For example: login-kiosk identities show --user alice@example.com")

    @OptionGroup var options: KioskOptions
    @OptionGroup var identity: IdentityOptions
    @Flag(help: "Also print the mpin_id.") var verbose = false
    @Flag(help: "Print a JSON object.") var json = false

    private struct Document: Encodable {
        let version = 1
        let identity: IdentityDocument
    }

    func run() async throws {
        let parts = try await IdentitiesCommand.look(options)
        try await RunReport.reporting(user: identity.user, json: json) {
            guard let parts else { throw KioskFailure(.unknownUser) }
            let user = try await parts.client.identity(of: identity.user, at: identity.backend)
            let document = IdentityDocument(user, isVerbose: verbose)
            if json { return try JSONOutput.write(Document(identity: document)) }
            for line in document.lines { print(line) }
        }
    }
}
