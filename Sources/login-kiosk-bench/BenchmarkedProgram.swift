// SPDX-License-Identifier: Apache-2.0

import Foundation

/// `login-kiosk`, which is built beside this program.
enum BenchmarkedProgram {
    static func start(
        _ arguments: [String], input: FileHandle = .nullDevice, output: FileHandle = .nullDevice,
        errors: FileHandle = .nullDevice
    ) throws -> Process {
        let process = Process()
        process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "login-kiosk")
        guard let path = process.executableURL?.path, FileManager.default.isExecutableFile(atPath: path) else {
            throw BenchmarkError.program("there is no login-kiosk beside this program: build it with `make bench`")
        }
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        return process
    }
}
