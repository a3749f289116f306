// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import LinuxSystem
import ServiceLifecycle

struct FilmCommand: LastingCommand {
    static let configuration = CommandConfiguration(
        commandName: "film",
        abstract: "Film a login page with a simulated camera.",
        discussion: """
            Opens the page in a browser of its own, reloads it when its code has expired, and logs out some time after \
            a login. The film goes to a named pipe as Y4M until the command is stopped:
            login-kiosk-demo film http://127.0.0.1:8480/ /tmp/film & login-kiosk run --source y4m:/tmp/film
            """)

    @Argument(help: "Address of a login page of the reference backend.") var page: String
    @Argument(help: "The named pipe. One that is not there is made, and taken away at the end.") var pipe: String
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        let isMade = !FileManager.default.fileExists(atPath: pipe)
        // Safe: the path is a Swift string, lent for the call.
        guard unsafe !isMade || mkfifo(pipe, 0o600) == 0 else {
            throw Complaint.make(
                "\(pipe): no named pipe can be made here: \(systemErrorText())", status: .cannotCreate)
        }
        defer { if isMade { try? FileManager.default.removeItem(atPath: pipe) } }
        let film = try FilmedPage(url: page, pipe: pipe)
        let logger = logging.logger("film")
        let person = AttendedBrowser(page: film, logger: logger) { trouble in Complaint.say("no pictures: \(trouble)") }
        let group = LastingGroup()
        try await group.run(
            [
                group.signals(), .init(service: LastingWork { try await film.run() }),
                .init(service: LastingWork { await person.run() }),
            ], logger: logger)
    }
}
