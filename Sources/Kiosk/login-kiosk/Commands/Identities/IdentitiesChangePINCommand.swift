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
            The backend judges the old PIN; a wrong one counts there as in a login. The new one is the device's own \
            business: it takes the old one's place in one step, and whatever goes wrong before, the old one goes on \
            working. A PIN of its own for signing stays as it is.

            Both are typed at the terminal, the new one twice, or are the next two lines of standard input.

            For example: login-kiosk identities change-pin --user alice@example.com
            """)

    @OptionGroup var options: KioskOptions
    @OptionGroup var identity: IdentityOptions
    @Option(help: "The path prefix of the backend's RPS. Default: what the service says, else rps.")
    var rpsPrefix: String?
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    func run() async throws {
        let configuration = try options.require()
        let parts = try await KioskParts(options, configuration)
        let newPIN = NewPINChoice(policy: configuration.policy, isAttended: PINPrompt.isAttended) {
            await PINPrompt.readNew($0)
        }
        try await RunReport.reporting(user: identity.user, json: json) {
            let desk = parts.desk
            let user = try await desk.identity(of: identity.user, at: identity.backend)
            try await desk.open(user, backend: identity.backend, rpsPrefix: rpsPrefix)
            let name = "\(DisplayText(user.identity)) at \(DisplayText(user.backend))"
            try await desk.changePIN(of: user, askPIN: { await Self.oldPIN(name) }, newPIN: newPIN)
            try RunReport.succeed(.pinChanged, "the PIN was changed: \(name)", user: user.identity, json: json)
        }
    }

    private static func oldPIN(_ name: String) async -> Pin? {
        await PINPrompt.read(for: "Change the PIN of \(name)", name: "Old PIN")
    }
}
