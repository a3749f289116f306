// SPDX-License-Identifier: Apache-2.0

/// What a browser session tells about itself; every text is empty when the server did not say (milagro protocol,
/// section 7.3; MIRACL protocol, section 6.1). As the server wrote it, so a caller that shows it cleans it first.
public struct SessionDetails: Sendable, Hashable {
    /// The identity that the browser named.
    public var prerollID = ""
    /// Who asks: the application, in the trust dialects the project.
    public var appName = ""
    public var appIconURL = ""
    public var customerID = ""
    public var customerName = ""
    public var customerIconURL = ""

    /// Whether the session is for a registration and no login (mfa-v2).
    public var registerOnly = false
    public var clientID = ""
    public var redirectURI = ""

    public var projectID = ""
    /// How many digits a new PIN has at this project; nil when the server did not say.
    public var pinLength: Int?
    /// How the project verifies identities.
    public var verificationMethod = VerificationMethod.standardEmail
    /// Where identities are verified, with ``VerificationMethod/fullCustom``.
    public var verificationURL = ""
    public var verificationCustomText = ""
    /// What an identity is at this project.
    public var identityType = IdentityType.email
    /// What the project calls an identity, for example "Employee number".
    public var identityTypeLabel = ""
    /// Whether a device may be enrolled with a code that another one made.
    public var enableRegistrationCode = false
    /// Whether a device that was enrolled with a code may make none itself.
    public var limitRegCodeVerified = false

    /// What is asked for, in the words of the relying party.
    public var description = ""
    /// The SHA-256 digest that is to be signed, 64 lower-case hexadecimal digits; empty for a login.
    public var hash = ""

    public init() {}

    /// Whether something is to be signed: ``MPin/signingSessionDetails(for:)``.
    public var isSigningSession: Bool { !hash.isEmpty }

    public enum VerificationMethod: String, Sendable {
        case standardEmail, fullCustom
    }

    public enum IdentityType: String, Sendable {
        case email, alphanumeric
    }
}
