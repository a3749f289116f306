// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import LinuxSystem
import Logging
import ServiceLifecycle
import Waiting

/// A backend and a kiosk that trusts it alone, each a program of its own, with files in one directory.
struct DemoStage: Sendable {
    /// Where the backend is.
    struct Addresses: Sendable {
        /// For browsers and kiosks.
        let site: String
        /// Of the mails that it would send, with a password in it.
        let outbox: String
    }

    private let backend: DemoProgram
    private let kiosk: DemoProgram
    private let directory: String
    let logger: Logger
    private let held: HeldLog?

    /// - Parameter held: takes what is noted while the kiosk's screen uses the terminal.
    init(directory: String, logger: Logger, held: HeldLog?, logLevel: Logger.Level?) throws {
        backend = try DemoProgram(.backend, logLevel: logLevel?.rawValue)
        // What a service warns of, such as little memory that may be locked, is of no concern here.
        kiosk = try DemoProgram(.kiosk, logLevel: (logLevel ?? .error).rawValue)
        self.directory = directory
        self.logger = logger
        self.held = held
    }

    /// Where the kiosk of a demonstration keeps its identities.
    static func kioskState(in directory: String) -> String { "\(directory)/kiosk" }

    /// Prints a line, as soon as the kiosk's screen has left the terminal.
    func note(_ line: String) {
        if let held { held.append(line) } else { StandardStream.error.write(line + "\n") }
    }

    /// Runs `body` while the backend serves, until it is over or the process is told to stop. The backend stops last.
    ///
    /// - Throws: what `body` throws, or what ended the backend.
    func perform(_ body: @escaping @Sendable (Addresses) async throws -> Void) async throws {
        let addresses = Eventually<Addresses>()
        let group = LastingGroup()
        try await group.run(
            [
                group.signals(), .init(service: LastingWork { try await serve(addresses) }),
                group.ending { try await body(try await addresses.value) },
            ], logger: logger)
    }

    private func serve(_ addresses: Eventually<Addresses>) async throws {
        let state = "\(directory)/backend"
        let code = try await backend.run(["serve", "--listen", "127.0.0.1:0", "--state", state]) { line in
            // Its last line: everything else is there.
            guard line.hasPrefix("operator's page: "), let end = line.range(of: "/operator,") else { return }
            let site = line[..<end.lowerBound].dropFirst("operator's page: ".count)
            let outbox = (try? String(contentsOfFile: "\(state)/outbox-address", encoding: .utf8)) ?? ""
            addresses.settle(
                .success(
                    Addresses(site: String(site), outbox: outbox.trimmingCharacters(in: .whitespacesAndNewlines))))
        } complained: {
            note($0)
        }
        try Task.checkCancellation()
        throw Complaint.make("the backend has ended", status: ExitStatus(rawValue: code) ?? .internalError)
    }

    /// Words of a command line for the kiosk, in which it trusts this backend and nothing else.
    private func arguments(_ addresses: Addresses, source: String) throws -> [String] {
        let configuration = "\(directory)/kiosk-config"
        do throws(FileFault) { try OwnedFile.makeDirectory(configuration) } catch {
            throw Complaint.make(error, status: .cannotCreate)
        }
        try PrivateFile.write("\(addresses.site.dropFirst("http://".count))\n", to: "\(configuration)/trusted")
        return [
            "run", "--state", DemoStage.kioskState(in: directory), "--config", configuration, "--allow-loopback-http",
            "--source", source,
        ]
    }

    /// Runs the kiosk in this terminal.
    ///
    /// - Throws: a complaint when it ends with a failure.
    func runKiosk(_ addresses: Addresses, source: String, _ screens: ScreenOptions) async throws {
        // The errands that the backend has in the dialect of its origin.
        let menu = ["ENROLMENT", "VERIFICATION", "SIGNING"].map { ("LOGIN_KIOSK_MENU_\($0)", "false") }
        let code = try await kiosk.runInTerminal(
            try arguments(addresses, source: source) + screens.words, settings: Dictionary(uniqueKeysWithValues: menu))
        guard code == 0 || Task.isCancelled else {
            throw ExitStatus(rawValue: code)?.error ?? ExitStatus.internalError.error
        }
    }

    /// Runs the kiosk at a terminal made of software; its screen is a line for each change.
    func runKiosk(
        _ addresses: Addresses, source: String, terminal: Int32, heard: @escaping @Sendable (String) -> Void
    ) async throws {
        let words = try arguments(addresses, source: source) + ["--plain", "--language", "en"]
        let code = try await kiosk.run(words, terminal: terminal, heard: heard) { note($0) }
        try Task.checkCancellation()
        throw DemoFailure("the kiosk has ended with \(code)")
    }
}
