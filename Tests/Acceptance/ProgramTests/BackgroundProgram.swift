// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// A program that runs beside a test, and ends with this object at the latest.
final class BackgroundProgram {
    private let process = Process()
    /// The folder of its output.
    private let scratch: Scratch
    private let output: URL
    private let errors: URL

    convenience init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:], in scratch: Scratch
    ) throws {
        try self.init(try Program(name), arguments, environment: environment, in: scratch)
    }

    convenience init(
        _ program: Program, _ arguments: [String], environment: [String: String] = [:], in scratch: Scratch
    ) throws {
        FewAtATime.check()
        var program = program
        program.environment.merge(environment) { $1 }
        try self.init(program, arguments, input: "", in: scratch)
    }

    init(_ program: Program, _ arguments: [String], input: String, in scratch: Scratch) throws {
        // Files instead of pipes, because a program must not wait for the reader of a full pipe.
        func file(_ name: String, _ content: String = "") throws -> URL {
            URL(filePath: try scratch.write(content, to: "\(name)-\(UUID().uuidString)"))
        }
        self.scratch = scratch
        output = try file("output")
        errors = try file("errors")
        process.executableURL = program.executable
        process.arguments = arguments
        process.environment = Program.cleanEnvironment.merging(program.environment) { $1 }
        process.standardInput =
            input.isEmpty ? FileHandle.nullDevice : try FileHandle(forReadingFrom: file("input", input))
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        // Without it Foundation keeps two descriptors of each program.
        process.waitUntilExit()
    }

    var isRunning: Bool { process.isRunning }
    var processID: Int32 { process.processIdentifier }
    var outputText: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
    var errorText: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    /// The output and end of the program, which has ended.
    var result: Program.Run {
        Program.Run(
            command: [process.executableURL?.lastPathComponent ?? ""] + (process.arguments ?? []),
            status: process.isRunning ? -1 : process.terminationStatus, output: outputText, errors: errorText)
    }

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
        try #require(hasEnded != nil, "\(process.arguments ?? []) did not end\n\(outputText)\n\(errorText)")
        return process.terminationReason == .exit ? process.terminationStatus : 256
    }

    private func wait<Result>(for condition: () -> Result?) async throws -> Result? {
        try await Patience.wait(
            Program.patience, every: .milliseconds(5), progress: { outputText.utf8.count + errorText.utf8.count },
            for: condition)
    }
}
