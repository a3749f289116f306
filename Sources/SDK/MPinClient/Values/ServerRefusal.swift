// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// The reason for a refusal in the words of a later dialect's server (docs/protocol/miracl.md, section 10).
public struct ServerRefusal: Sendable, Equatable {
    /// The known reasons; the raw value is the server's spelling.
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

    /// The reason.
    public let code: Code
    /// With ``Code/requestBackoff``: the time from which another request is allowed, in seconds since 1970-01-01 UTC.
    public let backoff: Int64?
    /// With ``Code/unsuccessfulVerification``: the project of the verification; nil when the server did not say.
    public let projectID: String?
    /// With ``Code/unsuccessfulVerification``: the session of the verification; nil when the server did not say.
    public let accessCode: AccessCode?

    /// Makes a refusal, with the facts that its reason has.
    public init(_ code: Code, backoff: Int64? = nil, projectID: String? = nil, accessCode: AccessCode? = nil) {
        self.code = code
        self.backoff = backoff
        self.projectID = projectID
        self.accessCode = accessCode
    }
}
