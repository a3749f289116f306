// SPDX-License-Identifier: Apache-2.0

import BackendValues

/// The results of an authentication. docs/protocol/miracl.md, sections 9.4, 11 and 13.
extension Platform {
    /// The reply to a successful authentication.
    /// - Parameter url: the project URL, which is the token's issuer.
    func result(
        of scope: LoginScope, _ identity: RegisteredIdentity, accessID: String?, url: String
    ) async throws -> PlatformLoginReply {
        let now = clock.now
        var reply = PlatformLoginReply()
        switch scope {
        // The second of these occurs in mfa-v2 only, where `olderResult` answers it.
        case .oidc, .signingRegistration, .signing: break
        case .authorizationCode:
            reply.code = try await authorizationCode(for: identity, accessID: accessID, now: now)
        case .oneTimePassword: reply.typedCode = oneTimePassword(now: now)
        case .jwt: reply.webToken = try await token(for: identity.userID, number: .random(), url: url, now: now)
        case .registrationCode:
            let number = try OneTimeToken.random()
            try await registrationCodeRights.insert(
                RegistrationCodeRight(mpinID: identity.mpinID, userID: identity.userID), for: number,
                of: .person(identity.userID), expires: now + PlatformToken.lifetime, now: now)
            reply.webToken = try await token(for: identity.userID, number: number, url: url, now: now)
            // Until January 2025 clients expected the code itself here, not a token to exchange.
            reply.typedCode = try await registrationCode(for: identity, now: now)
        }
        if identity.needsRenewal { reply.keyOffer = try await offerRenewal(of: identity, now: now) }
        return reply
    }

    private func token(
        for userID: String, number: OneTimeToken, url: String, now: WallTime
    ) async throws -> String {
        let payload = PlatformToken(issuer: url, userID: userID, projectID: projectID, number: number, issued: now)
        return try await tokens.token(payload)
    }
}
