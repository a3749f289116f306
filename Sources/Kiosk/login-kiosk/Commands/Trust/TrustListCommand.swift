// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration
import LoginValues

extension TrustCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the trust list.", discussion: "For example: login-kiosk trust list --json")
        @OptionGroup var places: DirectoryOptions
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let file = try TrustCommand.file(places)
            let services = try TrustCommand.perform { () throws(TrustFileError) in try file.services() }
            if json {
                struct Document: Encodable {
                    let version = 1
                    let file: String
                    let trusted: [String]
                    /// The further targets of services that have any.
                    let mayUse: [String: [String]]
                    /// The pins of hosts that have any: a host's server must have one of these keys.
                    let pins: [String: [String]]
                }
                let mayUse = services.filter { !$0.targets.isEmpty }.map {
                    ($0.entry.description, $0.targets.map(\.description))
                }
                let pins = services.flatMap(\.pins).map { ($0.key.description, $0.value.map(\.description)) }
                try JSONOutput.write(
                    Document(
                        file: file.path, trusted: services.map(\.entry.description),
                        mayUse: Dictionary(mayUse, uniquingKeysWith: +), pins: Dictionary(pins, uniquingKeysWith: +)))
            } else if services.isEmpty {
                print("nothing is trusted yet; add a host: login-kiosk trust add HOST")
            } else {
                services.forEach { print($0) }
            }
        }
    }
}
