// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import KioskMachine
import Logging
import LoginValues
import MPinClient
import ServiceLifecycle
import UnixSignals

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

    private let password: OneTimePassword
    private let name: String

    init(_ password: OneTimePassword, _ name: String) {
        self.password = password
        self.name = name
    }

    func show(user: String, json: Bool, logger: Logger) async throws {
        if json {
            let document = Document(
                user: user, expireTime: password.expires?.expireTimeSeconds, ttlSeconds: password.ttlSeconds)
            return try JSONOutput.write(document, secret: "code", password.digits)
        }
        guard isatty(STDOUT_FILENO) == 1, isatty(STDIN_FILENO) == 1 else {
            try Output.write(password.digits)
            try Output.write("\n")
            return PINPrompt.say("\(name), for \(password.ttlSeconds) s\n")
        }
        // Ctrl-C must not leave the digits on the screen.
        try await ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(
                        service: LastingWork { try await countDown() },
                        successTerminationBehavior: .gracefullyShutdownGroup)
                ], gracefulShutdownSignals: [.sigint, .sigterm, .sighup], logger: logger)
        ).run()
    }

    /// Shows the digits and the seconds left, in one line that is blank in the end.
    private func countDown() async throws {
        let end = ContinuousClock.now + .seconds(password.ttlSeconds)
        while ContinuousClock.now < end {
            let left = (end - ContinuousClock.now).components.seconds
            try Output.write("\r\u{1B}[K\(name): ")
            try Output.write(password.digits)
            try Output.write("   for \(left + 1) s, Ctrl-C ends it")
            guard (try? await Task.sleep(for: .seconds(1))) != nil else {
                return try Output.write("\r\u{1B}[K\(name): taken off the screen\n")
            }
        }
        try Output.write("\r\u{1B}[K\(name): its time is over\n")
    }
}
