// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import KioskPorts
import KioskRuntime
import LoginValues
import MPinClient

/// What the commands take and do that log in for a code which the person types in elsewhere.
struct IssuedCodeOptions: ParsableArguments {
    @OptionGroup var options: KioskOptions
    @OptionGroup var identity: IdentityOptions
    @Option(help: "The path prefix of the backend's RPS. Default: what the service says, else rps.")
    var rpsPrefix: String?
    @Flag(help: "Print a JSON object.") var json = false

    /// - Parameters:
    ///   - name: what the digits are, in the middle of a sentence.
    ///   - issue: logs in with the PIN that it asks for.
    func run(
        for name: String,
        _ issue: (OperatorDesk, User, @Sendable () async -> Pin?) async throws(RunFailure) -> OneTimePassword
    ) async throws {
        let parts = try await KioskParts(options, try options.require())
        try await RunReport.reporting(user: identity.user, json: json) {
            let desk = parts.desk
            let user = try await desk.identity(of: identity.user, at: identity.backend)
            try await desk.open(user, backend: identity.backend, rpsPrefix: rpsPrefix)
            let place = "of \(DisplayText(user.identity)) at \(DisplayText(user.backend))"
            let code = try await issue(desk, user) {
                await PINPrompt.read(for: "\(name.prefix(1).uppercased())\(name.dropFirst()) \(place)")
            }
            try await IssuedCodeReport(code, name).show(user: user.identity, json: json, logger: parts.logger)
        }
    }
}
