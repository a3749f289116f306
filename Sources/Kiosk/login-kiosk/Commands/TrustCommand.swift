// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import CurlTransport
import Foundation
import HostIntegration
import LinuxSystem
import LoginValues

struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Manage the list of services that this kiosk may talk to.",
        discussion: """
            The kiosk talks to listed hosts only, whatever a QR code says. An entry is [*.]host[:port]: a host stands \
            for itself, *. for its subdomains, and the default port is 443. Each entry is one service, and its backend \
            must match the same entry. If backend, D-TA or permit storage have other hosts, name them after an arrow: \
            login-kiosk trust add 'shop.example.com -> login.example.com dta.example.com'.
            An entry can have pins: the server must then have one of these keys, besides a valid certificate. `trust \
            pin HOST` shows the server's current pin. Add the pin of its backup key, too.
            """,
        subcommands: [Add.self, List.self, Remove.self, ShowPin.self])

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

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a host from the trust list.",
            discussion: "For example: login-kiosk trust remove login.example.com")
        @OptionGroup var places: DirectoryOptions
        @Argument(
            help: """
                The entry as `trust list` prints it; with an arrow, what its service may use no longer; with pins, the \
                keys that are out of use.
                """)
        var host: String
        @Option(name: .customLong("pin"), help: "Pin to remove. The host stays on the list. Repeat for more.")
        var pins: [String] = []

        func run() throws {
            let service = try TrustCommand.service(host, pins)
            let file = try TrustCommand.changing(places) { file in
                guard try TrustCommand.perform({ () throws(TrustFileError) in try file.remove(service) }) else {
                    throw Complaint.make(
                        "\(service) is not on the trust list", hint: "see what is: login-kiosk trust list",
                        status: .dataError)
                }
            }
            print("no longer trusted: \(service)")
            let left = try TrustCommand.perform { () throws(TrustFileError) in try file.services() }
            for entry in service.pins.keys where TrustPolicy(lines: left).count(ofPins: entry) == 0 {
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

    static func file(_ places: DirectoryOptions) throws -> TrustFile {
        TrustFile(path: try places.directories().trustFile)
    }

    /// Changes the current trust list. If a setup brought it, no other setup can replace it meanwhile.
    ///
    /// - Returns: the list.
    static func changing(_ places: DirectoryOptions, _ change: (TrustFile) throws -> Void) throws -> TrustFile {
        let setup = try places.setupDirectory(in: places.require())
        let isOfSetup = try file(places).path.hasPrefix(setup.folder + "/")
        let lock: FileLock?
        do throws(FileFault) { lock = try isOfSetup ? setup.lock() : nil } catch {
            throw Complaint.make(error, status: .cannotCreate)
        }
        defer { lock?.release() }
        let file = try file(places)
        try change(file)
        return file
    }

    /// - Parameter pins: further ones for the service itself.
    static func service(_ text: String, _ pins: [String] = []) throws -> TrustLine {
        var service: TrustLine
        do { service = try TrustLine(entries(in: text)) } catch {
            // The shell takes an unquoted `>` of an arrow for a redirection.
            let hint = text == "-" ? "put a line with an arrow in quotes: 'HOST -> OTHER-HOST'" : error.hint
            let spelling = error == .notAHost ? HostSpelling.advice(in: text) : nil
            throw Complaint.make("\(text): \(error)", hint: spelling ?? hint, status: .usage)
        }
        for pin in pins {
            do throws(PublicKeyPinError) { _ = try PublicKeyPin(pin) } catch {
                throw Complaint.make("\(pin): \(error)", hint: TrustEntryError.pin(error).hint, status: .usage)
            }
            do { try service.add(try TrustLine("\(service.entry) \(pin)")) } catch {
                throw Complaint.make("\(service.entry): \(error)", hint: error.hint, status: .usage)
            }
        }
        return service
    }

    /// Replaces addresses as browsers show them, such as `https://login.example.com/`, by their hosts.
    private static func entries(in text: String) -> String {
        guard text.contains("://") else { return text }
        return text.split(separator: " ").map { word in
            guard let origin = try? WebAddress(word).origin, origin.scheme == .https || origin.isLoopback else {
                return String(word)
            }
            return origin.hostAndPort
        }.joined(separator: " ")
    }

    static func perform<Result>(_ work: () throws(TrustFileError) -> Result) throws -> Result {
        do { return try work() } catch {
            let status: ExitStatus =
                switch error.cause {
                case .malformed, .controlCharacter, .notAList: .configuration
                case .full: .dataError
                case .unreadable(let fault): ExitStatus(fault, else: .noInput)
                case .unwritable(let fault): ExitStatus(fault, else: .cannotCreate)
                }
            throw Complaint.make("\(error)", hint: error.hint, status: status)
        }
    }
}

extension TrustPolicy {
    /// The number of pins of an entry; 0 accepts any key.
    fileprivate func count(ofPins entry: TrustEntry) -> Int {
        Set(lines.flatMap { $0.pins[entry] ?? [] }).count
    }
}
