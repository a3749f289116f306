// SPDX-License-Identifier: Apache-2.0

/// Who somebody is. OpenID Connect Core, section 5.3.
extension OpenIDProvider {
    /// `GET` or `POST /oidc/userinfo`.
    /// - Parameter authorization: the value of the header.
    /// - Throws: `TokenError` for a token that is unknown, expired or revoked.
    func userInfo(_ authorization: String?) throws -> JSONObject {
        guard let authorization, authorization.lowercased().hasPrefix("bearer ") else {
            throw TokenError(.invalidToken, "an access token is needed", challenge: "Bearer")
        }
        guard let token = OneTimeToken(authorization.dropFirst("bearer ".count)),
            let grant = accessGrants.value(for: token, now: clock.now)
        else {
            throw TokenError(
                .invalidToken, "the access token is unknown, expired or revoked",
                challenge: "Bearer error=\"invalid_token\"")
        }
        var claims: [String: JSONValue] = ["sub": .string(grant.userID)]
        if grant.scopes.contains("email"), MailServer.isAddress(grant.userID) {
            claims["email"] = .string(grant.userID)
        }
        if grant.scopes.contains("profile") { claims["preferred_username"] = .string(grant.userID) }
        return JSONObject(claims)
    }
}
