// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface

/// The demonstration. It starts the other programs like a person, and plays their surroundings: browser, mail
/// program, camera and, unattended, the person's keys. It contains no part of kiosk or backend.
@main
struct LoginKioskDemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login-kiosk-demo",
        abstract: "Show a whole login on this machine: backend, browser, camera and kiosk.",
        discussion: """
            Starts the reference backend, films its login page with a simulated camera, and runs the kiosk in this \
            terminal, where you press the keys. The links in mails are opened for you.
            With --unattended, or without a terminal, the demo presses the keys for you: a user registers, a browser \
            is logged in, a wrong PIN is refused. It prints each step with its time, and at the end 'login succeeded'.
            """,
        version: Version.current, subcommands: [ShowCommand.self, FilmCommand.self],
        defaultSubcommand: ShowCommand.self)

    @MainActor
    static func main() async { await start() }
}
