// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import KioskMachine
import KioskRuntime

/// How a run for a script is reported: what came of it on standard output, or a complaint with a hint on standard
/// error; with `--json` one object on standard output in either case. The exit code tells the same.
enum RunReport {
    private struct Document: Encodable {
        let version = 1
        let outcome: String
        let user: String?
        var status: String?
        var backends: [String]?
    }

    /// - Throws: an exit code when `ending` is no success.
    static func finish(_ ending: RunOutcome, user: String, json: Bool) throws {
        guard ending.exitCode == 0 else {
            throw fail(RunFailure(ending.outcome, status: ending.status), user: user, json: json)
        }
        try succeed(ending.outcome.rawValue, "\(ending.outcome.words): \(user)", user: user, json: json)
    }

    static func succeed(_ outcome: String, _ words: String, user: String, json: Bool) throws {
        guard json else { return print(words) }
        try JSONOutput.write(Document(outcome: outcome, user: user))
    }

    /// Carries `work` out, and ends the program with the exit code of its failure.
    ///
    /// - Parameter user: whom it is about; nil for all.
    static func reporting(user: String?, json: Bool, _ work: () async throws -> Void) async throws {
        do { try await work() } catch let failure as RunFailure { throw fail(failure, user: user, json: json) }
    }

    private static func fail(_ failure: RunFailure, user: String?, json: Bool) -> any Error {
        guard json else {
            let detail = failure.status.map { " (\($0))" } ?? ""
            Complaint.say("\(user.map { "\($0): " } ?? "")\(failure.words)\(detail)", hint: failure.hint)
            return ExitCode(failure.exitCode)
        }
        var backends: [String]?
        if case .ambiguous(let all) = failure.reason { backends = all }
        do {
            try JSONOutput.write(
                Document(outcome: failure.name, user: user, status: failure.status, backends: backends))
        } catch { return error }
        return ExitCode(failure.exitCode)
    }
}
