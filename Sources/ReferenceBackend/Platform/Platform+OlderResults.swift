// SPDX-License-Identifier: Apache-2.0

import OpenIDProvider

/// What an authentication before 2023 was for. MIRACL protocol, sections 9.4, 11 and 13.
extension Platform {
    private static let codeLifetime = Duration.seconds(300)

    /// The reply to an authentication that went well.
    /// - Parameters:
    ///   - wantsCode: whether the application's own server will ask who logged in.
    ///   - url: the base of the URLs in it.
    func olderResult(
        of scope: LoginScope, _ identity: RegisteredIdentity, accessID: String?, wantsCode: Bool, url: String
    ) async throws -> JSONObject {
        let now = clock.now
        var reply: [String: JSONValue] = ["status": 200, "message": "OK", "code": ""]
        switch scope {
        case .oidc:
            if wantsCode { reply["code"] = try await authorizationCode(for: identity, accessID: accessID, now: now) }
        case .authorizationCode:
            reply["code"] = try await authorizationCode(for: identity, accessID: accessID, now: now)
        case .oneTimePassword: reply.merge(oneTimePassword(now: now)) { $1 }
        case .registrationCode: reply.merge(try await registrationCode(for: identity, now: now)) { $1 }
        case .signingRegistration:
            reply["dvsRegister"] = try await offer(
                Renewal(
                    userID: identity.userID, verification: .signing, prover: identity.mpinID, replaces: nil), now: now)
        case .signing, .jwt: break
        }
        if identity.needsRenewal {
            if identity.publicKey == nil {
                reply["renewSecret"] = try await renewedSecret(of: identity, below: url, now: now)
            } else {
                reply["dvsRegister"] = try await offerRenewal(of: identity, now: now)
            }
        }
        return JSONObject(reply)
    }

    /// What the relying party's server hands in to learn who logged in.
    func authorizationCode(
        for identity: RegisteredIdentity, accessID: String?, now: WallTime
    ) async throws -> JSONValue {
        .string(try await applicationLogins.code(for: identity.userID, accessCode: accessID, now: now).hex)
    }

    func oneTimePassword(now: WallTime) -> [String: JSONValue] {
        passwordReply(shortCode(), lifetime: BegunLogin.lifetime, now: now)
    }

    /// A code for another device, in the reply itself.
    func registrationCode(for identity: RegisteredIdentity, now: WallTime) async throws -> [String: JSONValue] {
        let code = shortCode()
        try await activations.insert(
            Verification(type: .registrationCode, issuer: identity.mpinID),
            for: UserCode(userID: identity.userID, code: code), of: .person(identity.userID),
            expires: now + Self.codeLifetime, now: now)
        return passwordReply(code, lifetime: Self.codeLifetime, now: now)
    }

    /// Both spellings of the code: no source shows which one the platform used.
    private func passwordReply(_ code: String, lifetime: Duration, now: WallTime) -> [String: JSONValue] {
        [
            "OTP": .string(code), "otp": .string(code), "nowTime": .integer(now.milliseconds),
            "expireTime": .integer((now + lifetime).milliseconds),
            "ttlSeconds": .integer(lifetime.components.seconds),
        ]
    }
}
