// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// A program that runs beside a test, and ends with this object at the latest.
final class BackgroundProgram {
    private let process = Process()
    private let output: URL
    private let errors: URL

    /// - Parameter scratch: the folder for its output.
    convenience init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:], in scratch: Scratch
    ) throws {
        try self.init(try Program(name), arguments, environment: environment, in: scratch)
    }

    init(_ program: Program, _ arguments: [String], environment: [String: String] = [:], in scratch: Scratch) throws {
        FewAtATime.check()
        output = scratch.url.appending(path: "output-\(UUID().uuidString)")
        errors = scratch.url.appending(path: "errors-\(UUID().uuidString)")
        for file in [output, errors] { try Data().write(to: file) }
        process.executableURL = program.executable
        process.arguments = arguments
        process.environment = Program.cleanEnvironment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
    }

    deinit {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    var isRunning: Bool { process.isRunning }
    var processID: Int32 { process.processIdentifier }
    var outputText: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
    var errorText: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    /// Waits for a line of output that begins with `prefix`.
    ///
    /// - Returns: the rest of that line.
    func line(after prefix: String) async throws -> String {
        let found = try await wait {
            self.outputText.split(separator: "\n").dropLast(self.outputText.hasSuffix("\n") ? 0 : 1)
                .first { $0.hasPrefix(prefix) }
        }
        return String(
            try #require(found, "no line '\(prefix)...' in\n\(outputText)\n\(errorText)").dropFirst(prefix.count))
    }

    /// Waits for a text on standard output.
    func output(containing text: String) async throws {
        let isThere = try await wait { outputText.contains(text) ? true : nil }
        try #require(isThere != nil, "no '\(text)' in\n\(outputText)\n\(errorText)")
    }

    /// Waits for a text on standard error.
    func error(containing text: String) async throws {
        let isThere = try await wait { errorText.contains(text) ? true : nil }
        try #require(isThere != nil, "no '\(text)' in\n\(errorText)")
    }

    /// Sends a signal once the output contains `text`, from its own thread: parallel tests may delay this one for
    /// longer than the program runs.
    func send(_ signal: Int32, onOutput text: String) {
        let (process, output) = (process.processIdentifier, output)
        Thread.detachNewThread {
            var patience = Patience(Program.patience)
            repeat {
                if (try? String(contentsOf: output, encoding: .utf8))?.contains(text) == true {
                    kill(process, signal)
                    return
                }
            } while patience.pause()
        }
    }

    /// Asks the program to end, and waits for it.
    ///
    /// - Returns: its exit code; 256 when a signal ended it.
    func end(by signal: Int32 = SIGTERM) async throws -> Int32 {
        kill(process.processIdentifier, signal)
        return try await waitForEnd()
    }

    func waitForEnd() async throws -> Int32 {
        let hasEnded = try await wait { self.process.isRunning ? nil : true }
        try #require(
            hasEnded != nil, "it did not end\n\(outputText)\n\(errorText)")
        return process.terminationReason == .exit ? process.terminationStatus : 256
    }

    private func wait<Result>(for condition: () -> Result?) async throws -> Result? {
        try await Patience.wait(
            Program.patience, progress: { outputText.utf8.count + errorText.utf8.count }, for: condition)
    }
}
