// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskTestKit
import Logging
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
        (.storage(.changedElsewhere), .changedElsewhere), (.storage(.outcomeUnknown), .outcomeUnknown),
        (.storage(.damaged), .storage), (.storage(.recordTooLong), .storage), (.storage(nil), .storage),
        (.noPIN, .other), (.pinLength(4), .other), (.samePIN, .other), (.unusablePIN, .other),
        (.notOffered, .notOffered),
        (.misuse, .other), (.cryptography, .other),
    ]

    @Test func everyKindHasItsReason() {
        for (kind, reason) in Self.reasons {
            let failure = KioskFailure(MPinError(kind, detail: ""))
            #expect(failure.reason == reason, "\(kind)")
            #expect(failure.status == kind.status.name, "\(kind)")
        }
        // The rest is the kiosk's own: its door, its documents, its errands, its cards.
        let own: Set<KioskFailure.Reason> = [
            .tooOften, .doorFailed, .doorUnknown, .documentDiffers, .signatureRefused, .cardElsewhere,
            .screenTooSmall,
        ]
        #expect(Set(Self.reasons.map(\.1)).union(own) == Set(KioskFailure.Reason.allCases))
    }

    /// What a script reads, at the stage of a login and at that of a registration.
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
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let sdk = MPin(
            transport: FakeTransport(), storage: InMemoryStorage(), trust: nil,
            configuration: MPin.Configuration(clientVersion: "1"), logger: logger)
        let desk = OperatorDesk(sdk: sdk, trust: TrustPolicy(), logger: logger)
        for (kind, login, registration) in Self.endings {
            let error = MPinError(kind, detail: "")
            for (stage, ending) in [(KioskFailure.Stage.authenticating, login), (.registering, registration)] {
                let failure = desk.failure(error, of: "test", stage)
                #expect(failure.name == ending.0 && failure.exitCode == ending.1, "\(kind) \(stage)")
            }
        }
    }

    /// Pass 2 was sent when the server judged a proof, and when it is not known whether it did.
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
