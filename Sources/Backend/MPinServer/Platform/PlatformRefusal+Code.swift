// SPDX-License-Identifier: Apache-2.0

extension PlatformRefusal.Code {
    /// The spelling of the generation of 2023.
    package var olderSpelling: String {
        switch self {
        case .requestBackoff: "BACKOFF_ERROR"
        case .unsuccessfulVerification: "INVALID_VERIFICATION_CODE"
        case .expiredMPinID: "MPINID_EXPIRED"
        case .revokedMPinID: "MPINID_REVOKED"
        case .unsuccessfulAuthentication: "INVALID_AUTH"
        case .invalidAuthenticationSession: "INVALID_AUTH_SESSION"
        case .invalidRequestParameters, .invalidActivationToken, .limitedQuickCodeGeneration, .noPushToken: rawValue
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
