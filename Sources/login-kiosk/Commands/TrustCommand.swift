// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import HostIntegration
import LinuxSystem
import LoginValues

struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "The services that this kiosk may talk to.",
        discussion: """
            A kiosk talks to listed hosts only, whatever a QR code says. An entry is [*.]host[:port]: a bare host \
            stands for itself, *. for its subdomains, and the port is 443 unless named. Each entry is one service, \
            and what a service leads to has to be of the same entry. Where its backend, D-TA or permit storage has \
            another host, say so with an arrow: login-kiosk trust add 'shop.example.com -> login.example.com \
            dta.example.com'.
            """,
        subcommands: [Add.self, List.self, Remove.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Trust one more host.")
        @OptionGroup var places: DirectoryOptions
        @Argument(
            help: "[*.]host[:port], for example login.example.com; with an arrow, in quotes, what else it may use.")
        var host: [String]

        func validate() throws {
            if host.isEmpty { throw ValidationError("name at least one host") }
        }

        func run() throws {
            let file = try TrustCommand.file(places)
            let services = try host.map(TrustCommand.service)
            for service in services {
                let added = try TrustCommand.perform { () throws(TrustFileError) in try file.add(service) }
                print(added ? "trusted: \(service)" : "already trusted: \(service)")
            }
            let local = services.map(\.entry).filter(\.isLoopback).map(\.description)
            guard !local.isEmpty, !places.load([:]).flag("network.allow-loopback-http") else { return }
            Complaint.say(
                "on this machine, and reached by https only: \(local.joined(separator: ", "))",
                hint: "where it speaks http, for a trial: login-kiosk run --allow-loopback-http")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print the trust list.")
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
                    /// What else a service may use, where that is anything.
                    let mayUse: [String: [String]]
                }
                let mayUse = services.filter { !$0.targets.isEmpty }.map {
                    ($0.entry.description, $0.targets.map(\.description))
                }
                try JSONOutput.write(
                    Document(
                        file: file.path, trusted: services.map(\.entry.description),
                        mayUse: Dictionary(mayUse, uniquingKeysWith: +)))
            } else if services.isEmpty {
                print("nothing is trusted yet; add a host: login-kiosk trust add HOST")
            } else {
                services.forEach { print($0) }
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Trust a host no longer.")
        @OptionGroup var places: DirectoryOptions
        @Argument(help: "The entry as `trust list` prints it; with an arrow, what its service may use no longer.")
        var host: String

        func run() throws {
            let file = try TrustCommand.file(places)
            let service = try TrustCommand.service(host)
            guard try TrustCommand.perform({ () throws(TrustFileError) in try file.remove(service) }) else {
                throw Complaint.make(
                    "\(service) is not on the trust list", hint: "see what is: login-kiosk trust list",
                    status: .dataError)
            }
            print("no longer trusted: \(service)")
            guard service.targets.isEmpty else { return }
            let others = try TrustCommand.perform { () throws(TrustFileError) in try file.services() }
                .filter { $0.targets.contains(service.entry) }
            guard !others.isEmpty else { return }
            Complaint.say(
                "still used by: \(others.map(\.entry.description).joined(separator: ", "))",
                hint: "end that, too: login-kiosk trust remove '\(others[0].entry) -> \(service.entry)'")
        }
    }

    private static func file(_ places: DirectoryOptions) throws -> TrustFile {
        TrustFile(path: try places.directories().trustFile)
    }

    private static func service(_ text: String) throws -> TrustLine {
        do { return try TrustLine(text) } catch {
            // What is left of an arrow when the shell has taken its head.
            let hint = text == "-" ? "put a line with an arrow in quotes: 'HOST -> OTHER-HOST'" : nil
            throw Complaint.make("\(text): \(error)", hint: hint, status: .usage)
        }
    }

    private static func perform<Result>(_ work: () throws(TrustFileError) -> Result) throws -> Result {
        do { return try work() } catch {
            let status: ExitStatus =
                switch error.cause {
                case .malformed, .notAList: .configuration
                case .unreadable(let fault): fault.isExposure ? .configuration : .noInput
                case .unwritable(let fault): fault.isExposure ? .configuration : .cannotCreate
                }
            throw Complaint.make("\(error)", hint: error.hint, status: status)
        }
    }
}
