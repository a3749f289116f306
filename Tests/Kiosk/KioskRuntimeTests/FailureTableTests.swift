// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import MPinClient
import Testing

@testable import KioskRuntime

@Suite("Each error of the SDK gives one outcome and one exit code")
struct FailureTableTests {
    /// Outcomes while the service is read, its backend is asked, a person registers, and a person logs in.
    static let staged: [(MPinError.Kind, [SessionOutcome])] = [
        (.badReply, [.invalidConfiguration, .failed, .registrationFailed, .failed]),
        (.serverFailed, [.serviceUnavailable, .failed, .registrationFailed, .failed]),
        (.requestRefused, [.serviceUnavailable, .failed, .registrationFailed, .failed]),
        (.misuse, [.serviceUnavailable, .failed, .registrationFailed, .failed]),
        (.noPIN, [.serviceUnavailable, .failed, .registrationFailed, .failed]),
        (.unusablePIN, [.serviceUnavailable, .failed, .registrationFailed, .failed]),
        (.cryptography, [.serviceUnavailable, .failed, .registrationFailed, .failed]),
        (.notVerified, [.serviceUnavailable, .failed, .notVerified, .failed]),
        (.registrationGone, [.serviceUnavailable, .failed, .registrationExpired, .failed]),
        (.browserTimedOut, [.serviceUnavailable, .failed, .registrationExpired, .browserTimedOut]),
        (.network, [.serviceUnavailable, .unreachable, .unreachable, .unreachable]),
        (.wrongPIN, [.wrongPIN, .wrongPIN, .registrationFailed, .wrongPIN]),
        (.blocked, [.blocked, .blocked, .registrationFailed, .blocked]),
        (.revoked, [.revoked, .revoked, .registrationFailed, .revoked]),
        (.secretExpired, [.secretExpired, .secretExpired, .registrationFailed, .secretExpired]),
        (.sessionExpired, [.sessionExpired, .sessionExpired, .registrationFailed, .sessionExpired]),
        (.accessCodeMistyped, [.sessionExpired, .sessionExpired, .registrationFailed, .sessionExpired]),
        (.outcomeUnknown, [.outcomeUnknown, .outcomeUnknown, .registrationFailed, .outcomeUnknown]),
    ]

    /// Failures with one outcome at all stages, and the more precise sentence for a person.
    static let everywhere: [(MPinError.Kind, SessionOutcome, PromptKey?)] = [
        (.untrustedHost(.nothingTrusted), .untrusted, nil), (.untrustedHost(.notHTTPS), .untrusted, nil),
        (.untrustedHost(.notListed), .untrusted, nil), (.untrustedHost(.loopbackHTTP), .untrusted, nil),
        (.untrustedHost(.anotherService), .anotherService, nil),
        (.untrustedHost(.serverKeyRefused), .serverKeyRefused, nil),
        (.clientRefused, .appRefused, nil), (.clientTooOld, .versionRefused, nil),
        (.busy, .unreachable, .serviceTooBusy), (.notAuthorized, .notAuthorized, nil), (.notAllowed, .notAllowed, nil),
        (.notOffered, .notOffered, nil), (.storage(.full), .storageFailed, .storageFull),
        (.storage(.unavailable), .storageFailed, nil), (.storage(.damaged), .storageFailed, nil),
        (.storage(.recordTooLong), .storageFailed, nil), (.storage(nil), .storageFailed, nil),
        (.codeRefused, .codeRefused, nil), (.verificationRefused, .notAuthorized, .verificationRefused),
        (.mailTooSoon(until: nil), .unreachable, .verificationRefused),
        (.mailTooSoon(until: 7), .mailTooSoon, .verificationRefused), (.pinLength(4), .pinLength, nil),
        (.samePIN, .samePIN, nil),
    ]

    @Test func everyKindHasItsOutcomeAtEachStage() {
        let all =
            Self.staged.map { ($0.0, $0.1, PromptKey?.none) }
            + Self.everywhere.map { ($0.0, Array(repeating: $0.1, count: 4), $0.2) }
        for (kind, outcomes, sentence) in all {
            let failures = KioskFailure.Stage.allCases.map { KioskFailure(MPinError(kind, detail: ""), at: $0) }
            #expect(failures.map(\.outcome) == outcomes, "\(kind)")
            #expect(failures.allSatisfy { $0.sentence == sentence && $0.status == kind.status.name }, "\(kind)")
            // No failure ends a session as a success.
            #expect(!outcomes.contains { $0.isSuccess }, "\(kind)")
        }
    }

