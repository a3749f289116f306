// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import KioskPorts
import KioskRuntime
import LoginValues
import MPinClient

/// The options and the work of the commands that log in for a code which the person types in elsewhere.
struct IssuedCodeOptions: ParsableArguments {
    @OptionGroup var options: KioskOptions
    @OptionGroup var identity: IdentityOptions
    @Option(help: "The path prefix of the backend's RPS. Default: what the service says, else rps.")
    var rpsPrefix: String?
    @Flag(help: "Print a JSON object.") var json = false

    /// - Parameters:
    ///   - name: what the digits are, in the middle of a sentence.
    ///   - issue: logs in with the PIN that it asks for.
    func run(
        for name: String,
        _ issue: (OperatorDesk, User, @Sendable () async -> Pin?) async throws(CommandFailure) -> OneTimePassword
    ) async throws {
        let parts = try await KioskParts(options, try options.require())
        try await RunReport.reporting(user: identity.user, json: json) {
            let desk = parts.desk
            let user = try await desk.identity(of: identity.user, at: identity.backend)
            try await desk.open(user, backend: identity.backend, rpsPrefix: rpsPrefix)
            let place = "of \(DisplayText(user.identity)) at \(DisplayText(user.backend))"
            let code = try await issue(desk, user) {
                await PINPrompt.read(for: "\(name.prefix(1).uppercased())\(name.dropFirst()) \(place)")
            }
            try await IssuedCodeReport(code, name).show(user: user.identity, json: json, logger: parts.logger)
        }
    }
}

struct OTPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp",
        abstract: "Get a one-time password, which is typed in somewhere else.",
        discussion: """
            The PIN is typed at the terminal, or is the next line of standard input. On a terminal the password stands \
            there until it ends; elsewhere it is the one line of output.

            For example: login-kiosk otp --user alice@example.com
            """)

    @OptionGroup var code: IssuedCodeOptions

    func run() async throws {
        try await code.run(for: "one-time password") { desk, user, askPIN throws(CommandFailure) in
            try await desk.oneTimePassword(of: user, askPIN: askPIN)
        }
    }
}

struct BootstrapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bootstrap",
        abstract: "Make a code with which another device of the same user is enrolled.",
        discussion: """
            The PIN is typed at the terminal, or is the next line of standard input. On a terminal the code stands \
            there until it ends; elsewhere it is the one line of output. The other device takes it with: login-kiosk \
            enroll --code

            For example: login-kiosk bootstrap --user alice@example.com
            """)

    @OptionGroup var code: IssuedCodeOptions

    func run() async throws {
        try await code.run(for: "code for another device") { desk, user, askPIN throws(CommandFailure) in
            try await desk.registrationCode(of: user, askPIN: askPIN)
        }
    }
}
