// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// How a verification goes on that was started (MIRACL protocol, section 7).
public struct VerificationStart: Sendable, Hashable {
    public enum Method: String, Sendable {
        /// The person follows a link in the mail.
        case link
        /// The person types a code from the mail.
        case code
    }

    public let method: Method
    /// Before when no other mail is sent, in seconds since 1970-01-01 UTC; nil when the server did not say.
    public let backoff: Int64?
}

/// An identity that was verified: what its registration is started with (MIRACL protocol, section 7).
public struct VerificationResult: Sendable, Equatable {
    /// The code for ``MPin/startRegistration(of:activateCode:userData:accessCode:pushIdentifier:)``.
    public let activationToken: SecretBytes
    /// The session that the verification was for; nil when it was for none.
    public let accessCode: AccessCode?
    /// When the token ends, in seconds since 1970-01-01 UTC; nil when the server did not say.
    public let expireTimeSeconds: Int64?
    /// Empty when the server did not say.
    public let projectID: String
}

/// How an identity was verified when it was registered: `vt` of its mpin_id (MIRACL protocol, section 2).
public enum VerificationType: String, Sendable {
    case email = "em"
    case registrationCode = "rc"
    /// By the relying party itself.
    case custom = "pv"
    /// An identity that was made for signing.
    case signing = "dvs"
}
