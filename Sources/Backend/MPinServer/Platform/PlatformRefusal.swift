// SPDX-License-Identifier: Apache-2.0

/// The refusal of a request to the platform. Clients decide by a code in the body. docs/protocol/miracl.md, sections 2
/// and 10.
package struct PlatformRefusal: Error {
    /// Raw values are today's spelling.
    package enum Code: String {
        case invalidRequestParameters = "INVALID_REQUEST_PARAMETERS"
        case requestBackoff = "REQUEST_BACKOFF"
        case unsuccessfulVerification = "UNSUCCESSFUL_VERIFICATION"
        case invalidActivationToken = "INVALID_ACTIVATION_TOKEN"
        case expiredMPinID = "EXPIRED_MPINID"
        case revokedMPinID = "REVOKED_MPINID"
        case unsuccessfulAuthentication = "UNSUCCESSFUL_AUTHENTICATION"
        case invalidAuthenticationSession = "INVALID_AUTHENTICATION_SESSION"
        case limitedQuickCodeGeneration = "LIMITED_QUICKCODE_GENERATION"
        case noPushToken = "NO_PUSH_TOKEN"
    }

    package let code: Code
    /// The subject of the code, for programs.
    package var context: [String: String] = [:]
    /// Whether the login is unknown now and may have been checked before.
    package var outcomeIsUnknown = false

    package init(_ code: Code, context: [String: String] = [:]) {
        self.code = code
        self.context = context
    }

    /// A field of the request is missing or malformed, or names something that does not exist.
    package static func invalid(_ field: String) -> PlatformRefusal {
        PlatformRefusal(.invalidRequestParameters, context: ["params": field])
    }
}
