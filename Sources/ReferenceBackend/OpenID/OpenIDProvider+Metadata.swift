// SPDX-License-Identifier: Apache-2.0

extension OpenIDProvider {
    static let scopes: Set<String> = ["openid", "profile", "email"]

    /// `GET /.well-known/openid-configuration`. OpenID Connect Discovery, section 3; RFC 8414; RFC 9207.
    func metadata() async throws -> JSONObject {
        let url = try await mount.url
        func list(_ words: String...) -> JSONValue { .array(words.map { .string($0) }) }
        return JSONObject([
            "issuer": .string(url), "authorization_endpoint": .string(url + "/authorize"),
            "token_endpoint": .string(url + "/oidc/token"), "userinfo_endpoint": .string(url + "/oidc/userinfo"),
            "jwks_uri": .string(url + "/oidc/certs"), "response_types_supported": list("code"),
            "response_modes_supported": list("query"), "grant_types_supported": list("authorization_code"),
            "subject_types_supported": list("public"), "id_token_signing_alg_values_supported": list("RS256"),
            "scopes_supported": .array(Self.scopes.sorted().map { .string($0) }),
            "token_endpoint_auth_methods_supported": list("client_secret_basic", "client_secret_post", "none"),
            "claims_supported": list(
                "iss", "sub", "aud", "exp", "iat", "nonce", "auth_time", "amr", "at_hash", "email",
                "preferred_username"),
            "code_challenge_methods_supported": list(ProofKey.method),
            "authorization_response_iss_parameter_supported": true, "claims_parameter_supported": false,
            "request_parameter_supported": false, "request_uri_parameter_supported": false,
        ])
    }
}
