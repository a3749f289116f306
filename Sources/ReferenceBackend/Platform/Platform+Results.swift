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
        // The two in the middle belong to mfa-v2 alone, which answers them itself.
        case .oidc, .oneTimePassword, .signingRegistration, .signing: break
        case .jwt: reply["jwt"] = .string(try token(for: identity.userID, number: .random(), url: url, now: now))
        case .registrationCode:
            let number = try OneTimeToken.random()
            quickCodeRights.insert(identity.userID, for: number, expires: now + Self.tokenLifetime, now: now)
            reply["jwt"] = .string(try token(for: identity.userID, number: number, url: url, now: now))
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
