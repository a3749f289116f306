// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A program that serves while a test runs, and is told to stop when the test lets go of it.
final class RunningProgram {
    private let process = Process()
    private let scratch: Scratch

    init(_ program: Program, _ arguments: [String]) throws {
        scratch = try Scratch()
        process.executableURL = program.executable
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"]
        try Data().write(to: scratch.url.appending(path: "output"))
        let output = try FileHandle(forWritingTo: scratch.url.appending(path: "output"))
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// What follows `prefix` in the first line of the output that begins with it.
    func line(after prefix: String) throws -> String {
        let deadline = ContinuousClock.now + Program.patience
        while true {
            let text = try String(contentsOf: scratch.url.appending(path: "output"), encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if let line = lines.first(where: { $0.hasPrefix(prefix) }) { return String(line.dropFirst(prefix.count)) }
            try #require(process.isRunning && ContinuousClock.now < deadline, "no line `\(prefix)` in: \(text)")
            usleep(5_000)
        }
    }
}
