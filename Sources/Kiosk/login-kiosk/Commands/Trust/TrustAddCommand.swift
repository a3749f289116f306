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
                [*.]host[:port], for example login.example.com, or the address that a browser shows; with an arrow, \
                in quotes, what else it may use.
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

        func validate() throws {
            for address in addresses where AddressNetwork(address) == nil {
                throw ValidationError("\(address): expected a network such as 100.64.0.0/10 or 64:ff9b:1::/48")
            }
            if host.isEmpty { throw ValidationError("name at least one host") }
            if !pins.isEmpty, host.count > 1 { throw ValidationError("with --pin name one host") }
        }

        func run() throws {
            let services = try host.map { try TrustCommand.service($0, pins) }
            let file = try TrustCommand.changing(places) { file in
                for service in services {
                    let added = try TrustCommand.perform { () throws(TrustFileError) in try file.add(service) }
                    print(added ? "trusted: \(service)" : "already trusted: \(service)")
                }
            }
            if !addresses.isEmpty { try AllowedAddresses.add(addresses.compactMap(AddressNetwork.init), places) }
            let policy = TrustPolicy(
                lines: try TrustCommand.perform { () throws(TrustFileError) in try file.services() })
            for entry in services.flatMap(\.pins.keys) where policy.count(ofPins: entry) == 1 {
                Complaint.say(
                    "\(entry) has one pin only: nobody logs in once its server has another key",
                    hint: "ask the service's operator for the pin of the backup key, and add it as well")
            }
            for entry in PublicSuffix.wildcards(in: services) {
                Complaint.say(
                    "\(entry) trusts strangers: anybody may register names below \(entry.host)",
                    hint: "name the service's own domain, and: login-kiosk trust remove '\(entry)'")
            }
            for entry in services.map(\.entry) where entry.coversSubdomains && !PublicSuffix.contains(entry.host) {
                Complaint.say(
                    "\(entry) trusts every host below \(entry.host), and not \(entry.host) itself",
                    hint: "where one host is the service, name it alone, and: login-kiosk trust remove '\(entry)'")
            }
            let local = services.map(\.entry).filter(\.isLoopback).map(\.description)
            guard !local.isEmpty else { return }
            guard !places.load()[\.network.allowsLoopbackHTTP] else {
                let pinned = services.flatMap(\.pins.keys).filter(\.isLoopback).map(\.description)
                guard !pinned.isEmpty else { return }
                return Complaint.say(
                    "reached by https only, because over http a server shows no key: "
                        + pinned.joined(separator: ", "),
                    hint: "for http take the pins out: login-kiosk trust remove --pin")
            }
            Complaint.say(
                "on this machine, and reached by https only: \(local.joined(separator: ", "))",
                hint: "where it speaks http, for a trial: login-kiosk run --allow-loopback-http")
        }
    }
}
