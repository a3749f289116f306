// SPDX-License-Identifier: Apache-2.0

/// The meaning of an unsuccessful reply: one rule for all dialects, exceptions for single requests, and the server's
/// own reasons (docs/protocol/miracl.md, section 10).
enum RefusalTable {
    struct Meaning {
        let kind: MPinError.Kind
        let status: Status

        /// - Parameter status: nil takes the kind's own.
        init(_ kind: MPinError.Kind, _ status: Status? = nil) {
            self.kind = kind
            self.status = status ?? kind.status
        }
    }

    static func meaning(of httpStatus: Int, to request: RequestKind) -> Meaning {
        overrides(for: request)[httpStatus] ?? generic(httpStatus, request)
    }

    /// The meaning of a server's own reason; nil if it does not apply to such a request.
    static func meaning(of refusal: ServerRefusal, _ httpStatus: Int, to request: RequestKind) -> Meaning? {
        switch (refusal, request) {
        case (.expiredMPinID, .pass1), (.expiredMPinID, .pass2), (.expiredMPinID, .authenticate),
            (.expiredMPinID, .authenticateForCode), (.revokedMPinID, .pass1), (.revokedMPinID, .pass2),
            (.revokedMPinID, .registrationCode), (.revokedMPinID, .keyRegistration), (.revokedMPinID, .signingSession):
            Meaning(.revoked)
        // The refusal follows a PIN entry, so the identity is blocked.
        case (.revokedMPinID, .authenticate), (.revokedMPinID, .authenticateForCode): Meaning(.blocked)
        case (.unsuccessfulAuthentication, .authenticate), (.unsuccessfulAuthentication, .authenticateForCode):
            Meaning(httpStatus == 410 ? .blocked : .wrongPIN)
        case (.invalidAuthenticationSession, .authenticate), (.invalidAuthenticationSession, .authenticateForCode),
            (.invalidAuthenticationSession, .codeStatus), (.invalidAuthenticationSession, .signingSession):
            Meaning(.sessionExpired)
        case (.limitedQuickCodeGeneration, .authenticateForCode), (.limitedQuickCodeGeneration, .registrationCode):
            Meaning(.notAllowed)
        case (.invalidActivationToken, .register), (.invalidActivationToken, .keyRegistration): Meaning(.codeRefused)
        case (.requestBackoff(let time), .startVerification): Meaning(.mailTooSoon(until: time))
        case (.unsuccessfulVerification, .finishVerification): Meaning(.codeRefused, .verificationFailed)
        default: nil
        }
    }

    private static func generic(_ httpStatus: Int, _ request: RequestKind) -> Meaning {
        switch (request, httpStatus) {
        case (.startVerification, 429): Meaning(.mailTooSoon(until: nil))
        case (.startVerification, 400..<500): Meaning(.verificationRefused)
        case (.finishVerification, 429): Meaning(.busy, .verificationFailed)
        case (.finishVerification, 400..<500): Meaning(.codeRefused, .verificationFailed)
        case (.startVerification, _), (.finishVerification, _):
            Meaning(generic(httpStatus).kind, .verificationFailed)
        default: generic(httpStatus)
        }
    }

    private static func generic(_ httpStatus: Int) -> Meaning {
        switch httpStatus {
        case 300..<400: Meaning(.network)
        case 406: Meaning(.clientRefused)
        case 429: Meaning(.busy, .httpRequestError)
        case 400..<500: Meaning(.requestRefused)
        case 503: Meaning(.busy)
        case 500...: Meaning(.serverFailed)
        // Another 2xx did not do what was asked, and below 200 no reply is final.
        default: Meaning(.badReply)
        }
    }

    private static func overrides(for request: RequestKind) -> [Int: Meaning] {
        switch request {
        case .serviceDetails: [412: Meaning(.clientTooOld)]
        case .register: [403: Meaning(.notAuthorized), 404: Meaning(.registrationGone)]
        case .clientSecretShare1:
            [
                400: Meaning(.registrationGone, .identityNotVerified), 401: Meaning(.notVerified),
                404: Meaning(.registrationGone),
            ]
        case .clientSecretShare2: [408: Meaning(.registrationGone, .requestExpired)]
        case .timePermitShare1, .timePermitShare2: [410: Meaning(.revoked)]
        case .authenticate: verdicts
        case .authenticateForCode: verdicts.merging(Inferred.refusedRegistrationCode) { $1 }
        case .applicationAuthorization: [412: Meaning(.clientTooOld)]
        case .applicationLogin: [401: Meaning(.notAuthorized), 403: Meaning(.notAuthorized)]
        case .clientSettings, .projectConfiguration, .authorizationURL, .codeStatus, .signingSession,
            .startVerification, .finishVerification, .keyRegistration, .timePermitStorage, .pass1, .pass2,
            .registrationCode,
            .logout, .documentHash, .signatureCheck:
            [:]
        }
    }

    private static let verdicts: [Int: Meaning] = [
        401: Meaning(.wrongPIN), 403: Meaning(.notAuthorized), 408: Meaning(.browserTimedOut),
        409: Meaning(.secretExpired), 410: Meaning(.blocked), 412: Meaning(.sessionExpired),
    ]
}
