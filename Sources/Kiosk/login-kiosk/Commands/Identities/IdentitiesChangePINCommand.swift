// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import KioskMachine
import KioskPorts
import KioskRuntime
import LoginValues
import MPinClient

struct IdentitiesChangePINCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change-pin", abstract: "Change the PIN of one identity.",
        discussion: """
            The backend checks the old PIN and counts a wrong one as in a login. The new PIN replaces the old one on \
            this device in one step. If anything fails before that, the old PIN remains. A separate PIN for signing \
            does not change.
            Both PINs are typed at the terminal, the new one twice, or are the next two lines of standard input.
            For example: login-kiosk identities change-pin --user alice@example.com
            """)

    @OptionGroup var options: KioskOptions
    @OptionGroup var identity: IdentityOptions
    @Option(help: "The path prefix of the backend's RPS. Default: from the service, else rps.")
    var rpsPrefix: String?
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    func run() async throws {
        let configuration = try options.require()
        let parts = try await KioskParts(options, configuration)
        try await RunReport.reporting(user: identity.user, json: json) {
            let run = CommandRun(parts.client)
            let user = try await run.open(identity.user, at: identity.backend, rpsPrefix: rpsPrefix)
            let name = "\(DisplayText(user.identity)) at \(DisplayText(user.backend))"
            try await run.changePIN(
                of: user, askPIN: { await PINPrompt.read(for: "Change the PIN of \(name)", name: "Old PIN") },
                newPIN: PINPrompt.newPIN(configuration.policy))
            try RunReport.succeed(.pinChanged, "the PIN was changed: \(name)", user: user.identity, json: json)
        }
    }
}
