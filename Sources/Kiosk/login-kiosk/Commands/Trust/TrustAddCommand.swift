// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import CurlTransport
import HostIntegration
import LoginValues

extension TrustCommand {
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a host to the trust list.",
            discussion: """
                A line of `trust list` is accepted, too, with its pins: login-kiosk trust add 'login.example.com \
                pin-sha256:BASE64'.
                For example: login-kiosk trust add login.example.com
                """)
        @OptionGroup var places: DirectoryOptions
        @Argument(
            help: """
                [*.]host[:port], for example login.example.com, or the address that a browser shows; with a \
                delegation, in quotes: 'shop.example.com -> login.example.com'.
                """)
        var host: [String]
        @Option(
            name: .customLong("pin"),
            help: "Key that the host's server may have, pin-sha256:BASE64 or sha256/BASE64. Repeat for more.")
        var pins: [String] = []
        @Option(
            name: .customLong("address"),
            help: """
                Network that listed names may lead to beside the internet and intranets, for example 100.64.0.0/10 of \
                an overlay network. It goes into the settings. Repeat for more.
                """)
        var addresses: [String] = []
        @Flag(help: "Print a JSON object.") var json = false

        private struct Document: Encodable {
            let version = 1
            /// The new lines of the trust list.
            var trusted: [String] = []
            var alreadyTrusted: [String] = []
            /// The networks that the settings allow now.
            var allowed: [String] = []
            var alreadyAllowed: [String] = []
        }

        func validate() throws {
            for address in addresses where AddressNetwork(address) == nil {
                throw ValidationError("\(address): expected a network such as 100.64.0.0/10 or 64:ff9b:1::/48")
            }
            if host.isEmpty { throw ValidationError("name at least one host") }
            if !pins.isEmpty, host.count > 1 { throw ValidationError("with --pin name one host") }
        }

        func run() throws {
            let services = try host.map { try TrustCommand.service($0, pins) }
            var document = Document()
            let file = try TrustCommand.changing(places) { file in
                for service in services {
                    let added = try TrustCommand.perform { () throws(TrustFileError) in try file.add(service) }
                    if added {
                        document.trusted.append("\(service)")
                    } else {
                        document.alreadyTrusted.append("\(service)")
                    }
                    if !json { print(added ? "trusted: \(service)" : "already trusted: \(service)") }
                }
            }
            if !addresses.isEmpty {
                let networks = addresses.compactMap(AddressNetwork.init)
                let added = try AllowedAddresses.add(networks, places)
                document.allowed = added.map(\.description)
                document.alreadyAllowed = networks.filter { !added.contains($0) }.map(\.description)
                if !json {
                    print(added.isEmpty ? "already allowed: \(networks.text)" : "allowed: \(added.text)")
                }
            }
            if json { try JSONOutput.write(document) }
            let policy = TrustPolicy(
                lines: try TrustCommand.perform { () throws(TrustFileError) in try file.services() },
                allowsLoopbackHTTP: places.load()[\.network.allowsLoopbackHTTP])
            for advice in TrustAdvice.after(adding: services, in: policy) {
                Complaint.say(advice.sentence, hint: advice.hint)
            }
        }
    }
}
