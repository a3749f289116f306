// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import KioskMachine
import KioskRuntime
import LoginValues

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Log one browser in, for operators and scripts.",
        discussion: """
            The first line of standard input, or of --qr-file, is the text of the QR code. The PIN is typed at the \
            terminal, or is the next line of standard input. Neither is ever an argument, because every user of the \
            machine can read those.
            For example: login-kiosk login --user alice@example.com --qr-file /run/code
            Exit codes: 0 logged in, 80 wrong PIN, 81 blocked, 83 code expired, 85 unknown. \
            \(InstalledPages.located(in: "docs/commands.md")) lists all of them.
            """)

    @OptionGroup var options: KioskOptions
    @Option(help: "The registered user.") var user: String
    @Option(help: "File whose first line is the QR code's text.") var qrFile: String?
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    func run() async throws {
        let parts = try await KioskParts(options, try options.require())
        let symbol = try SecretPrompt.symbol(file: qrFile)
        try await RunReport.reporting(user: user, json: json) {
            try await CommandRun(parts.client).logIn(symbol: symbol, userID: user) { await PINPrompt.read(for: $0) }
            try RunReport.succeed(.loggedIn, "logged in: \(user)", user: user, json: json)
        }
    }
}
