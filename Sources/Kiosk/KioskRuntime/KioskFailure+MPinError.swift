// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import MPinClient

extension KioskFailure {
    init(_ error: MPinError, at stage: Stage) {
        // A platform has one word for an identity that is blocked and for one that is revoked.
        let isBlocked =
            error.kind == .revoked && error.isFinalRefusal && error.refusal?.code == .expiredMPinID
        self.init(
            SessionOutcome(isBlocked ? .blocked : error.kind, at: stage), error.kind.sentence,
            status: error.status.name, passTwoWasSent: error.outcomeIsUnknown || error.kind.isVerdict,
            isFinal: error.kind != .revoked || error.isFinalRefusal)
    }
}

extension SessionOutcome {
    /// How a session or a command ends with a failure of the SDK: the one table.
    init(_ kind: MPinError.Kind, at stage: KioskFailure.Stage) {
        self =
            switch (kind, stage) {
            // A service that does not answer, or makes no sense, is told from its backend.
            case (.network, .readingService): .serviceUnavailable
            case (.badReply, .readingService): .invalidConfiguration
            // These refusals are about a registration.
            case (.notVerified, .registering): .notVerified
            case (.registrationGone, .registering), (.browserTimedOut, .registering): .registrationExpired
            // These refusals are about a login, which a registration is not.
            case (.wrongPIN, .registering), (.blocked, .registering), (.revoked, .registering),
                (.secretExpired, .registering), (.sessionExpired, .registering), (.accessCodeMistyped, .registering),
                (.outcomeUnknown, .registering):
                stage.failed
            case (.browserTimedOut, .authenticating): .browserTimedOut
            case (.wrongPIN, _): .wrongPIN
            case (.blocked, _): .blocked
            case (.revoked, _): .revoked
            case (.secretExpired, _): .secretExpired
            case (.sessionExpired, _), (.accessCodeMistyped, _): .sessionExpired
            case (.outcomeUnknown, _): .outcomeUnknown
            case (.notAuthorized, _), (.verificationRefused, _): .notAuthorized
            case (.notAllowed, _): .notAllowed
            case (.codeRefused, _): .codeRefused
            case (.mailTooSoon(until: _?), _): .mailTooSoon
            case (.mailTooSoon(until: nil), _), (.network, _), (.busy, _): .unreachable
            case (.untrustedHost(.anotherService), _): .anotherService
            case (.untrustedHost(.serverKeyRefused), _): .serverKeyRefused
            case (.untrustedHost, _): .untrusted
            case (.clientRefused, _): .appRefused
            case (.clientTooOld, _): .versionRefused
            case (.storage, _): .storageFailed
            case (.notOffered, _): .notOffered
            case (.pinLength, _): .pinLength
            case (.samePIN, _): .samePIN
            case (.notVerified, _), (.registrationGone, _), (.browserTimedOut, _), (.badReply, _), (.serverFailed, _),
                (.requestRefused, _), (.noPIN, _), (.unusablePIN, _), (.misuse, _), (.cryptography, _):
                stage.failed
            }
    }
}

extension MPinError.Kind {
    /// The sentence that says more to a person than that of the outcome.
    fileprivate var sentence: PromptKey? {
        switch self {
        case .busy: .serviceTooBusy
        case .storage(.full): .storageFull
        case .verificationRefused, .mailTooSoon: .verificationRefused
        default: nil
        }
    }

    /// Whether the failure is the server's answer to a proof, so that pass 2 was sent.
    fileprivate var isVerdict: Bool {
        switch self {
        case .wrongPIN, .blocked, .sessionExpired, .browserTimedOut, .secretExpired, .notAuthorized: true
        default: false
        }
    }
}
