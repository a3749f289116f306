// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// The next step of a started verification (docs/protocol/miracl.md, section 7).
public struct VerificationStart: Sendable, Hashable {
    /// The way in which the person confirms the address.
    public enum Method: Sendable {
        /// The person follows a link in the mail.
        case link
        /// The person types a code from the mail.
        case code
        /// The mail has both, and either is accepted. Only login-kiosk's own backend reports this.
        case codeOrLink
    }

    /// The way in which the person confirms the address.
    public let method: Method
    /// The time before which no further mail is sent, in seconds since 1970-01-01 UTC; nil when the server did not
    /// say.
    public let backoff: Int64?
}

/// A verified identity, with the token for its registration (docs/protocol/miracl.md, section 7).
public struct VerificationResult: Sendable, Equatable {
    /// The `activateCode` for ``MPin/startRegistration(of:activateCode:userData:accessCode:pushIdentifier:)``.
    public let activationToken: SecretBytes
    /// The session of the verification, if there was one.
    public let accessCode: AccessCode?
    /// The end of the token, in seconds since 1970-01-01 UTC; nil when the server did not say.
    public let expireTimeSeconds: Int64?
    /// Empty when the server did not say.
    public let projectID: String
}

/// The way in which an identity was verified at its registration: `vt` of its mpin_id (docs/protocol/miracl.md, section
/// 2).
public enum VerificationType: String, Sendable {
    /// By a mail.
    case email = "em"
    /// By a registration code that another device made.
    case registrationCode = "rc"
    /// By the relying party itself.
    case custom = "pv"
    /// An identity that was made for signing.
    case signing = "dvs"
}
