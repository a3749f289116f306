// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import KioskCore
import KioskRuntime
import MPinClient

struct OTPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp",
        abstract: "Get a one-time password, which is typed in somewhere else.",
        discussion: """
            The PIN is typed at the terminal, or is the next line of standard input. On a terminal the password stands there \
            until it ends; elsewhere it is the one line of output.

            For example: login-kiosk otp --user alice@example.com
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
            let purpose = "One-time password of \(DisplayText(user.identity)) at \(DisplayText(user.backend))"
            let password = try await desk.oneTimePassword(of: user) { await PINPrompt.read(for: purpose) }
            try await IssuedCodeReport(password, "one-time password").show(user: user.identity, json: json)
        }
    }
}
