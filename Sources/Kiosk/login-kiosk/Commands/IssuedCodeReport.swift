// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import KioskMachine
import KioskRuntime
import LinuxSystem
import Logging
import LoginValues

/// Reports a code for a person to type elsewhere. Its digits go to standard output and nowhere else.
struct IssuedCodeReport {
    private struct Document: Encodable {
        let version = 1
        let outcome = SessionOutcome.codeIssued.rawValue
        let user: String
        /// Seconds since 1970-01-01 UTC by the server's clock.
        let expireTime: Int64?
        let ttlSeconds: Int64
    }

    private let code: IssuedCode
    private let name: String

    init(_ code: IssuedCode, _ name: String) {
        self.code = code
        self.name = name
    }

    func show(user: String, json: Bool, logger: Logger) async throws {
        if json {
            let document = Document(user: user, expireTime: code.expireTime, ttlSeconds: code.ttlSeconds)
            return try JSONOutput.write(document, secret: "code", code.digits)
        }
        guard isatty(STDOUT_FILENO) == 1, isatty(STDIN_FILENO) == 1 else {
            try Output.write(code.digits)
            try Output.write("\n")
            return PINPrompt.say("\(name), for \(code.ttlSeconds) s\n")
        }
        // Ctrl-C must not leave the digits on the screen.
        StopSignals.hold()
        let group = LastingGroup()
        try await group.run([group.signals(), group.ending { try await countDown() }], logger: logger)
    }

    /// Shows the digits and the seconds left, in one line that is blank in the end.
    private func countDown() async throws {
        let end = ContinuousClock.now + .seconds(code.ttlSeconds)
        while ContinuousClock.now < end {
            let left = (end - ContinuousClock.now).components.seconds
            try Output.write("\r\u{1B}[K\(name): ")
            try Output.write(code.digits)
            try Output.write("   for \(left + 1) s, Ctrl-C ends it")
            guard (try? await Task.sleep(for: .seconds(1))) != nil else {
                return try Output.write("\r\u{1B}[K\(name): taken off the screen\n")
            }
        }
        try Output.write("\r\u{1B}[K\(name): its time is over\n")
    }
}
