// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import MPinClient

extension KioskFailure {
    init(_ error: MPinError, at stage: Stage) {
        // A platform uses the same error for blocked and revoked identities.
        let isBlocked =
            error.kind == .revoked && error.isFinalRefusal && error.refusal == .expiredMPinID
        self.init(
            SessionOutcome(isBlocked ? .blocked : error.kind, at: stage), error.kind.sentence,
            status: error.status.name, passTwoWasSent: error.outcomeIsUnknown || error.kind.isVerdict,
            isFinal: error.kind != .revoked || error.isFinalRefusal, detail: error.kind.detail)
    }
}

extension SessionOutcome {
    /// The outcome of a session or a command after a failure of the SDK: the only table.
    init(_ kind: MPinError.Kind, at stage: KioskFailure.Stage) {
        self =
            switch (kind, stage) {
            // A failing service is distinguished from its backend.
            case (.network, .readingService): .serviceUnavailable
            case (.badReply, .readingService): .invalidConfiguration
            // These refusals are about a registration.
            case (.notVerified, .registering): .notVerified
            case (.registrationGone, .registering), (.browserTimedOut, .registering): .registrationExpired
            // These refusals concern a login, so they are unexpected for a registration.
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
    /// A more precise sentence for the person than that of the outcome.
    fileprivate var sentence: PromptKey? {
        switch self {
        case .busy: .serviceTooBusy
        case .storage(.full): .storageFull
        case .verificationRefused, .mailTooSoon: .verificationRefused
        default: nil
        }
    }

    fileprivate var detail: KioskFailure.Detail? {
        switch self {
        case .pinLength(let length): .digits(length...length)
        case .mailTooSoon(until: let time?): .until(time)
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
