// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

extension KioskFailure {
    init(_ error: MPinError) {
        self.init(
            Reason(error.kind), status: error.status.name,
            passTwoWasSent: error.outcomeIsUnknown || error.kind.isVerdict,
            isFinal: error.kind != .revoked || error.isFinalRefusal)
    }
}

extension MPinError.Kind {
    /// Whether the failure is the server's answer to a proof, so that pass 2 was sent.
    fileprivate var isVerdict: Bool {
        switch self {
        case .wrongPIN, .blocked, .sessionExpired, .browserTimedOut, .secretExpired, .notAuthorized: true
        default: false
        }
    }
}

extension KioskFailure.Reason {
    /// The one table from what the SDK says to what a person is told.
    init(_ kind: MPinError.Kind) {
        self =
            switch kind {
            case .wrongPIN: .wrongPIN
            case .blocked: .blocked
            case .revoked: .revoked
            case .notAuthorized: .notAuthorized
            case .notAllowed: .notAllowed
            case .secretExpired: .secretExpired
            case .sessionExpired, .accessCodeMistyped: .sessionExpired
            case .browserTimedOut: .requestExpired
            case .notVerified, .codeRefused, .verificationRefused, .mailTooSoon: .notVerified
            case .registrationGone: .registrationExpired
            case .untrustedHost(.anotherService): .anotherService
            case .untrustedHost(.serverKeyRefused): .serverKeyRefused
            case .untrustedHost: .untrusted
            case .clientRefused: .appRefused
            case .clientTooOld: .versionRefused
            case .network: .unreachable
            case .busy: .busy
            case .serverFailed: .serverFailed
            case .badReply: .badReply
            case .outcomeUnknown: .outcomeUnknown
            case .storage(.full): .storageFull
            case .storage(.changedElsewhere): .changedElsewhere
            case .storage(.outcomeUnknown): .outcomeUnknown
            case .storage: .storage
            case .notOffered: .notOffered
            case .requestRefused, .noPIN, .pinLength, .samePIN, .unusablePIN, .misuse, .cryptography: .other
            }
    }
}
