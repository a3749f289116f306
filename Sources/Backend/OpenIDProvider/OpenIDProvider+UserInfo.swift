// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Encoding

/// Answers who a user is. OpenID Connect Core, section 5.3.
extension OpenIDProvider {
    /// `GET` or `POST /oidc/userinfo`.
    /// - Parameters:
    ///   - authorization: the header's value.
    ///   - form: the body if it is a form, which may carry the token instead (RFC 6750, section 2.2).
    /// - Throws: `TokenError` for a token that is unknown, expired or revoked, and for no token or two.
    package func userInfo(_ authorization: String?, form: FormFields?) async throws -> UserInfo {
        let isBearer = authorization?.lowercased().hasPrefix("bearer ") == true
        let inHeader = isBearer ? authorization.map { String($0.dropFirst("bearer ".count)) } : nil
        if inHeader != nil && form?["access_token"] != nil || form?.repeatedNames.isEmpty == false {
            throw TokenError(
                .invalidRequest, "there is more than one access token", challenge: "Bearer error=\"invalid_request\"")
        }
        guard let text = inHeader ?? form?["access_token"] else { throw TokenError.unauthenticated }
        guard let token = OneTimeToken(text),
            let grant = try await accessGrants.value(for: token, now: clock.now), try await isAlive(grant)
        else {
            throw TokenError(
                .invalidToken, "the access token is unknown, expired or revoked",
                challenge: "Bearer error=\"invalid_token\"")
        }
        return UserInfo(userID: grant.userID, scopes: grant.scopes)
    }

    /// Whether the refresh token of the same login, if any, is neither revoked nor over.
    private func isAlive(_ grant: AccessGrant) async throws -> Bool {
        guard let token = grant.refreshToken else { return true }
        return try await refreshGrants.value(for: token, now: clock.now) != nil
    }
}

/// The claims about a user that an application may know. OpenID Connect Core, section 5.1. An address is verified:
/// its owner followed a mail at registration, or the operator confirmed it.
package struct UserInfo: Sendable {
    let userID: String
    /// The scopes that the application asked for.
    let scopes: Set<String>

    var email: String? { scopes.contains("email") && MailAddress.isValid(userID) ? userID : nil }
    /// The only name that is known.
    var name: String? { scopes.contains("profile") ? userID : nil }

    package var json: JSONObject {
        var claims: [String: JSONValue] = ["sub": .string(SubjectIdentifier.text(for: userID))]
        if let email { (claims["email"], claims["email_verified"]) = (.string(email), true) }
        if let name { (claims["preferred_username"], claims["name"]) = (.string(name), .string(name)) }
        return JSONObject(claims)
    }
}

extension OpenIDProvider {
    static let scopes: Set<String> = ["openid", "profile", "email"]

    /// `GET /.well-known/openid-configuration`. OpenID Connect Discovery, section 3; RFC 8414; RFC 9207.
    package func metadata() async throws -> JSONObject {
        let url = try await issuer()
        func list(_ words: String...) -> JSONValue { .array(words.map { .string($0) }) }
        let authentication = list("client_secret_basic", "client_secret_post", "none")
        var metadata: [String: JSONValue] = [
            "issuer": .string(url), "authorization_endpoint": .string(url + "/authorize"),
            "token_endpoint": .string(url + "/oidc/token"), "userinfo_endpoint": .string(url + "/oidc/userinfo"),
            "jwks_uri": .string(url + "/oidc/certs"), "response_types_supported": list("code"),
            "response_modes_supported": .array(AuthorizationAnswer.Mode.allCases.map { .string($0.rawValue) }),
            "grant_types_supported": .array(
                (["authorization_code"] + (settings.offersRefreshTokens ? ["refresh_token"] : [])).map { .string($0) }),
            "subject_types_supported": list("public"), "id_token_signing_alg_values_supported": list("RS256"),
            "scopes_supported": .array(
                (Self.scopes + (settings.offersRefreshTokens ? [Self.refreshScope] : [])).sorted().map { .string($0) }),
            "token_endpoint_auth_methods_supported": authentication,
            "revocation_endpoint": .string(url + "/oidc/revoke"),
            "revocation_endpoint_auth_methods_supported": authentication,
            "claims_supported": list(
                "iss", "sub", "aud", "exp", "iat", "nonce", "auth_time", "amr", "at_hash", "email",
                "email_verified", "preferred_username", "name"),
            "code_challenge_methods_supported": list(ProofKey.method),
            "authorization_response_iss_parameter_supported": true, "claims_parameter_supported": false,
            "request_parameter_supported": false, "request_uri_parameter_supported": false,
        ]
        if settings.offersLogout { metadata["end_session_endpoint"] = .string(url + "/authorize/logout") }
        return JSONObject(metadata)
    }
}
