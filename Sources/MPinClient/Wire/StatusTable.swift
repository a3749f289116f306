// SPDX-License-Identifier: Apache-2.0

/// Which status a reply that is no success leads to: one rule for all dialects, and what single requests override
/// (MIRACL protocol, section 10).
enum StatusTable {
    static func status(of httpStatus: Int, to request: RequestKind) -> Status {
        overrides(for: request)[httpStatus] ?? generic(httpStatus, request)
    }

    /// What a server's own word leads to; nil where the word says nothing about such a request.
    static func status(of refusal: ServerRefusal.Code, to request: RequestKind) -> Status? {
        switch (refusal, request) {
        case (.expiredMPinID, .pass1), (.expiredMPinID, .pass2), (.expiredMPinID, .authenticate),
            (.expiredMPinID, .authenticateForCode), (.revokedMPinID, .pass1), (.revokedMPinID, .pass2),
            (.revokedMPinID, .quickCode), (.revokedMPinID, .keyRegistration), (.revokedMPinID, .signingSession):
            .revoked
        // It follows a PIN entry, and the identity is blocked.
        case (.revokedMPinID, .authenticate), (.revokedMPinID, .authenticateForCode): .incorrectPIN
        case (.unsuccessfulAuthentication, .authenticate), (.unsuccessfulAuthentication, .authenticateForCode):
            .incorrectPIN
        case (.invalidAuthenticationSession, .authenticate), (.invalidAuthenticationSession, .authenticateForCode),
            (.invalidAuthenticationSession, .codeStatus), (.invalidAuthenticationSession, .signingSession):
            .incorrectAccessNumber
        case (.limitedQuickCodeGeneration, .authenticateForCode), (.limitedQuickCodeGeneration, .quickCode):
            .operationNotAllowed
        case (.invalidActivationToken, .register), (.invalidActivationToken, .keyRegistration): .identityNotVerified
        case (.requestBackoff, .startVerification), (.unsuccessfulVerification, .finishVerification):
            .verificationFailed
        default: nil
        }
    }

    private static func generic(_ httpStatus: Int, _ request: RequestKind) -> Status {
        if request == .startVerification || request == .finishVerification { return .verificationFailed }
        return switch httpStatus {
        case 300..<400: .networkError
        case 406: .badUserAgent
        case 400..<500: .httpRequestError
        case 500...: .httpServerError
        // Another 2xx did not do what was asked, and nothing says what it did; below 200 nothing is a final reply.
        default: .responseParseError
        }
    }

    private static func overrides(for request: RequestKind) -> [Int: Status] {
        switch request {
        case .serviceDetails: [412: .badClientVersion]
        case .register: [403: .identityNotAuthorized, 404: .registrationExpired]
        case .clientSecretShare1:
            [400: .identityNotVerified, 401: .identityNotVerified, 404: .registrationExpired]
        case .clientSecretShare2: [408: .requestExpired]
        case .timePermitShare1, .timePermitShare2: [410: .revoked]
        case .authenticate: verdicts
        case .authenticateForCode: verdicts.merging(Inferred.refusedRegistrationCode) { $1 }
        case .applicationAuthorization: [412: .badClientVersion]
        case .applicationLogin: [401: .identityNotAuthorized, 403: .identityNotAuthorized]
        case .clientSettings, .projectConfiguration, .authorizationURL, .codeStatus, .signingSession,
            .startVerification, .finishVerification, .keyRegistration, .timePermitStorage, .pass1, .pass2, .quickCode,
            .logout, .documentHash, .signatureCheck:
            [:]
        }
    }

    private static let verdicts: [Int: Status] = [
        401: .incorrectPIN, 403: .identityNotAuthorized, 408: .requestExpired, 409: .clientSecretExpired,
        410: .incorrectPIN, 412: .incorrectAccessNumber,
    ]
}