    /// Names for scripts, at the stage of a login and of a registration.
    static let endings: [(MPinError.Kind, (String, Int32), (String, Int32))] = [
        (.wrongPIN, ("wrongPIN", 80), ("registrationFailed", 70)),
        (.blocked, ("blocked", 81), ("registrationFailed", 70)),
        (.revoked, ("revoked", 82), ("registrationFailed", 70)),
        (.notAuthorized, ("notAuthorized", 77), ("notAuthorized", 77)),
        (.notAllowed, ("notAllowed", 77), ("notAllowed", 77)),
        (.secretExpired, ("secretExpired", 87), ("registrationFailed", 70)),
        (.sessionExpired, ("sessionExpired", 83), ("registrationFailed", 70)),
        (.browserTimedOut, ("browserTimedOut", 86), ("registrationExpired", 89)),
        (.notVerified, ("failed", 70), ("notVerified", 88)),
        (.registrationGone, ("failed", 70), ("registrationExpired", 89)),
        (.codeRefused, ("codeRefused", 77), ("codeRefused", 77)),
        (.verificationRefused, ("notAuthorized", 77), ("notAuthorized", 77)),
        (.mailTooSoon(until: 7), ("mailTooSoon", 75), ("mailTooSoon", 75)),
        (.mailTooSoon(until: nil), ("unreachable", 69), ("unreachable", 69)),
        (.untrustedHost(.notListed), ("untrusted", 78), ("untrusted", 78)),
        (.untrustedHost(.anotherService), ("anotherService", 93), ("anotherService", 93)),
        (.untrustedHost(.serverKeyRefused), ("serverKeyRefused", 94), ("serverKeyRefused", 94)),
        (.clientRefused, ("appRefused", 77), ("appRefused", 77)),
        (.clientTooOld, ("versionRefused", 77), ("versionRefused", 77)),
        (.network, ("unreachable", 69), ("unreachable", 69)), (.busy, ("unreachable", 69), ("unreachable", 69)),
        (.serverFailed, ("failed", 70), ("registrationFailed", 70)),
        (.requestRefused, ("failed", 70), ("registrationFailed", 70)),
        (.badReply, ("failed", 70), ("registrationFailed", 70)),
        (.outcomeUnknown, ("outcomeUnknown", 85), ("registrationFailed", 70)),
        (.storage(.full), ("storageFailed", 74), ("storageFailed", 74)),
        (.storage(nil), ("storageFailed", 74), ("storageFailed", 74)),
        (.pinLength(4), ("pinLength", 65), ("pinLength", 65)),
        (.notOffered, ("notOffered", 69), ("notOffered", 69)), (.misuse, ("failed", 70), ("registrationFailed", 70)),
    ]

    @Test func everyKindEndsACommandInOneWay() {
        for (kind, login, registration) in Self.endings {
            let error = MPinError(kind, detail: "")
            for (stage, ending) in [(KioskFailure.Stage.authenticating, login), (.registering, registration)] {
                let failure = KioskFailure(error, at: stage)
                #expect(
                    failure.outcome.rawValue == ending.0 && failure.outcome.exitCode == ending.1, "\(kind) \(stage)")
            }
        }
    }

    /// Pass 2 was sent if the server judged a proof, and if that is unknown.
    @Test func aVerdictFollowsAProof() {
        let verdicts: Set<MPinError.Kind> = [
            .wrongPIN, .blocked, .sessionExpired, .browserTimedOut, .secretExpired, .notAuthorized, .outcomeUnknown,
        ]
        for kind in Self.staged.map(\.0) + Self.everywhere.map(\.0) {
            let failure = KioskFailure(MPinError(kind, detail: ""), at: .authenticating)
            #expect(failure.passTwoWasSent == verdicts.contains(kind), "\(kind)")
            // Only a revocation may come from an unknown sender.
            #expect(failure.isFinal == (kind != .revoked), "\(kind)")
        }
    }
}
