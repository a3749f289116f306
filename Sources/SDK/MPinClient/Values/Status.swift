// SPDX-License-Identifier: Apache-2.0

/// The result of a call as a number that all M-Pin SDKs have used, for programs that were written for them. Other
/// programs use ``MPinError/kind``, which is more precise.
///
/// One table for all dialects maps each reply to a status (`RefusalTable`).
public enum Status: Int, Sendable, CaseIterable {
    /// The call succeeded.
    case ok = 0
    /// No PIN was given.
    case pinInputCanceled
    /// The computation is impossible: no randomness, a sum at infinity, a PIN of zeros.
    case cryptoError
    /// The store refused, or its content cannot be read.
    case storageError
    /// No complete reply, or a redirect.
    case networkError
    /// The reply violates the protocol.
    case responseParseError
    /// The call does not fit the state; no request was made.
    case flowError
    /// This person has no permission, or a registration code was refused.
    case identityNotAuthorized
    /// The person has not opened the activation mail yet, or the registration is gone: see ``MPinError/kind``.
    case identityNotVerified
    /// The browser did not follow in time, or a secret share was requested too late.
    case requestExpired
    /// The server refuses the identity for good.
    case revoked
    /// The PIN was wrong; the server may have blocked the identity: see ``MPinError/kind``.
    case incorrectPIN
    /// The access code is unknown or its session expired.
    case incorrectAccessNumber
    /// The server failed, or is too busy.
    case httpServerError
    /// The server refuses the request.
    case httpRequestError
    /// This client or company may not use the service.
    case badUserAgent
    /// The secret is too old: only a new registration helps.
    case clientSecretExpired
    /// This client is too old for the service.
    case badClientVersion
    /// The trust policy refused the host; no request was made.
    case untrustedDomainError
    /// The server has no such registration any more.
    case registrationExpired
    /// This device may not make registration codes.
    case operationNotAllowed
    /// The verification was refused or failed.
    case verificationFailed

    /// The name that the older SDKs print, for example `INCORRECT_PIN`.
    public var name: String {
        switch self {
        case .ok: "OK"
        case .pinInputCanceled: "PIN_INPUT_CANCELED"
        case .cryptoError: "CRYPTO_ERROR"
        case .storageError: "STORAGE_ERROR"
        case .networkError: "NETWORK_ERROR"
        case .responseParseError: "RESPONSE_PARSE_ERROR"
        case .flowError: "FLOW_ERROR"
        case .identityNotAuthorized: "IDENTITY_NOT_AUTHORIZED"
        case .identityNotVerified: "IDENTITY_NOT_VERIFIED"
        case .requestExpired: "REQUEST_EXPIRED"
        case .revoked: "REVOKED"
        case .incorrectPIN: "INCORRECT_PIN"
        case .incorrectAccessNumber: "INCORRECT_ACCESS_NUMBER"
        case .httpServerError: "HTTP_SERVER_ERROR"
        case .httpRequestError: "HTTP_REQUEST_ERROR"
        case .badUserAgent: "BAD_USER_AGENT"
        case .clientSecretExpired: "CLIENT_SECRET_EXPIRED"
        case .badClientVersion: "BAD_CLIENT_VERSION"
        case .untrustedDomainError: "UNTRUSTED_DOMAIN_ERROR"
        case .registrationExpired: "REGISTRATION_EXPIRED"
        case .operationNotAllowed: "OPERATION_NOT_ALLOWED"
        case .verificationFailed: "VERIFICATION_FAILED"
        }
    }
}
