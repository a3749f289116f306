// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import KioskCore
import KioskRuntime
import LoginValues

struct EnrollCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enroll",
        abstract: "Register a user at a backend, for operators and scripts.",
        discussion: """
            The backend sends an activation mail; the command waits until its link was followed. The new PIN is \
            typed at the terminal, or the first line of standard input when that is none. It is never an argument.
            """)

    @OptionGroup var options: KioskOptions
    @Option(help: "The backend's URL.") var backend: String
    @Option(help: "The path prefix of the backend's RPS.") var rpsPrefix = "rps"
    @Option(help: "The user, usually an e-mail address.") var user: String
    @Option(help: "How many seconds to wait for the activation mail to be followed.") var wait = 300
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    /// Between two questions to the backend whether the mail was followed.
    private static let pollInterval = Duration.seconds(2)

    func validate() throws {
        guard (0...3600).contains(wait) else { throw ValidationError("--wait takes 0 to 3600 seconds") }
    }

    func run() async throws {
        let address: WebAddress
        do { address = try WebAddress(backend) } catch {
            throw Complaint.make(
                "\(backend): this is no address (\(error.rawValue))", hint: "for example https://login.example.com",
                status: .usage)
        }
        let parts = try await KioskParts(options, try options.require())
        let enrolment = EnrollRun(sdk: parts.sdk, trust: parts.trust, logger: parts.logger)
        let deadline = ContinuousClock.now + .seconds(wait)
        let user = user
        let ending = await enrolment.run(backend: address, rpsPrefix: rpsPrefix, userID: user) { failure in
            guard failure == nil || failure?.reason == .notVerified else { return .later }
            if failure == nil {
                PINPrompt.say("open the link in the mail to \(user)\n")
                // A run before this one may have sent the mail.
                return .confirmed
            }
            guard ContinuousClock.now < deadline, (try? await Task.sleep(for: EnrollCommand.pollInterval)) != nil else {
                return .later
            }
            return .confirmed
        } newPIN: {
            await PINPrompt.readNew()
        }
        try RunReport.finish(ending, user: user, json: json)
    }
}
