// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HostIntegration
import LinuxSystem
import LoginValues

struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "The services that this kiosk may talk to.",
        discussion: """
            A kiosk talks to listed hosts only, whatever a QR code says. An entry is [*.]host[:port]: a bare host stands for \
            itself, *. for its subdomains, and the port is 443 unless named. A service whose D-TA or permit storage has \
            another host needs an entry for that, too.
            """,
        subcommands: [Add.self, List.self, Remove.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Trust one more host.")
        @OptionGroup var places: DirectoryOptions
        @Argument(help: "[*.]host[:port], for example login.example.com") var host: [String]

        func validate() throws {
            if host.isEmpty { throw ValidationError("name at least one host") }
        }

        func run() throws {
            let file = try TrustCommand.file(places)
            for entry in try host.map(TrustCommand.entry) {
                let added = try TrustCommand.perform { () throws(TrustFileError) in try file.add(entry) }
                print(added ? "trusted: \(entry)" : "already trusted: \(entry)")
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print the trust list.")
        @OptionGroup var places: DirectoryOptions
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let file = try TrustCommand.file(places)
            let entries = try TrustCommand.perform { () throws(TrustFileError) in try file.entries() }.map(
                \.description)
            if json {
                struct Document: Encodable {
                    let version = 1
                    let file: String
                    let trusted: [String]
                }
                try JSONOutput.write(Document(file: file.path, trusted: entries))
            } else if entries.isEmpty {
                print("nothing is trusted yet; add a host: login-kiosk trust add HOST")
            } else {
                entries.forEach { print($0) }
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Trust a host no longer.")
        @OptionGroup var places: DirectoryOptions
        @Argument(help: "The entry as `trust list` prints it.") var host: String

        func run() throws {
            let file = try TrustCommand.file(places)
            let entry = try TrustCommand.entry(host)
            guard try TrustCommand.perform({ () throws(TrustFileError) in try file.remove(entry) }) else {
                throw Complaint.make(
                    "\(entry) is not on the trust list", hint: "see what is: login-kiosk trust list", status: .dataError
                )
            }
            print("no longer trusted: \(entry)")
        }
    }

    private static func file(_ places: DirectoryOptions) throws -> TrustFile {
        TrustFile(path: try places.directories().trustFile)
    }

    private static func entry(_ text: String) throws -> TrustEntry {
        do { return try TrustEntry(text) } catch {
            throw Complaint.make("\(text): \(error)", status: .usage)
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
