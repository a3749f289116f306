// SPDX-License-Identifier: Apache-2.0

import KioskCore
import LoginValues
import MPinClient
import Testing

@testable import KioskRuntime

@Suite("What the SDK says leads to one reason, one outcome and one exit code")
struct FailureTableTests {
    static let reasons: [(MPinError.Kind, KioskFailure.Reason)] = [
        (.wrongPIN, .wrongPIN), (.blocked, .blocked), (.revoked, .revoked), (.notAuthorized, .notAuthorized),
        (.notAllowed, .notAllowed), (.secretExpired, .secretExpired), (.sessionExpired, .sessionExpired),
        (.accessCodeMistyped, .sessionExpired), (.browserTimedOut, .requestExpired), (.notVerified, .notVerified),
        (.registrationGone, .registrationExpired), (.codeRefused, .notVerified), (.verificationRefused, .notVerified),
        (.mailTooSoon(until: nil), .notVerified), (.mailTooSoon(until: 7), .notVerified),
        (.untrustedHost(.nothingTrusted), .untrusted), (.untrustedHost(.notHTTPS), .untrusted),
        (.untrustedHost(.notListed), .untrusted), (.untrustedHost(.loopbackHTTP), .untrusted),
        (.untrustedHost(.anotherService), .anotherService), (.untrustedHost(.serverKeyRefused), .serverKeyRefused),
        (.clientRefused, .appRefused), (.clientTooOld, .versionRefused), (.network, .unreachable), (.busy, .busy),
        (.serverFailed, .serverFailed), (.requestRefused, .other), (.badReply, .badReply),
        (.outcomeUnknown, .outcomeUnknown), (.storage(.full), .storageFull), (.storage(.unavailable), .storage),
        (.storage(.damaged), .storage), (.storage(.recordTooLong), .storage), (.storage(nil), .storage),
        (.noPIN, .other), (.pinLength(4), .other), (.unusablePIN, .other), (.notOffered, .notOffered),
        (.misuse, .other), (.cryptography, .other),
    ]

    @Test func everyKindHasItsReason() {
        for (kind, reason) in Self.reasons {
            let failure = KioskFailure(MPinError(kind, detail: ""))
            #expect(failure.reason == reason, "\(kind)")
            #expect(failure.status == kind.status.name, "\(kind)")
        }
        // The rest is the kiosk's own: its door, its documents, its errands.
        let own: Set<KioskFailure.Reason> = [.tooOften, .doorFailed, .doorUnknown, .documentDiffers, .signatureRefused]
        #expect(Set(Self.reasons.map(\.1)).union(own) == Set(KioskFailure.Reason.allCases))
    }

    /// Pass 2 was sent when the server judged a proof, and when nobody knows.
    @Test func aVerdictFollowsAProof() {
        let verdicts: Set<MPinError.Kind> = [
            .wrongPIN, .blocked, .sessionExpired, .browserTimedOut, .secretExpired, .notAuthorized, .outcomeUnknown,
        ]
        for (kind, _) in Self.reasons {
            let failure = KioskFailure(MPinError(kind, detail: ""))
            #expect(failure.passTwoWasSent == verdicts.contains(kind), "\(kind)")
            // Only a revocation may come from a sender that is not known.
            #expect(failure.isFinal == (kind != .revoked), "\(kind)")
        }
    }
}
