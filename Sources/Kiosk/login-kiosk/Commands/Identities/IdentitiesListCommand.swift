// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import KioskRuntime

struct IdentitiesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Print the identities, one a line: user, number, state, dialect, backend.",
        discussion: "For example: login-kiosk identities list --json")

    @OptionGroup var options: KioskOptions
    @Flag(help: "Also print the mpin_id.") var verbose = false
    @Flag(help: "Print a JSON object.") var json = false

    private struct Document: Encodable {
        let version = 1
        let identities: [IdentityDocument]
    }

    func run() async throws {
        let parts = try await IdentitiesCommand.look(options)
        try await RunReport.reporting(user: nil, json: json) {
            let identities = try await parts?.client.identities() ?? []
            let documents = identities.map { IdentityDocument($0, isVerbose: verbose) }
            if json { return try JSONOutput.write(Document(identities: documents)) }
            if documents.isEmpty { return print("nobody is registered here yet: login-kiosk enroll --help") }
            let width = documents.map { $0.name.count }.max() ?? 0
            for document in documents {
                print(document.name.padding(toLength: width, withPad: " ", startingAt: 0), document.summary)
            }
        }
    }
}
