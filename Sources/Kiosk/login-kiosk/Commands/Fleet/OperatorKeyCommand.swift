// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Provisioning

struct OperatorKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator-key", abstract: "Make the key that signs profiles, or show its public part.",
        discussion: """
            A kiosk accepts profiles of one operator: the first whose profile it took, or the one whose public key is \
            in /usr/lib/login-kiosk/operator.pub or /etc/login-kiosk/operator.pub. Keep the key and a copy of it away \
            from the kiosks. If the key is lost, each kiosk needs login-kiosk reset before it accepts a new one.
            For example: login-kiosk fleet operator-key ~/operator.key
            """)

    @Argument(help: "File of the private key. It is made if it does not exist.") var file: String
    @Flag(help: "Print a JSON object.") var json = false

    private struct Document: Encodable {
        let version = 1
        let publicKey: String
        let number: String
        let made: Bool
    }

    func run() throws {
        let (key, isNew) = try FleetCommand.telling { try OperatorKey.readOrMake(file: file) }
        let publicKey = key.publicKey
        if json {
            return try JSONOutput.write(
                Document(publicKey: publicKey.text, number: "\(publicKey.number)", made: isNew))
        }
        print("\(isNew ? "made" : "operator's key"): \(file)\nnumber: \(publicKey.number)\n\(publicKey.text)")
    }
}
