// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import KioskRuntime

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
        try await code.run(for: "one-time password") { desk, user, askPIN throws(RunFailure) in
            try await desk.oneTimePassword(of: user, askPIN: askPIN)
        }
    }
}
