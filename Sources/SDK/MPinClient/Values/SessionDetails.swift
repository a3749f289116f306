// SPDX-License-Identifier: Apache-2.0

/// Description of a browser session (milagro protocol, section 7.3; MIRACL protocol, section 6.1). Every text is empty
/// when the server did not say. Texts are as the server wrote them, so a caller that shows one cleans it first.
public struct SessionDetails: Sendable, Hashable {
    /// The identity that the browser named.
    public var prerollID = ""
    /// The application that asks; in the trust dialects the project.
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
    /// Type of the identities at this project.
    public var identityType = IdentityType.email
    /// The project's word for an identity, for example "Employee number".
    public var identityTypeLabel = ""
    /// Whether a device may be enrolled with a code that another one made.
    public var enableRegistrationCode = false
    /// Whether a device that was enrolled with a code may make none itself.
    public var limitRegCodeVerified = false

    /// The request, in the words of the relying party.
    public var description = ""
    /// The SHA-256 digest that is to be signed, 64 lower-case hexadecimal digits; empty for a login.
    public var hash = ""

    /// Where the browser is that waits; ``BrowserLocation/unknown`` for servers that do not say.
    public var browserLocation = BrowserLocation.unknown
    /// Whether the server is going to refuse the login because of ``browserLocation``.
    public var isBrowserRefused = false
    /// Whether the code is no more: its page shows another one.
    public var isCodeExpired = false

    public init() {}

    /// Whether something is to be signed: ``MPin/signingSessionDetails(for:)``.
    public var isSigningSession: Bool { !hash.isEmpty }

    /// Where a browser is, seen from the device that is to log it in, as far as a server can tell by addresses.
    public enum BrowserLocation: String, Sendable {
        case same, other, unknown
    }

    public enum VerificationMethod: String, Sendable {
        case standardEmail, fullCustom
    }

    public enum IdentityType: String, Sendable {
        case email, alphanumeric
    }
}
