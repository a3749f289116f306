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
        try succeed(ending.outcome.rawValue, "\(words(for: ending.outcome)): \(user)", user: user, json: json)
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

    /// For an operator: what happened.
    static func words(for outcome: SessionOutcome) -> String {
        switch outcome {
        case .loggedIn: "logged in"
        case .enrolled: "enrolled"
        case .codeIssued: "a code was issued"
        case .identityDeleted: "deleted"
        case .pinChanged: "PIN changed"
        case .signed: "signed"
        case .declined: "declined"
        case .timedOut: "timed out"
        case .stopped: "stopped"
        case .invalidCode: "not a login code"
        case .unknownUser: "not enrolled here at this service"
        case .untrusted: "the service is not on the trust list"
        case .loopbackHTTP: "the service is on this machine and is reached by http"
        case .anotherService: "the service leads to a host that is trusted, but not for this service"
        case .serverKeyRefused: "the server has another key than the trust list says; nothing was sent to it"
        case .versionRefused: "the service wants a newer version"
        case .appRefused: "this kiosk may not log in to this service"
        case .invalidConfiguration: "the service's description makes no sense"
        case .serviceUnavailable: "the service is unavailable"
        case .unreachable: "the service cannot be reached"
        case .notAuthorized: "the service refuses this user"
        case .notVerified: "not confirmed yet"
        case .registrationExpired: "the registration has expired"
        case .registrationFailed: "the registration failed"
        case .identityExists: "enrolled already"
        case .weakPIN: "this PIN protects nothing"
        case .wrongPIN: "wrong PIN"
        case .blocked: "blocked"
        case .revoked: "revoked"
        case .sessionExpired: "the code has expired"
        case .browserTimedOut: "the browser did not answer"
        case .secretExpired: "the identity has expired"
        case .storageFailed: "the identity could not be stored"
        case .outcomeUnknown: "unknown: the answer did not arrive"
        case .documentRefused: "the service hashed something else than was shown; nothing was signed"
        case .signatureRefused: "the service does not take the signature"
        case .notOffered: "the service does not offer this"
        case .doorOpened: "logged in, and the door is open"
        case .tooOften: "the door was opened too often"
        case .doorFailed: "logged in, but the door did not open"
        case .doorUnknown: "logged in; whether the door opened is unknown"
        case .notAllowed: "this device may not do this at the service"
        case .failed: "failed"
        }
    }
}
