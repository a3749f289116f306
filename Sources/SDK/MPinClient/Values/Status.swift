// SPDX-License-Identifier: Apache-2.0

/// The result of a call as a number that all M-Pin SDKs have used, for programs that were written for them. Other
/// programs use ``MPinError/kind``, which is more precise.
///
/// One table for all dialects maps each reply to a status (`RefusalTable`).
public enum Status: Int, Sendable, CaseIterable {
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
    case identityNotAuthorized
    /// The person has not opened the activation mail yet, or the registration is gone: see ``MPinError/kind``.
    case identityNotVerified
    case requestExpired
    case revoked
    /// The PIN was wrong; the server may have blocked the identity: see ``MPinError/kind``.
    case incorrectPIN
    /// The access code is unknown or its session expired.
    case incorrectAccessNumber
    case httpServerError
    case httpRequestError
    /// This client or company may not use the service.
    case badUserAgent
    case clientSecretExpired
    /// This client is too old for the service.
    case badClientVersion
    /// The trust policy refused the host; no request was made.
    case untrustedDomainError
    case registrationExpired
    case operationNotAllowed
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
