// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

extension KioskFailure {
    init(_ error: MPinError) {
        let reason: Reason =
            if error.status == .revoked {
                // Whatever became of the login: this is what the person has to know.
                .revoked
            } else if error.outcomeIsUnknown {
                .outcomeUnknown
            } else if error.registrationIsGone, error.trustRefusal == nil {
                .registrationExpired
            } else if error.trustRefusal == .anotherService {
                .anotherService
            } else if error.trustRefusal == .serverKeyRefused {
                .serverKeyRefused
            } else if error.storageFailure == .full {
                .storageFull
            } else if error.isBusyServer {
                .busy
            } else {
                Reason(error.status)
            }
        self.init(
            reason, status: error.status.name, passTwoWasSent: error.outcomeIsUnknown || error.isVerdict,
            isFinal: error.status != .revoked || error.isFinalRefusal)
    }
}

extension MPinError {
    /// Whether the server has too much to do, and no word of its own that says more.
    fileprivate var isBusyServer: Bool {
        (httpStatus == 429 || httpStatus == 503) && (status == .httpRequestError || status == .httpServerError)
    }

    /// Whether the failure is the server's answer to a proof, so that pass 2 was sent.
    fileprivate var isVerdict: Bool {
        switch status {
        case .incorrectPIN, .incorrectAccessNumber, .requestExpired, .clientSecretExpired, .identityNotAuthorized: true
        default: false
        }
    }
}

extension KioskFailure.Reason {
    fileprivate init(_ status: Status) {
        self =
            switch status {
            case .untrustedDomainError: .untrusted
            case .badClientVersion: .versionRefused
            case .badUserAgent: .appRefused
            case .responseParseError: .badReply
            case .httpServerError: .serverFailed
            case .networkError: .unreachable
            case .identityNotAuthorized: .notAuthorized
            case .identityNotVerified, .verificationFailed: .notVerified
            case .registrationExpired: .registrationExpired
            case .revoked: .revoked
            case .incorrectPIN: .wrongPIN
            case .incorrectAccessNumber: .sessionExpired
            case .requestExpired: .requestExpired
            case .clientSecretExpired: .secretExpired
            case .storageError: .storage
            case .operationNotAllowed: .notAllowed
            case .ok, .pinInputCanceled, .cryptoError, .flowError, .httpRequestError: .other
            }
    }
}
