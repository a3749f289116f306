// SPDX-License-Identifier: Apache-2.0

/// Who a user is. OpenID Connect Core, section 5.3.
extension OpenIDProvider {
    /// `GET` or `POST /oidc/userinfo`.
    /// - Parameters:
    ///   - authorization: the value of the header.
    ///   - form: the body when it is one, which may carry the token instead (RFC 6750, section 2.2).
    /// - Throws: `TokenError` for a token that is unknown, expired or revoked, for two, and for none.
    func userInfo(_ authorization: String?, form: FormFields?) async throws -> JSONObject {
        let isBearer = authorization?.lowercased().hasPrefix("bearer ") == true
        let inHeader = isBearer ? authorization.map { String($0.dropFirst("bearer ".count)) } : nil
        if inHeader != nil && form?["access_token"] != nil || form?.repeatedNames.isEmpty == false {
            throw TokenError(
                .invalidRequest, "there is more than one access token", challenge: "Bearer error=\"invalid_request\"")
        }
        guard let text = inHeader ?? form?["access_token"] else { throw TokenError.unauthenticated }
        guard let token = OneTimeToken(text),
            let grant = try await accessGrants.value(for: token, now: clock.now)
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
