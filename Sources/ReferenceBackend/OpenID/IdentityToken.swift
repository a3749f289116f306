// SPDX-License-Identifier: Apache-2.0

/// The claims of an ID token. OpenID Connect Core, section 2.
struct IdentityToken: Sendable {
    static let lifetime = Duration.seconds(300)
    /// Something known, something kept in software, and so two factors (RFC 8176, section 2).
    static let methods: [JSONValue] = ["pin", "swk", "mfa"]

    let issuer: String
    let grant: AuthorizationGrant
    let accessToken: String
    let issued: WallTime

    var claims: [String: JSONValue] {
        var claims: [String: JSONValue] = [
            "iss": .string(issuer), "sub": .string(grant.userID), "aud": .string(grant.request.clientID),
            "iat": .integer(issued.seconds), "exp": .integer((issued + Self.lifetime).seconds),
            "auth_time": .integer(grant.authenticated.seconds), "amr": .array(Self.methods),
            "at_hash": .string(Self.hash(ofAccessToken: accessToken)),
        ]
        if let nonce = grant.request.nonce { claims["nonce"] = .string(nonce) }
        return claims
    }

    /// The left half of the SHA-256 digest of the token's ASCII form. OpenID Connect Core, section 3.1.3.6.
    static func hash(ofAccessToken token: String) -> String {
        Base64.urlText(Array(Digest.sha256(Array(token.utf8)).prefix(16)))
    }
}
