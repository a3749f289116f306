// SPDX-License-Identifier: Apache-2.0

import WebTokens

/// What an authentication was for. MIRACL protocol, sections 9.4, 11 and 13.
extension Platform {
    /// The reply to an authentication that went well.
    /// - Parameter url: the project URL, which issues the token.
    func result(
        of scope: LoginScope, _ identity: RegisteredIdentity, accessID: String?, url: String
    ) async throws -> JSONObject {
        let now = clock.now
        var reply: [String: JSONValue] = ["status": 200, "message": "OK"]
        switch scope {
        // The one in the middle belongs to mfa-v2 alone, which answers it itself.
        case .oidc, .signingRegistration, .signing: break
        case .authorizationCode:
            reply["code"] = try await authorizationCode(for: identity, accessID: accessID, now: now)
        case .oneTimePassword: reply.merge(oneTimePassword(now: now)) { $1 }
        case .jwt: reply["jwt"] = try await token(for: identity.userID, number: .random(), url: url, now: now)
        case .registrationCode:
            let number = try OneTimeToken.random()
            try await quickCodeRights.insert(
                QuickCodeRight(mpinID: identity.mpinID, userID: identity.userID), for: number,
                of: .person(identity.userID), expires: now + PlatformToken.lifetime, now: now)
            reply["jwt"] = try await token(for: identity.userID, number: number, url: url, now: now)
            // Until January 2025 clients looked for the code here and not for a token that brings one.
            reply.merge(try await registrationCode(for: identity, now: now)) { $1 }
        }
        if identity.needsRenewal { reply["dvsRegister"] = try await offerRenewal(of: identity, now: now) }
        return JSONObject(reply)
    }

    private func token(
        for userID: String, number: OneTimeToken, url: String, now: WallTime
    ) async throws -> JSONValue {
        let payload = PlatformToken(issuer: url, userID: userID, projectID: projectID, number: number, issued: now)
        return .string(try await tokens.token(payload))
    }
}
