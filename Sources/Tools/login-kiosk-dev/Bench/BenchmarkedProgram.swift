// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem

/// A program to measure, built in the same directory as this one.
enum BenchmarkedProgram {
    static func start(
        _ program: CompanionProgram, _ arguments: [String], input: FileHandle = .nullDevice,
        output: FileHandle = .nullDevice, errors: FileHandle = .nullDevice
    ) throws -> Process {
        guard let path = try program.path() else {
            throw BenchmarkError.program("there is no \(program.name) beside this program: build it with `make bench`")
        }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        return process
    }
}
