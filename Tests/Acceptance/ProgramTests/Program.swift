// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// A built program, started like by a user.
struct Program {
    /// The output and end of one run.
    struct Run: CustomStringConvertible {
        var command: [String]
        var status: Int32
        var output: String
        var errors: String

        var description: String {
            "\(command.joined(separator: " "))\nexit \(status)\n--- output\n\(output)\n--- errors\n\(errors)"
        }

        /// The outcome in the JSON object that a run prints.
        var outcome: String? { output.firstMatch(of: /"outcome":"([A-Za-z]+)"/).map { String($0.output.1) } }

        /// Expects an exit code, words on standard error and on standard output, or the whole output.
        @discardableResult
        func expect(
            _ status: Int32, _ errors: String..., output words: String..., printing whole: String? = nil,
            outcome: String? = nil, at location: SourceLocation = #_sourceLocation
        ) -> Run {
            #expect(self.status == status, "\(self)", sourceLocation: location)
            for error in errors { #expect(self.errors.contains(error), "\(self)", sourceLocation: location) }
            for word in words { #expect(output.contains(word), "\(self)", sourceLocation: location) }
            if let whole { #expect(output == whole, "\(self)", sourceLocation: location) }
            if let outcome { #expect(self.outcome == outcome, "\(self)", sourceLocation: location) }
            return self
        }
    }

    /// Far longer than any run takes on an idle machine. A program that hangs fails its test instead of the whole
    /// suite.
    static let patience = Duration.seconds(120)

    /// An environment without anything of the person who runs the tests.
    static let cleanEnvironment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"]

    let executable: URL
    var environment: [String: String] = [:]

    init(_ name: String) throws {
        executable = try Program.buildDirectory().appending(path: name)
        try #require(
            FileManager.default.isExecutableFile(atPath: executable.path()), "\(executable.path()) was not built")
    }

    init(executable: URL) { self.executable = executable }

    /// Runs the program without holding a thread, so that parallel tests continue.
    func run(_ arguments: [String], input: String = "") async throws -> Run {
        FewAtATime.check()
        let running = try BackgroundProgram(self, arguments, input: input, in: Scratch())
        _ = try await running.waitForEnd()
        return running.result
    }

    /// Runs the program on a thread that is not Swift's.
    func runBlocking(_ arguments: [String]) throws -> Run {
        let running = try BackgroundProgram(self, arguments, input: "", in: Scratch())
        var patience = Patience(Program.patience)
        while running.isRunning, patience.pause() {}
        return running.result
    }

    /// The directory of this test's bundle and of the package's products.
    private static func buildDirectory() throws -> URL {
        let arguments = CommandLine.arguments
        let bundle = arguments.first { $0.hasSuffix(".xctest") } ?? arguments[0]
        return URL(filePath: bundle).resolvingSymlinksInPath().deletingLastPathComponent()
    }
}
