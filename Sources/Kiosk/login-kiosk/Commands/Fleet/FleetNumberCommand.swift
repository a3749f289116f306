// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration
import Provisioning

struct FleetNumberCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "number", abstract: "Say what this kiosk is called in its operator's lists, and its public key.",
        discussion: "For example: sudo -u login-kiosk login-kiosk fleet number")

    @OptionGroup var places: DirectoryOptions
    @Flag(help: "Print a JSON object.") var json = false

    private struct Document: Encodable {
        let version = 1
        let number: String
        let publicKey: String
        /// The date of the installed profile, in seconds since 1970.
        let profile: UInt64?
        /// The number of the key of the profile's operator.
        let operatorNumber: String?
    }

    func run() throws {
        let installer = try ProfileInstaller(places.load(), places)
        let (key, current, owner) = try FleetCommand.telling {
            (try installer.kioskKey().publicKey, try installer.current(), try installer.trustedOperator())
        }
        if json {
            return try JSONOutput.write(
                Document(
                    number: "\(key.number)", publicKey: key.text, profile: current?.madeAt,
                    operatorNumber: owner.map { "\($0.number)" }))
        }
        print("number: \(key.number)\n\(key.text)")
        print(owner.map { "operator: \($0.number)" } ?? "operator: none yet")
        print(current.map { "profile of \(ProfileDocument.day($0.madeAt))" } ?? "no profile")
    }
}
