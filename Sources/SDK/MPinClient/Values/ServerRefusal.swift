// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// The reason for a refusal in the words of a later dialect's server (docs/protocol/miracl.md, section 10).
public enum ServerRefusal: Sendable, Equatable {
    /// The identity is blocked, revoked or expired: the start of a login.
    case expiredMPinID
    /// The identity is blocked or revoked: the end of a login.
    case revokedMPinID
    /// The PIN was wrong.
    case unsuccessfulAuthentication
    /// The session is unknown, used or expired.
    case invalidAuthenticationSession
    /// This device may not make registration codes.
    case limitedQuickCodeGeneration
    /// The activation token is wrong, used or too old.
    case invalidActivationToken
    /// No further mail is sent yet.
    ///
    /// - Parameter until: the time from which another request is allowed, in seconds since 1970-01-01 UTC; nil when
    ///   the server did not say.
    case requestBackoff(until: Int64?)
    /// The verification code is wrong, used or too old.
    ///
    /// - Parameters:
    ///   - projectID: the project of the verification; nil when the server did not say.
    ///   - accessCode: the session of the verification; nil when the server did not say.
    case unsuccessfulVerification(projectID: String?, accessCode: AccessCode?)

    /// The server's spelling of the reason.
    public var code: String {
        switch self {
        case .expiredMPinID: "EXPIRED_MPINID"
        case .revokedMPinID: "REVOKED_MPINID"
        case .unsuccessfulAuthentication: "UNSUCCESSFUL_AUTHENTICATION"
        case .invalidAuthenticationSession: "INVALID_AUTHENTICATION_SESSION"
        case .limitedQuickCodeGeneration: "LIMITED_QUICKCODE_GENERATION"
        case .invalidActivationToken: "INVALID_ACTIVATION_TOKEN"
        case .requestBackoff: "REQUEST_BACKOFF"
        case .unsuccessfulVerification: "UNSUCCESSFUL_VERIFICATION"
        }
    }
}
