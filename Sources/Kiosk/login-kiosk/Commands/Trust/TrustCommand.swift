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
        abstract: "Manage the list of services that this kiosk may talk to.",
        discussion: """
            The kiosk talks to listed hosts only, whatever a QR code says. An entry is [*.]host[:port]: a host stands \
            for itself, *. for its subdomains, and the default port is 443. Each entry is one service, and its backend \
            must match the same entry. If backend, D-TA or permit storage have other hosts, add a delegation to them: \
            login-kiosk trust add 'shop.example.com -> login.example.com dta.example.com'.
            An entry can have pins: the server must then have one of these keys, besides a valid certificate. `trust \
            pin HOST` shows the server's current pin. Add the pin of its backup key, too.
            """,
        subcommands: [Add.self, List.self, Remove.self, ShowPin.self])

    static func file(_ places: DirectoryOptions) throws -> TrustFile {
        TrustFile(path: try places.directories().trustFile)
    }

    /// Changes the current trust list. If a profile brought it, no other profile can replace it meanwhile.
    ///
    /// - Returns: the list.
    static func changing(_ places: DirectoryOptions, _ change: (TrustFile) throws -> Void) throws -> TrustFile {
        let profiles = try places.profileDirectory(in: places.require())
        let isOfProfile = try file(places).path.hasPrefix(profiles.folder + "/")
        let lock: FileLock?
        do throws(FileFault) { lock = try isOfProfile ? profiles.lock() : nil } catch {
            throw Complaint.make(error, status: .cannotCreate)
        }
        defer { lock?.release() }
        let file = try file(places)
        try change(file)
        return file
    }

    /// - Parameter pins: pins of the service itself, besides those in `text`.
    static func service(_ text: String, _ pins: [String] = []) throws -> TrustLine {
        var service: TrustLine
        do { service = try TrustLine(entries(in: text)) } catch {
            // The shell takes the unquoted `>` of a delegation for a redirection.
            let hint = text == "-" ? "put a delegation in quotes: 'HOST -> OTHER-HOST'" : error.hint
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
