// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import LinuxSystem
import Logging
import ServiceLifecycle

/// A backend and a kiosk that trusts only this backend. Each is a process, and their files are in one directory.
struct DemoStage: Sendable {
    /// The backend's addresses.
    struct Addresses: Sendable {
        /// The address for browsers and kiosks.
        let site: String
        /// The address of the sent mails, with a password.
        let outbox: String
    }

    private let backend: DemoProgram
    private let kiosk: DemoProgram
    private let directory: String
    let logger: Logger
    private let held: HeldLog?

    /// - Parameter held: collects notes while the kiosk's screen uses the terminal.
    init(directory: String, logger: Logger, held: HeldLog?, logLevel: Logger.Level?) throws {
        backend = try DemoProgram(.backend, logLevel: logLevel?.rawValue)
        // Warnings of a service, such as little lockable memory, do not matter here.
        kiosk = try DemoProgram(.kiosk, logLevel: (logLevel ?? .error).rawValue)
        self.directory = directory
        self.logger = logger
        self.held = held
    }

    /// The directory of the kiosk's identities.
    static func kioskState(in directory: String) -> String { "\(directory)/kiosk" }

    /// Prints a line once the kiosk's screen has left the terminal.
    func note(_ line: String) {
        if let held { held.append(line) } else { StandardStream.error.write(line + "\n") }
    }

    /// Runs `body` while the backend serves, until `body` ends or the process is told to stop. The backend stops
    /// last.
    ///
    /// - Throws: the error of `body`, or the one that ended the backend.
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
        let code = try await backend.run(["serve", "--listen", "127.0.0.1:0", "--admit", "anybody", "--state", state]) {
            line in
            // The backend's last line: it has printed everything else.
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

    /// Arguments for the kiosk, which trusts only this backend.
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
    /// - Throws: a complaint when the kiosk fails.
    func runKiosk(_ addresses: Addresses, source: String, _ screens: ScreenOptions) async throws {
        // Only the tasks that the backend supports in its origin's dialect.
        let menu = ["REGISTER_WITH_CODE", "VERIFICATION", "SIGNING"].map { ("LOGIN_KIOSK_MENU_\($0)", "false") }
        let options: [String] = screens.given.flatMap { [$0.option] + [$0.value].compactMap(\.self) }
        let code = try await kiosk.runInTerminal(
            try arguments(addresses, source: source) + options, settings: Dictionary(uniqueKeysWithValues: menu))
        guard code == 0 || Task.isCancelled else {
            throw ExitStatus(rawValue: code)?.error ?? ExitStatus.internalError.error
        }
    }

    /// Runs the kiosk at a pseudo-terminal, with a screen of one line for each change.
    func runKiosk(
        _ addresses: Addresses, source: String, terminal: Int32, heard: @escaping @Sendable (String) -> Void
    ) async throws {
        let words = try arguments(addresses, source: source) + ["--plain", "--language", "en"]
        let code = try await kiosk.run(words, terminal: terminal, heard: heard) { note($0) }
        try Task.checkCancellation()
        throw DemoFailure("the kiosk has ended with \(code)")
    }
}
