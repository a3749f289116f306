// SPDX-License-Identifier: Apache-2.0

import BackendValues
import OpenIDProvider

/// The results of an authentication before 2023. docs/protocol/miracl.md, sections 9.4, 11 and 13.
extension Platform {
    private static let codeLifetime = Duration.seconds(300)

    /// The reply to a successful authentication.
    /// - Parameters:
    ///   - wantsCode: whether the application's server will ask who logged in.
    ///   - url: the base of its URLs.
    func olderResult(
        of scope: LoginScope, _ identity: RegisteredIdentity, accessID: String?, wantsCode: Bool, url: String
    ) async throws -> PlatformLoginReply {
        let now = clock.now
        var reply = PlatformLoginReply(code: "")
        switch scope {
        case .oidc:
            if wantsCode { reply.code = try await authorizationCode(for: identity, accessID: accessID, now: now) }
        case .authorizationCode:
            reply.code = try await authorizationCode(for: identity, accessID: accessID, now: now)
        case .oneTimePassword: reply.typedCode = oneTimePassword(now: now)
        case .registrationCode: reply.typedCode = try await registrationCode(for: identity, now: now)
        case .signingRegistration:
            reply.keyOffer = try await offer(
                Renewal(
                    userID: identity.userID, verification: .signing, prover: identity.mpinID, replaces: nil), now: now)
        case .signing, .jwt: break
        }
        if identity.needsRenewal {
            if identity.publicKey == nil {
                reply.newSecret = try await newSecret(for: identity, below: url, now: now)
            } else {
                reply.keyOffer = try await offerRenewal(of: identity, now: now)
            }
        }
        return reply
    }

    /// Returns the code with which the relying party's server learns who logged in.
    func authorizationCode(
        for identity: RegisteredIdentity, accessID: String?, now: WallTime
    ) async throws -> String {
        try await applicationLogins.code(for: identity.userID, accessCode: accessID, now: now).hex
    }

    func oneTimePassword(now: WallTime) -> TypedCode {
        TypedCode(code: shortCode(), times: PendingLogin.passwordTimes(from: now))
    }

    /// A code for another device, as part of the reply.
    func registrationCode(for identity: RegisteredIdentity, now: WallTime) async throws -> TypedCode {
        let code = shortCode()
        try await activations.insert(
            Verification(type: .registrationCode, issuer: identity.mpinID),
            for: UserCode(userID: identity.userID, code: code), of: .person(identity.userID),
            expires: now + Self.codeLifetime, now: now)
        return TypedCode(code: code, times: CodeTimes(begins: now, lifetime: Self.codeLifetime))
    }
}
