// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import KioskMachine
import KioskPorts
import KioskRuntime
import LoginValues
import MPinClient

/// The options and the work of commands that log in for a code, which the person types elsewhere.
struct IssuedCodeOptions: ParsableArguments {
    @OptionGroup var options: KioskOptions
    @OptionGroup var identity: IdentityOptions
    @Option(help: "The path prefix of the backend's RPS. Default: from the service, else rps.")
    var rpsPrefix: String?
    @Flag(help: "Print a JSON object.") var json = false

    /// - Parameters:
    ///   - task: issues the digits.
    ///   - name: the digits' name, in the middle of a sentence.
    func run(_ task: KioskTask, for name: String) async throws {
        let parts = try await KioskParts(options, try options.require())
        try await RunReport.reporting(user: identity.user, json: json) {
            let run = CommandRun(parts.client)
            let user = try await run.open(identity.user, at: identity.backend, rpsPrefix: rpsPrefix)
            let place = "of \(DisplayText(user.identity)) at \(DisplayText(user.backend))"
            let code = try await run.issueCode(task, of: user) {
                await PINPrompt.read(for: "\(name.prefix(1).uppercased())\(name.dropFirst()) \(place)")
            }
            try await IssuedCodeReport(code, name).show(user: user.identity, json: json, logger: parts.logger)
        }
    }
}

struct OTPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp",
        abstract: "Get a one-time password to type in somewhere else.",
        discussion: """
            The PIN is typed at the terminal, or is the next line of standard input. A terminal shows the password \
            until it expires. Otherwise it is the only line of output.
            For example: login-kiosk otp --user alice@example.com
            """)

    @OptionGroup var code: IssuedCodeOptions

    func run() async throws { try await code.run(.oneTimePassword, for: "one-time password") }
}

struct RegistrationCodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registration-code",
        abstract: "Make a registration code for another device of the same user.",
        discussion: """
            The PIN is typed at the terminal, or is the next line of standard input. A terminal shows the code until \
            it expires. Otherwise it is the only line of output. On the other device: login-kiosk enroll --code
            For example: login-kiosk registration-code --user alice@example.com
            """)

    @OptionGroup var code: IssuedCodeOptions

    func run() async throws { try await code.run(.registrationCode, for: "registration code") }
}
