// SPDX-License-Identifier: Apache-2.0

/// How a call of the SDK ended: the numbers that every M-Pin SDK has used since the first one, for programs that were
/// written for those. Others decide by ``MPinError/kind``, which says more.
///
/// One table for all dialects gives the status of each reply (`RefusalTable`).
public enum Status: Int, Sendable, CaseIterable {
    case ok = 0
    /// No PIN was given.
    case pinInputCanceled
    /// The mathematics cannot be done with what is here: no randomness, a sum at infinity, a PIN of zeros.
    case cryptoError
    /// The store refused, or what it holds cannot be read.
    case storageError
    /// No complete reply, or a redirect.
    case networkError
    /// A reply that is not what the protocol says.
    case responseParseError
    /// The call does not fit the state; no request was made.
    case flowError
    case identityNotAuthorized
    /// The person has not opened the activation mail yet, or the registration is gone: ``MPinError/kind`` tells.
    case identityNotVerified
    case requestExpired
    case revoked
    /// Also when the server blocked the identity with it: ``MPinError/kind`` tells.
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
