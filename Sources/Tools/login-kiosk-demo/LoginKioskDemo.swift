// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface

/// The demonstration: starts the other programs as a person would, and brings what is in front of them: browser, mail
/// program, camera and, unattended, fingers. It holds no part of kiosk or backend.
@main
struct LoginKioskDemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login-kiosk-demo",
        abstract: "Show everything on this machine: backend, browser, camera and kiosk.",
        discussion: """
            Without a subcommand it shows: it starts the reference backend, films its login page with a simulated \
            camera, and runs the kiosk on this terminal. Mails are read for you: an activation link is followed as \
            soon as its mail has come.

            Unattended, and without a terminal, it also presses the keys: a user registers, a browser is logged in, a \
            wrong PIN is shown. It prints the steps with their times and 'login succeeded'.
            """,
        version: Version.current, subcommands: [ShowCommand.self, FilmCommand.self],
        defaultSubcommand: ShowCommand.self)

    @MainActor
    static func main() async { await start() }
}
