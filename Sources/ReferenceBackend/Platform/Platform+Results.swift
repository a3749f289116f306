// SPDX-License-Identifier: Apache-2.0

/// What an authentication was for. MIRACL protocol, sections 9.4, 11 and 13.
extension Platform {
    private static let tokenLifetime = Duration.seconds(300)

    /// The reply to an authentication that went well.
    /// - Parameter url: the project URL, which issues the token.
    func result(of login: PlatformLogin, _ identity: RegisteredIdentity, url: String) throws -> JSONObject {
        let now = clock.now
        var reply: [String: JSONValue] = ["status": 200, "message": "OK"]
        switch login.scope {
        // The one in the middle belongs to mfa-v2 alone, which answers it itself.
        case .oidc, .signingRegistration, .signing: break
        case .authorizationCode: reply["code"] = try authorizationCode(for: identity, of: login, now: now)
        case .oneTimePassword: reply.merge(oneTimePassword(now: now)) { $1 }
        case .jwt: reply["jwt"] = .string(try token(for: identity.userID, number: .random(), url: url, now: now))
        case .registrationCode:
            let number = try OneTimeToken.random()
            quickCodeRights.insert(identity, for: number, expires: now + Self.tokenLifetime, now: now)
            reply["jwt"] = .string(try token(for: identity.userID, number: number, url: url, now: now))
            // Until January 2025 clients looked for the code here and not for a token that brings one.
            reply.merge(registrationCode(for: identity, now: now)) { $1 }
        }
        if identity.needsRenewal { reply["dvsRegister"] = try offerRenewal(of: identity, now: now) }
        return JSONObject(reply)
    }

    private func token(for userID: String, number: OneTimeToken, url: String, now: WallTime) throws -> String {
        try tokens.token([
            "iss": .string(url), "sub": .string(userID), "aud": .string(projectID), "iat": .integer(now.seconds),
            "exp": .integer((now + Self.tokenLifetime).seconds), "jti": .string(number.hex),
        ])
    }
}
