// SPDX-License-Identifier: Apache-2.0

/// Logins of an application on a device. MIRACL protocol, section 15.
extension PlatformRelyingParty {
    /// `/authzurl`: where a device gets an access code.
    func authorizationURL() async throws -> JSONObject {
        let url = try await mount.url
        let query = FormFields.text([
            ("client_id", credentials.clientID), ("redirect_uri", url + "/login"), ("response_type", "code"),
            ("scope", "openid profile email"), ("state", try OneTimeToken.random().hex),
        ])
        return JSONObject(["authorizeURL": .string(url + "/authorize?" + query)])
    }

    /// `POST /authtoken`: the device hands its authorization code over.
    /// - Throws: `Refusal` 400 for malformed data, 401 when the code is unknown, used, expired or another user's.
    func redeem(_ body: JSONObject) async throws -> JSONObject {
        guard let code = body.string("code"), let userID = body.string("userID") else { throw Refusal.invalidData }
        let form = FormFields.text([
            ("grant_type", "authorization_code"), ("code", code), ("client_id", credentials.clientID),
        ])
        let reply = try await postForm("/oidc/token", form)
        guard reply.status == 200,
            let claims = reply.object?.string("id_token").flatMap({ WebTokenIssuer.claims(in: $0) }),
            claims.string("sub") == userID
        else { throw Refusal(401, "Another user logged in, or nobody") }
        return JSONObject(["accessToken": .string(reply.object?.string("access_token") ?? "")])
    }
}
