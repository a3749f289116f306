// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// A built program, started like by a user.
struct Program {
    /// The output and end of one run.
    struct Run: CustomStringConvertible {
        var status: Int32
        var output: String
        var errors: String

        var description: String { "exit \(status)\n--- output\n\(output)\n--- errors\n\(errors)" }
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
        let started = try Started(self, arguments, input: input)
        _ = try await Patience.wait(Program.patience, every: .milliseconds(5), progress: { started.outputSize }) {
            started.isRunning ? nil : true
        }
        return try started.finish()
    }

    /// Runs the program on a thread that is not Swift's.
    func runBlocking(_ arguments: [String]) throws -> Run {
        let started = try Started(self, arguments, input: "")
        var patience = Patience(Program.patience)
        while started.isRunning, patience.pause() {}
        return try started.finish()
    }

    private struct Started {
        private let process = Process()
        private let folder: URL

        init(_ program: Program, _ arguments: [String], input: String) throws {
            // Files instead of pipes, because a program must not wait for the reader of a full pipe.
            let folder = FileManager.default.temporaryDirectory.appending(path: "run-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            func file(_ name: String, _ content: String = "") throws -> FileHandle {
                let url = folder.appending(path: name)
                try Data(content.utf8).write(to: url)
                return try FileHandle(forUpdating: url)
            }
            self.folder = folder
            process.executableURL = program.executable
            process.arguments = arguments
            process.environment = Program.cleanEnvironment.merging(program.environment) { $1 }
            process.standardInput = try file("input", input)
            process.standardOutput = try file("output")
            process.standardError = try file("errors")
            try process.run()
        }

        var isRunning: Bool { process.isRunning }

        /// Number of bytes of output.
        var outputSize: Int {
            ["output", "errors"].reduce(0) { sum, name in
                let file = folder.appending(path: name).path()
                return sum + ((try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0)
            }
        }

        func finish() throws -> Run {
            defer { try? FileManager.default.removeItem(at: folder) }
            if process.isRunning {
                process.terminate()
                Issue.record("\(process.arguments ?? []) does not end")
            }
            process.waitUntilExit()
            return Run(
                status: process.terminationStatus,
                output: try String(contentsOf: folder.appending(path: "output"), encoding: .utf8),
                errors: try String(contentsOf: folder.appending(path: "errors"), encoding: .utf8))
        }
    }

    /// The directory of this test's bundle and of the package's products.
    private static func buildDirectory() throws -> URL {
        let arguments = CommandLine.arguments
        let bundle = arguments.first { $0.hasSuffix(".xctest") } ?? arguments[0]
        return URL(filePath: bundle).resolvingSymlinksInPath().deletingLastPathComponent()
    }
}

/// A directory that is deleted after its test.
final class Scratch: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "login-kiosk-\(UUID().uuidString)")
    var path: String { url.path() }

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path() }

    /// Puts an executable file here. A process of its own writes it: while this process has a file open, so has each
    /// child that another test starts at that moment, and the system starts no file that is open to be written ("Text file
    /// busy").
    func install(_ source: String, as name: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/install")
        process.arguments = ["-D", "--mode=755", "--", source, path(name)]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(source) was not copied")
    }

    func install(script: String, as name: String) throws {
        let text = path("script-\(UUID().uuidString)")
        try Data(script.utf8).write(to: URL(filePath: text))
        try install(text, as: name)
        try FileManager.default.removeItem(atPath: text)
    }

    /// Waits until the clock shows another second. The serial numbers of setups are the seconds of their creation.
    static func nextSecond() async throws {
        let second = Int(Date().timeIntervalSince1970)
        try await Patience.until { Int(Date().timeIntervalSince1970) > second }
    }
}
