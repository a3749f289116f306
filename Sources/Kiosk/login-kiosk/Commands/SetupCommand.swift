// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import HostIntegration
import LinuxSystem
import Logging
import ServiceLifecycle
import Signage

struct SetupCommand: LastingCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Set this kiosk up at its panel or at a terminal, step by step.",
        discussion: """
            Asks for language, camera, keypad, display, lamps, network and the trusted service, tries each, and looks \
            at the clock. Enter goes on, s skips a step, r repeats it, b goes back, q or Ctrl-C leaves. Nothing is \
            written before you agree at the end: then the settings go to config.d/\(FirstStartFile.name), and the \
            service to the trust list. Run it again to change something: it begins with what is there.
            On the machine's own console with a panel it asks there, by keys, keyboard or touch: BACK leaves at the \
            first step, and a question without an answer for ten minutes leaves, too.
            Root can also join a wireless network by the code that a router or a telephone shows (WIFI:...).
            An operator's profile as a card or a file is another thing: login-kiosk fleet --help

            For example: sudo login-kiosk setup
            Over ssh: ssh -t root@kiosk login-kiosk setup
            """)

    @OptionGroup var places: DirectoryOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw Complaint.make(
                "there is no terminal to ask at",
                hint: "over ssh give -t; a script writes settings itself: docs/deployment.md", status: .usage)
        }
        let directory = try places.configuration.requireDirectory()
        let configuration = try places.require(mayLackProfile: true)
        let file = try SetupCommand.file(in: directory)
        var logger = logging.logger("setup")
        // The steps report failures, so the log need not.
        if logger.logLevel == .warning { logger.logLevel = .critical }
        let panel = try SetupScreen(configuration, logger: logger)
        let guide = SetupGuide(
            places, configuration, file: file, dialogue: panel?.dialogue ?? SetupTerminal(configuration.languages.own),
            logger: logger)
        let group = LastingGroup()
        do {
            let work = panel?.work ?? []
            try await group.run(
                [group.signals()] + work.map { .init(service: $0) } + [group.ending { try await guide.run() }],
                logger: logger)
        } catch {
            await panel?.close()
            await guide.end()
            throw error
        }
        await panel?.close()
        guard await guide.end() else {
            throw Complaint.make("nothing was changed", hint: "begin again: login-kiosk setup", status: .usage)
        }
        print(
            """
            Now start the kiosk: sudo systemctl restart login-kiosk
            Look after it: sudo login-kiosk doctor --online
            """)
    }

    /// - Throws: a complaint when the settings cannot be written there.
    private static func file(in directory: String) throws -> FirstStartFile {
        let file = FirstStartFile(in: directory)
        do throws(FileFault) { try file.checkFolder() } catch {
            let isRefused = error.cause == .refused(EACCES)
            throw Complaint.make(
                "the settings cannot be written: \(error)", hint: isRefused ? "sudo login-kiosk setup" : error.hint,
                status: ExitStatus(error, else: isRefused ? .notPermitted : .cannotCreate))
        }
        return file
    }
}
