// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// Why a server of a later dialect refused, in its own words (MIRACL protocol, section 10).
public struct ServerRefusal: Sendable, Equatable {
    public enum Code: String, Sendable, CaseIterable {
        case expiredMPinID = "EXPIRED_MPINID"
        case revokedMPinID = "REVOKED_MPINID"
        case unsuccessfulAuthentication = "UNSUCCESSFUL_AUTHENTICATION"
        case invalidAuthenticationSession = "INVALID_AUTHENTICATION_SESSION"
        case limitedQuickCodeGeneration = "LIMITED_QUICKCODE_GENERATION"
        case invalidActivationToken = "INVALID_ACTIVATION_TOKEN"
        case requestBackoff = "REQUEST_BACKOFF"
        case unsuccessfulVerification = "UNSUCCESSFUL_VERIFICATION"
    }

    public let code: Code
    /// With ``Code/requestBackoff``: when another request is welcome, in seconds since 1970-01-01 UTC.
    public let backoff: Int64?
    /// With ``Code/unsuccessfulVerification``: the project that the verification was for; nil when the server did not
    /// say.
    public let projectID: String?
    /// With ``Code/unsuccessfulVerification``: the session that the verification was for; nil when the server did not
    /// say.
    public let accessCode: AccessCode?

    public init(_ code: Code, backoff: Int64? = nil, projectID: String? = nil, accessCode: AccessCode? = nil) {
        self.code = code
        self.backoff = backoff
        self.projectID = projectID
        self.accessCode = accessCode
    }
}
