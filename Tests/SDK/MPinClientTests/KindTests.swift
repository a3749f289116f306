// SPDX-License-Identifier: Apache-2.0

import LoginValues
import Testing

@testable import MPinClient

/// The kinds of failures and the older SDKs' numbers come from one table, and never disagree.
@Suite struct KindTests {
    /// The number of each kind.
    static let statuses: [(MPinError.Kind, Status)] = [
        (.wrongPIN, .incorrectPIN), (.blocked, .incorrectPIN), (.revoked, .revoked),
        (.notAuthorized, .identityNotAuthorized), (.notAllowed, .operationNotAllowed),
        (.secretExpired, .clientSecretExpired), (.sessionExpired, .incorrectAccessNumber),
        (.accessCodeMistyped, .incorrectAccessNumber), (.browserTimedOut, .requestExpired),
        (.notVerified, .identityNotVerified), (.registrationGone, .registrationExpired),
        (.codeRefused, .identityNotVerified), (.verificationRefused, .verificationFailed),
        (.mailTooSoon(until: 7), .verificationFailed), (.untrustedHost(.notListed), .untrustedDomainError),
        (.clientRefused, .badUserAgent), (.clientTooOld, .badClientVersion), (.network, .networkError),
        (.busy, .httpServerError), (.serverFailed, .httpServerError), (.requestRefused, .httpRequestError),
        (.badReply, .responseParseError), (.outcomeUnknown, .networkError), (.storage(.full), .storageError),
        (.noPIN, .pinInputCanceled), (.pinLength(4), .flowError), (.samePIN, .flowError), (.unusablePIN, .cryptoError),
        (.notOffered, .flowError), (.misuse, .flowError), (.cryptography, .cryptoError),
    ]

    /// Requests with another number for a kind.
    static let others: [(MPinError.Kind, Status)] = [
        (.busy, .httpRequestError), (.registrationGone, .identityNotVerified), (.registrationGone, .requestExpired),
        (.codeRefused, .verificationFailed), (.busy, .verificationFailed), (.serverFailed, .verificationFailed),
        (.network, .verificationFailed), (.badReply, .verificationFailed),
    ]

    @Test func everyKindHasItsNumber() {
        for (kind, status) in Self.statuses {
            #expect(kind.status == status)
            #expect(MPinError(kind, detail: "").status == status, "\(kind)")
        }
        #expect(Set(Self.statuses.map(\.0)).count == Self.statuses.count)
    }

    @Test func everyNumberIsThatOfAKind() {
        #expect(Set(Self.statuses.map(\.1)) == Set(Status.allCases).subtracting([.ok]))
    }

    private static let refusals: [ServerRefusal] = [
        .expiredMPinID, .revokedMPinID, .unsuccessfulAuthentication, .invalidAuthenticationSession,
        .limitedQuickCodeGeneration, .invalidActivationToken, .requestBackoff(until: 7),
        .unsuccessfulVerification(projectID: nil, accessCode: nil),
    ]

    @Test(arguments: RequestKind.allCases) func theTableOfRefusalsAgrees(_ request: RequestKind) {
        for code in 0...999 {
            let meaning = RefusalTable.meaning(of: code, to: request)
            #expect(Self.agree(meaning), "\(code): \(meaning)")
            for refusal in Self.refusals {
                guard let told = RefusalTable.meaning(of: refusal, code, to: request) else { continue }
                #expect(Self.agree(told), "\(refusal) \(code): \(told)")
                // An error word means the same with any status, except the verdict on a PIN.
                let usual = RefusalTable.meaning(of: refusal, 400, to: request)
                let isVerdict = refusal == .unsuccessfulAuthentication && code == 410
                #expect(isVerdict ? told.kind == .blocked : told.kind == usual?.kind, "\(refusal) \(code)")
            }
        }
    }

    private static func agree(_ meaning: RefusalTable.Meaning) -> Bool {
        meaning.status == meaning.kind.status || others.contains { $0 == (meaning.kind, meaning.status) }
    }

    @Test func theLossOfAnIdentityIsToldBeforeAnythingElse() {
        for kind in [MPinError.Kind.blocked, .revoked] {
            let error = MPinError(kind, detail: "").withUnknownOutcome()
            #expect(error.kind == kind && error.outcomeIsUnknown)
            #expect(MPinError(kind, detail: "").afterRegistrationWasUsedUp.kind == kind)
        }
        let wrong = MPinError(.wrongPIN, detail: "").withUnknownOutcome()
        #expect(wrong.kind == .outcomeUnknown && wrong.status == .incorrectPIN && wrong.outcomeIsUnknown)
        let late = MPinError(.busy, detail: "").afterRegistrationWasUsedUp
        #expect(late.kind == .registrationGone && late.status == .httpServerError)
        let untrusted = MPinError(.untrustedHost(.notListed), detail: "").afterRegistrationWasUsedUp
        #expect(untrusted.kind == .untrustedHost(.notListed))
    }
}
