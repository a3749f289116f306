// SPDX-License-Identifier: Apache-2.0

/// Description of a browser session (docs/protocol/milagro.md, section 7.3; docs/protocol/miracl.md, section 6.1).
/// Texts are empty when the server did not say. They are as the server wrote them: clean them before showing them.
public struct SessionDetails: Sendable, Hashable {
    /// The identity that the browser named. Anybody can open a page that names somebody else: see ``isUserVerified``.
    public var prerollID = ""
    /// Whether the application that named the user proved itself to the server; false for servers that do not say.
    public var isUserVerified = false
    /// The application that asks; in the trust dialects the project.
    public var appName = ""
    /// The address of the application's picture. Its host was not checked.
    public var appIconURL = ""
    /// The identifier of the organisation that runs the application.
    public var customerID = ""
    /// The name of that organisation.
    public var customerName = ""
    /// The address of that organisation's picture. Its host was not checked.
    public var customerIconURL = ""

    /// Whether the session is for a registration instead of a login (mfa-v2).
    public var registerOnly = false
    /// The relying party's identifier at the platform's OpenID provider.
    public var clientID = ""
    /// The address to which the browser goes after the login.
    public var redirectURI = ""

    /// The project's identifier at the platform.
    public var projectID = ""
    /// The number of digits of a new PIN at this project; nil when the server did not say.
    public var pinLength: Int?
    /// The way in which the project verifies identities.
    public var verificationMethod = VerificationMethod.standardEmail
    /// The address at which identities are verified, with ``VerificationMethod/fullCustom``.
    public var verificationURL = ""
    /// The project's words for its own way of verifying, with ``VerificationMethod/fullCustom``.
    public var verificationCustomText = ""
    /// Type of the identities at this project.
    public var identityType = IdentityType.email
    /// The project's word for an identity, for example "Employee number".
    public var identityTypeLabel = ""
    /// Whether a device can register with a registration code.
    public var enableRegistrationCode = false
    /// Whether a device that registered with such a code may not make codes itself.
    public var limitRegCodeVerified = false

    /// The request, in the words of the relying party.
    public var description = ""
    /// The SHA-256 digest to sign, 64 lower-case hexadecimal digits; empty for a login.
    public var hash = ""

    /// The location of the waiting browser; ``BrowserLocation/unknown`` for servers that do not say.
    public var browserLocation = BrowserLocation.unknown
    /// Whether the server will refuse the login because of ``browserLocation``.
    public var isBrowserRefused = false
    /// Whether the code has expired: its page shows another one.
    public var isCodeExpired = false

    /// Makes the details of a session that nothing is known of.
    public init() {}

    /// Whether the session is for signing: ``MPin/signingSessionDetails(for:)``.
    public var isSigningSession: Bool { !hash.isEmpty }

    /// The location of a browser relative to the device that logs it in, as far as a server can tell from addresses.
    public enum BrowserLocation: String, Sendable {
        /// At the device's place.
        case same
        /// At another place.
        case other
        /// The server does not say.
        case unknown
    }

    /// The way in which a project verifies identities: by the platform's mails, or in a way of its own.
    public enum VerificationMethod: String, Sendable {
        /// By the platform's mails.
        case standardEmail
        /// In a way of the project's own: ``SessionDetails/verificationURL``.
        case fullCustom
    }

    /// The form of a project's identities: e-mail addresses, or any letters and digits.
    public enum IdentityType: String, Sendable {
        /// E-mail addresses.
        case email
        /// Letters and digits.
        case alphanumeric
    }
}
