// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import MPinClient
import Testing

@testable import KioskRuntime

@Suite("Each error of the SDK gives one outcome")
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

    /// Pass 2 was sent if the server checked a proof, and if that is unknown.
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
