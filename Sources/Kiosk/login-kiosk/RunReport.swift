// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import KioskMachine
import LoginValues

/// Reports a command's result: on standard output, or as a complaint with a hint on standard error; with `--json` one
/// object on standard output in either case. The exit code agrees with it.
enum RunReport {
    private struct Document: Encodable {
        let version = 1
        let outcome: String
        let user: String?
        var status: String?
        var backends: [String]?
    }

    static func succeed(_ outcome: SessionOutcome, _ words: String, user: String, json: Bool) throws {
        guard json else { return print(words) }
        try JSONOutput.write(Document(outcome: outcome.rawValue, user: user))
    }

    /// Carries `work` out, and ends the program with the exit code of its failure.
    ///
    /// - Parameter user: the user in question; nil for all.
    static func reporting(user: String?, json: Bool, _ work: () async throws -> Void) async throws {
        do { try await work() } catch let failure as KioskFailure { throw fail(failure, user: user, json: json) }
    }

    private static func fail(_ told: KioskFailure, user: String?, json: Bool) -> any Error {
        // The person did not decline: a script's line was not a valid PIN.
        let isLine = told.outcome == .declined && PINPrompt.hasRefusedLine
        let failure = isLine ? KioskFailure(.pinLength, detail: .digits(Pin.lengths)) : told
        let outcome = failure.outcome
        // No server refused a PIN of another length, or a document that differs.
        let isOurs = outcome == .pinLength || outcome == .documentDiffers
        let status = failure.status.isEmpty || isOurs ? nil : failure.status
        guard json else {
            let quoted = status.map { " (\($0))" } ?? ""
            Complaint.say("\(user.map { "\($0): " } ?? "")\(failure.words)\(quoted)", hint: outcome.hint)
            return ExitCode(outcome.exitCode)
        }
        var backends: [String]?
        if case .backends(let all)? = failure.detail { backends = all }
        do {
            try JSONOutput.write(
                Document(outcome: outcome.rawValue, user: user, status: status, backends: backends))
        } catch { return error }
        return ExitCode(outcome.exitCode)
    }
}

extension KioskFailure {
    /// The result, in words for an operator.
    fileprivate var words: String {
        switch detail {
        case .backends(let backends): "\(outcome.words), at \(backends.joined(separator: ", "))"
        case .digits(let range) where range.count == 1: "the PIN has \(range.lowerBound) digits here"
        case .digits(let range): "a PIN has \(range.lowerBound) to \(range.upperBound) digits here"
        case .until(let time): "no mail is sent again before \(ServerTime.text(time))"
        case nil: outcome.words
        }
    }
}
