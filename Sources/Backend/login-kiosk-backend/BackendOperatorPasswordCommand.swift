// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import MPinServer
import OperatorPage

struct BackendOperatorPasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator-password", abstract: "Show the password of the operator's page, /operator.",
        discussion: "For example: login-kiosk-backend operator-password --renew")
    @OptionGroup var place: BackendStateDirectory
    @Flag(help: "Make a new password first. Sessions with the old one end.") var renew = false
    @Flag(help: "Print a JSON object.") var json = false

    func run() async throws {
        let directory = try place.existingDirectory()
        let password = try await LoginKioskBackend.complaining {
            try BackendState.operatorPassword(inDirectory: directory, renewing: renew)
        }
        if json { return try JSONOutput.write(Document(password: password)) }
        print(password)
    }

    private struct Document: Encodable {
        let version = 1
        let password: String
    }
}
