// SPDX-License-Identifier: Apache-2.0

extension PlatformRefusal.Code {
    /// Today's code.
    package var name: String {
        switch self {
        case .invalidRequestParameters: "INVALID_REQUEST_PARAMETERS"
        case .requestBackoff: "REQUEST_BACKOFF"
        case .unsuccessfulVerification: "UNSUCCESSFUL_VERIFICATION"
        case .invalidActivationToken: "INVALID_ACTIVATION_TOKEN"
        case .expiredMPinID: "EXPIRED_MPINID"
        case .revokedMPinID: "REVOKED_MPINID"
        case .unsuccessfulAuthentication: "UNSUCCESSFUL_AUTHENTICATION"
        case .invalidAuthenticationSession: "INVALID_AUTHENTICATION_SESSION"
        case .limitedQuickCodeGeneration: "LIMITED_QUICKCODE_GENERATION"
        case .noPushToken: "NO_PUSH_TOKEN"
        }
    }

    /// The code of the first generation, if it differs.
    package var olderName: String {
        switch self {
        case .requestBackoff: "BACKOFF_ERROR"
        case .unsuccessfulVerification: "INVALID_VERIFICATION_CODE"
        case .expiredMPinID: "MPINID_EXPIRED"
        case .revokedMPinID: "MPINID_REVOKED"
        case .unsuccessfulAuthentication: "INVALID_AUTH"
        case .invalidAuthenticationSession: "INVALID_AUTH_SESSION"
        case .invalidRequestParameters, .invalidActivationToken, .limitedQuickCodeGeneration, .noPushToken: name
        }
    }

    /// A text for people.
    package var info: String {
        switch self {
        case .invalidRequestParameters: "The request is malformed or about something unknown."
        case .requestBackoff: "Another mail may be asked for later."
        case .unsuccessfulVerification: "The verification code is invalid or expired."
        case .invalidActivationToken: "The activation token is invalid or expired."
        case .expiredMPinID: "The identity may not log in any more."
        case .revokedMPinID: "The identity is revoked."
        case .unsuccessfulAuthentication: "The authentication is not successful."
        case .invalidAuthenticationSession: "The session is invalid or expired."
        case .limitedQuickCodeGeneration: "A device that was registered by code issues no codes."
        case .noPushToken: "No device of this user takes notifications."
        }
    }

    /// The only thing that the platform's first clients read. It follows the classic protocol.
    package var status: Int {
        switch self {
        case .invalidRequestParameters, .unsuccessfulVerification, .noPushToken: 400
        case .unsuccessfulAuthentication: 401
        case .invalidActivationToken, .limitedQuickCodeGeneration: 403
        case .expiredMPinID, .revokedMPinID: 410
        case .invalidAuthenticationSession: 412
        case .requestBackoff: 429
        }
    }
}
