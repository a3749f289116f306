// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import Testing

@Suite("Every failure has one outcome at each stage")
struct OutcomeTableTests {
    /// While the service is read, while its backend is asked, while a person registers, while one logs in.
    static let outcomes: [(KioskFailure.Reason, [SessionOutcome])] = [
        (.badReply, [.invalidConfiguration, .failed, .registrationFailed, .failed]),
        (.serverFailed, [.serviceUnavailable, .failed, .registrationFailed, .failed]),
        (.other, [.serviceUnavailable, .failed, .registrationFailed, .failed]),
        (.notVerified, [.serviceUnavailable, .failed, .notVerified, .failed]),
        (.registrationExpired, [.serviceUnavailable, .failed, .registrationExpired, .failed]),
        (.requestExpired, [.serviceUnavailable, .failed, .registrationExpired, .browserTimedOut]),
        (.unreachable, [.serviceUnavailable, .unreachable, .unreachable, .unreachable]),
        (.wrongPIN, [.wrongPIN, .wrongPIN, .registrationFailed, .wrongPIN]),
        (.blocked, [.blocked, .blocked, .registrationFailed, .blocked]),
        (.revoked, [.revoked, .revoked, .registrationFailed, .revoked]),
        (.secretExpired, [.secretExpired, .secretExpired, .registrationFailed, .secretExpired]),
        (.sessionExpired, [.sessionExpired, .sessionExpired, .registrationFailed, .sessionExpired]),
        (.outcomeUnknown, [.outcomeUnknown, .outcomeUnknown, .registrationFailed, .outcomeUnknown]),
    ]

    /// What is told alike wherever it happens.
    static let everywhere: [(KioskFailure.Reason, SessionOutcome)] = [
        (.untrusted, .untrusted), (.anotherService, .anotherService), (.serverKeyRefused, .serverKeyRefused),
        (.versionRefused, .versionRefused), (.appRefused, .appRefused), (.busy, .unreachable),
        (.notAuthorized, .notAuthorized), (.storage, .storageFailed), (.storageFull, .storageFailed),
        (.changedElsewhere, .storageFailed),
        (.notOffered, .notOffered),
        (.notAllowed, .notAllowed), (.tooOften, .tooOften), (.doorFailed, .doorFailed), (.doorUnknown, .doorUnknown),
        (.documentDiffers, .documentRefused), (.signatureRefused, .signatureRefused),
        (.cardElsewhere, .unknownUser), (.screenTooSmall, .notOffered),
    ]

    @Test func thereIsOneForEachReasonAndStage() {
        let all = Self.outcomes + Self.everywhere.map { ($0.0, Array(repeating: $0.1, count: 4)) }
        for (reason, outcomes) in all {
            let failure = KioskFailure(reason, status: "STATUS")
            #expect(KioskFailure.Stage.allCases.map { failure.outcome(at: $0) } == outcomes, "\(reason)")
        }
        #expect(all.map(\.0).count == KioskFailure.Reason.allCases.count)
        #expect(Set(all.map(\.0)) == Set(KioskFailure.Reason.allCases))
    }

    /// No failure ends a session as a success.
    @Test func aFailureIsNoSuccess() {
        for reason in KioskFailure.Reason.allCases {
            for stage in KioskFailure.Stage.allCases {
                #expect(!KioskFailure(reason, status: "").outcome(at: stage).isSuccess, "\(reason) \(stage)")
            }
        }
    }
}
