// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import KioskCore
import KioskRuntime

/// How a run for a script is reported: one line or one JSON object, and the exit code.
enum RunReport {
    private struct Document: Encodable {
        let version = 1
        let outcome: String
        let user: String
        let status: String?
    }

    /// Prints the outcome; ends the program with the outcome's exit code unless that is 0.
    static func finish(_ ending: RunOutcome, user: String, json: Bool) throws {
        if json {
            try JSONOutput.write(Document(outcome: ending.outcome.rawValue, user: user, status: ending.status))
        } else {
            let detail = ending.status.map { " (\($0))" } ?? ""
            print("\(words(for: ending.outcome)): \(user)\(detail)")
        }
        guard ending.exitCode == 0 else { throw ExitCode(ending.exitCode) }
    }

    private static func words(for outcome: SessionOutcome) -> String {
        switch outcome {
        case .loggedIn: "logged in"
        case .enrolled: "enrolled"
        case .codeIssued: "a code was issued"
        case .identityDeleted: "deleted"
        case .declined: "declined"
        case .timedOut: "timed out"
        case .stopped: "stopped"
        case .invalidCode: "not a login code"
        case .unknownUser: "not enrolled here at this service"
        case .untrusted: "the service is not on the trust list"
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
        case .weakPIN: "a PIN of zeros protects nothing; choose another"
        case .wrongPIN: "wrong PIN"
        case .blocked: "blocked; enrol again"
        case .revoked: "revoked"
        case .sessionExpired: "the code has expired; refresh the page"
        case .browserTimedOut: "the browser did not answer"
        case .secretExpired: "the identity has expired; enrol again"
        case .storageFailed: "the identity could not be stored"
        case .outcomeUnknown: "unknown: the answer did not arrive; look at the browser"
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
