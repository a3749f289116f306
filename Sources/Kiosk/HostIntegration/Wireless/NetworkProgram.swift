// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Subprocess
import SystemPackage

/// A program that is started for one order.
struct NetworkProgram: Sendable {
    struct Ending: Sendable {
        let status: Int32
        let output: String
    }

    private static let outputLimit = 64 * 1024

    let path: String

    /// - Parameter limit: the time after which it is ended.
    /// - Returns: nil when it did not end by itself, or did not start.
    func run(_ arguments: [String], limit: Duration) async -> Ending? {
        guard (try? OwnedFile.check(path)) != nil else { return nil }
        return await Timekeeper(ContinuousClock()).limit(limit) {
            let ending = await start(arguments)
            return Task.isCancelled ? nil : ending
        }
    }

    private func start(_ arguments: [String]) async -> Ending? {
        var options = PlatformOptions()
        // Ctrl-C is meant for this program.
        options.processGroupID = 0
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .milliseconds(500))]
        let result = try? await Subprocess.run(
            .path(FilePath(path)), arguments: Arguments(arguments),
            environment: .custom(["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C"]), workingDirectory: "/",
            platformOptions: options, input: .none, output: .string(limit: Self.outputLimit), error: .discarded)
        guard let result, case .exited(let status) = result.terminationStatus else { return nil }
        return Ending(status: status, output: result.standardOutput)
    }
}
