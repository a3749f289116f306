// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import KioskRuntime

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
        try await code.run(for: "code for another device") { desk, user, askPIN throws(RunFailure) in
            try await desk.registrationCode(of: user, askPIN: askPIN)
        }
    }
}
