// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import CurlTransport
import Foundation
import LinuxSystem
import LoginValues
import MPinClient
import SQLiteStore

/// `login-kiosk-backend` in a process of its own. It ends when this object is freed.
final class BackendProcess {
    /// The site's URL, without a trailing slash.
    let site: String
    private let process: Process
    private let directory: TemporaryDirectory
    /// The state directory.
    let state: String

    private static let patience = Duration.seconds(20)

    /// Starts the backend with a new state directory and waits until it serves.
    ///
    /// - Parameter options: further options besides address and directory.
    init(options: [String] = []) async throws {
        directory = try TemporaryDirectory()
        state = directory.path("backend")
        let output = directory.path("output")
        do {
            process = try BenchmarkedProgram.start(
                .backend, ["serve", "--listen", "127.0.0.1:0", "--admit", "anybody", "--state", state] + options,
                output: try Self.newFile(output),
                errors: try Self.newFile(directory.path("errors")))
        } catch {
            directory.remove()
            throw error
        }
        guard let site = await Self.site(in: output) else {
            Self.end(process)
            directory.remove()
            throw BenchmarkError.program("login-kiosk-backend does not serve")
        }
        self.site = site
    }

    deinit {
        Self.end(process)
        directory.remove()
    }

    var id: Int32 { process.processIdentifier }

    /// Registers a device with the SDK's own transport and store, and logs it in once.
    func device(_ user: String, _ meter: Meter = Meter()) async throws -> LoginDevice {
        let location = StoreLocation(
            directory: directory.path("\(user)/state"), keyFile: directory.path("\(user)/key/key"))
        let device = try await LoginDevice(
            user, at: try WebAddress(site), transport: meter.observe(try CurlHTTPTransport()),
            storage: try SQLiteIdentityStorage(at: location), activate: activate)
        try await device.begin()
        try await device.finish()
        return device
    }

    /// Confirms the open registration of a user, like the operator.
    private func activate(_ user: String) throws {
        let command = try BenchmarkedProgram.start(.backend, ["activate", user, "--state", state])
        command.waitUntilExit()
        guard command.terminationStatus == 0 else {
            throw BenchmarkError.program("login-kiosk-backend activate: status \(command.terminationStatus)")
        }
    }

    private static func newFile(_ path: String) throws -> FileHandle {
        try Data().write(to: URL(filePath: path))
        return try FileHandle(forWritingTo: URL(filePath: path))
    }

    private static func site(in output: String) async -> String? {
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
            // The last piece may be an incomplete line.
            if let line = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .first(where: { $0.hasPrefix("serving ") })
            {
                return String(line.dropFirst("serving ".count))
            }
            guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return nil }
        }
        return nil
    }

    /// Kills the process: its state is deleted anyway.
    private static func end(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
