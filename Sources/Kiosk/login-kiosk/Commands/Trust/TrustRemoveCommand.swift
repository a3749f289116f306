// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration
import LoginValues

extension TrustCommand {
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a host from the trust list.",
            discussion: "For example: login-kiosk trust remove login.example.com")
        @OptionGroup var places: DirectoryOptions
        @Argument(
            help: """
                The entry as `trust list` prints it. With a delegation, only that is removed; with pins, only those \
                keys are.
                """)
        var host: String
        @Option(name: .customLong("pin"), help: "Pin to remove. The host stays on the list. Repeat for more.")
        var pins: [String] = []
        @Flag(help: "Print a JSON object.") var json = false

        private struct Document: Encodable {
            let version = 1
            /// The removed line of the trust list.
            let removed: String
        }

        func run() throws {
            let service = try TrustCommand.service(host, pins)
            let file = try TrustCommand.changing(places) { file in
                guard try TrustCommand.perform({ () throws(TrustFileError) in try file.remove(service) }) else {
                    throw Complaint.make(
                        "\(service) is not on the trust list", hint: "see what is: login-kiosk trust list",
                        status: .dataError)
                }
            }
            if json {
                try JSONOutput.write(Document(removed: "\(service)"))
            } else {
                print("no longer trusted: \(service)")
            }
            let left = try TrustCommand.perform { () throws(TrustFileError) in try file.services() }
            for entry in service.pins.keys where !left.contains(where: { $0.pins[entry] != nil }) {
                Complaint.say("\(entry) has no pins any more: any valid certificate does")
            }
            guard service.isBare else { return }
            let others = left.filter { $0.targets.contains(service.entry) }
            guard !others.isEmpty else { return }
            Complaint.say(
                "still used by: \(others.map(\.entry.description).joined(separator: ", "))",
                hint: "end that, too: login-kiosk trust remove '\(others[0].entry) -> \(service.entry)'")
        }
    }
}
