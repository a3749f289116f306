// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding
import Sealing

/// The claims of an ID token. OpenID Connect Core, section 2.
package struct IdentityToken: WebTokenPayload, Equatable {
    /// A PIN and a key in software, which makes two factors (RFC 8176, section 2).
    static let methods = ["pin", "swk", "mfa"]

    private let issuer: String
    private let subject: String
    private let audience: Audience
    private let issuedAt: NumericDate
    package let expiration: NumericDate
    /// The time when the PIN was verified. Other providers may leave out this and the properties below.
    private let authenticated: NumericDate?
    private let methods: [String]?
    private let accessTokenHash: String?
    package let nonce: String?
    /// The claims of ``UserInfo``, because many clients look for them here only. OpenID Connect Core, section 5.4,
    /// allows both.
    private let email: String?
    private let isEmailVerified: Bool?
    private let userName: String?
    private let name: String?

    private enum CodingKeys: String, CodingKey {
        case issuer = "iss", subject = "sub", audience = "aud", issuedAt = "iat", expiration = "exp"
        case authenticated = "auth_time", methods = "amr", accessTokenHash = "at_hash", nonce
        case email, isEmailVerified = "email_verified", userName = "preferred_username", name
    }

    /// - Parameter scopes: the scopes of the access token.
    init(
        issuer: String, grant: AuthorizationGrant, scopes: Set<String>, accessToken: String, issued: WallTime,
        expires: WallTime
    ) {
        self.issuer = issuer
        subject = SubjectIdentifier.text(for: grant.userID)
        audience = Audience(grant.request.clientID)
        issuedAt = NumericDate(issued)
        expiration = NumericDate(expires)
        authenticated = NumericDate(grant.authenticated)
        methods = Self.methods
        accessTokenHash = Self.hash(ofAccessToken: accessToken)
        nonce = grant.request.nonce
        let user = UserInfo(userID: grant.userID, scopes: scopes)
        email = user.email
        isEmailVerified = user.email.map { _ in true }
        (userName, name) = (user.name, user.name)
    }

    /// Whether this user logged in.
    package func names(_ userID: String) -> Bool { subject == SubjectIdentifier.text(for: userID) }

    /// The application that it was made for; nil for a token with several recipients.
    var client: String? { audience.names.count == 1 ? audience.names[0] : nil }

    /// Returns whether the token is for this client and from this issuer. A client checks this besides signature and
    /// expiry. OpenID Connect Core, section 3.1.3.7.
    package func isFor(_ clientID: String, from issuer: String) -> Bool {
        audience == Audience(clientID) && self.issuer == issuer
    }

    /// Returns whether the token names this access token. OpenID Connect Core, section 3.1.3.8.
    package func belongs(toAccessToken token: String) -> Bool { accessTokenHash == Self.hash(ofAccessToken: token) }

    /// The left half of the SHA-256 digest of the token's ASCII form. OpenID Connect Core, section 3.1.3.6.
    static func hash(ofAccessToken token: String) -> String {
        Base64.urlText(Array(Digest.sha256(Array(token.utf8)).prefix(16)))
    }
}
