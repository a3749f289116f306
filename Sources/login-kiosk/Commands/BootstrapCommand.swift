// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import KioskCore
import KioskRuntime
import MPinClient

struct BootstrapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bootstrap",
        abstract: "Make a code with which another device of the same user is enrolled.",
        discussion: """
            The PIN is typed at the terminal, or is the next line of standard input. On a terminal the code stands there until \
            it ends; elsewhere it is the one line of output. The other device takes it with: login-kiosk enroll --code

            For example: login-kiosk bootstrap --user alice@example.com
            """)

    @OptionGroup var options: KioskOptions
    @OptionGroup var identity: IdentityOptions
    @Option(help: "The path prefix of the backend's RPS. Default: what the service says, else rps.")
    var rpsPrefix: String?
    @Flag(help: "Print a JSON object.") var json = false

    func run() async throws {
        let parts = try await KioskParts(options, try options.require())
        try await RunReport.reporting(user: identity.user, json: json) {
            let desk = parts.desk
            let user = try await desk.identity(of: identity.user, at: identity.backend)
            try await desk.open(user, backend: identity.backend, rpsPrefix: rpsPrefix)
            let purpose = "Code for another device of \(DisplayText(user.identity)) at \(DisplayText(user.backend))"
            let code = try await desk.registrationCode(of: user) { await PINPrompt.read(for: purpose) }
            try await IssuedCodeReport(code, "code for another device").show(user: user.identity, json: json)
        }
    }
}
