// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import HostIntegration

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of the running kiosk. Exit code 69 if none runs.",
        discussion: "For example: login-kiosk status --watch")

    @OptionGroup var places: DirectoryOptions
    @Flag(help: "Print a JSON object; with --watch one a line.") var json = false
    @Flag(help: "Ask every two seconds, and print what has changed, until Ctrl-C.") var watch = false

    func run() async throws {
        let question = StatusQuestion(path: try places.directories().statusSocket)
        var last: [String] = []
        repeat {
            let answer = try question.ask()
            guard let status = try? JSONDecoder().decode(KioskStatus.self, from: Data(answer)) else {
                throw Complaint.make(
                    "\(question.path): the answer is not a status",
                    hint: "is the kiosk that runs of another version? restart it", status: .dataError)
            }
            // The running time changes without news.
            let lines = status.lines.filter { !$0.hasPrefix("running for ") }
            if json {
                try JSONOutput.write(status)
            } else if last.isEmpty {
                try print(status.lines)
            } else if lines != last {
                try print(lines.filter { !last.contains($0) })
            }
            last = lines
            if watch { try await Task.sleep(for: .seconds(2)) }
        } while watch
    }

    private func print(_ lines: [String]) throws { try Output.write(lines.map { $0 + "\n" }.joined()) }
}
