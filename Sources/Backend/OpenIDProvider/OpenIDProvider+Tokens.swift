// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Encoding

/// Exchanges codes for tokens. RFC 6749, section 4.1.3; OpenID Connect Core, section 3.1.3.
extension OpenIDProvider {
    /// The parameters that are read. None may occur twice. Others are ignored (RFC 6749, section 3.2).
    private static let names: Set<String> = [
        "grant_type", "code", "redirect_uri", "code_verifier", "client_id", "client_secret", "refresh_token", "scope",
    ]

    /// `POST /oidc/token`.
    /// - Parameter client: the client that has authenticated, or that is public.
    /// - Throws: `TokenError`.
    package func redeem(_ all: FormFields, by client: OpenIDClient) async throws -> IssuedTokens {
        let fields = all.withoutEmptyValues
        guard fields.repeatedNames.isDisjoint(with: Self.names) else {
            throw TokenError(.invalidRequest, "a parameter occurs twice")
        }
        switch fields["grant_type"] {
        case "authorization_code": return try await redeemCode(fields, by: client)
        case "refresh_token" where settings.offersRefreshTokens: return try await refresh(fields, by: client)
        case nil: throw TokenError(.invalidRequest, "grant_type is missing")
        default:
            throw TokenError(
                .unsupportedGrantType,
                "grant_type has to be authorization_code" + (settings.offersRefreshTokens ? " or refresh_token" : ""))
        }
    }

    private func redeemCode(_ fields: FormFields, by client: OpenIDClient) async throws -> IssuedTokens {
        guard let text = fields["code"] else { throw TokenError(.invalidRequest, "code is missing") }
        let unknown = TokenError(.invalidGrant, "the code is unknown, used or expired")
        guard let code = OneTimeToken(text) else { throw unknown }
        let now = clock.now
        let found = try await grant(behind: code, now: now)
        guard try await isFirstUse(of: code, giving: found, to: client, now: now), var grant = found,
            try await remove(code, now: now)
        else { throw unknown }
        let request = grant.request
        guard request.clientID == client.id else { throw TokenError(.invalidGrant, "the code is another client's") }
        guard request.redirectURI.isEmpty || fields["redirect_uri"] == request.redirectURI else {
            throw TokenError(.invalidGrant, "redirect_uri is not the one of the request")
        }
        switch (request.codeChallenge, fields["code_verifier"]) {
        case (nil, nil): break
        case (let challenge?, let verifier?) where ProofKey.isMatch(verifier, challenge): break
        default: throw TokenError(.invalidGrant, "code_verifier is not what the challenge was made of")
        }
        grant.code = code
        let refreshToken = givesRefreshToken(for: request, to: client) ? try OneTimeToken.random() : nil
        var tokens = try await issue(grant, request.scopes, by: refreshToken, now: now)
        if let token = refreshToken {
            try await refreshGrants.insert(
                grant, for: token, of: .person(grant.userID), expires: now + settings.refreshLifetime, now: now)
            try await note(code, now: now, refresh: token)
            tokens.refresh = token
        }
        return tokens
    }

    private func givesRefreshToken(for request: AuthorizationRequest, to client: OpenIDClient) -> Bool {
        request.scopes.contains(Self.refreshScope) && settings.offersRefreshTokens && !client.isPublic
    }

    /// Marks a code as used, in one transaction: of two uses at the same moment one is the first. Any other use ends
    /// the code's tokens, because one of the two senders stole it (RFC 6749, section 4.1.2).
    /// - Parameter grant: the login behind the code; nil for a code that is unknown, used or expired.
    private func isFirstUse(
        of code: OneTimeToken, giving grant: AuthorizationGrant?, to client: OpenIDClient, now: WallTime
    ) async throws -> Bool {
        var new: TableEntry<TokensOfCode>?
        if let grant {
            let refreshing = givesRefreshToken(for: grant.request, to: client) ? settings.refreshLifetime : .zero
            new = TableEntry(value: TokensOfCode(), expires: now + refreshing + settings.tokenLifetime)
        }
        let owner = grant.map { EntryOwner.person($0.userID) }
        let issued = try await tokensOfCodes.change(code, of: owner, now: now) { [new] entry -> TokensOfCode? in
            guard let known = entry?.value else {
                entry = new
                return nil
            }
            entry?.value.isEnded = true
            return known
        }
        guard let issued else { return grant != nil }
        for token in issued.access { try await accessGrants.take(token, now: now) }
        if let token = issued.refresh { try await refreshGrants.take(token, now: now) }
        return false
    }

    /// Notes a token beside its code.
    /// - Throws: `TokenError` when the code's tokens have ended since. Then this token has ended, too.
    private func note(
        _ code: OneTimeToken, now: WallTime, access: OneTimeToken? = nil, refresh: OneTimeToken? = nil
    ) async throws {
        let isEnded = try await tokensOfCodes.change(code, now: now) { entry -> Bool in
            // Gone: the person's newer logins took its room.
            guard var issued = entry?.value else { return false }
            if issued.isEnded { return true }
            // The table bounds the tokens of one person.
            if let access { issued.access = Array((issued.access + [access]).suffix(TableQuota.ofPeople.perPerson)) }
            if let refresh { issued.refresh = refresh }
            entry?.value = issued
            return false
        }
        guard isEnded else { return }
        if let access { try await accessGrants.take(access, now: now) }
        if let refresh { try await refreshGrants.take(refresh, now: now) }
        throw TokenError(.invalidGrant, "the code was used twice")
    }

    /// Issues new tokens without the person. The application proves itself, and was authorized when the person logged
    /// in. RFC 6749, section 6; OpenID Connect Core, section 12.
    private func refresh(_ fields: FormFields, by client: OpenIDClient) async throws -> IssuedTokens {
        guard let text = fields["refresh_token"] else {
            throw TokenError(.invalidRequest, "refresh_token is missing")
        }
        let unknown = TokenError(.invalidGrant, "the refresh token is unknown or expired")
        guard !client.isPublic, let token = OneTimeToken(text),
            let grant = try await refreshGrants.value(for: token, now: clock.now),
            grant.request.clientID == client.id
        else { throw unknown }
        guard try await mayLogIn(grant.userID) else {
            try await refreshGrants.take(token, now: clock.now)
            throw unknown
        }
        let asked = fields["scope"].map { Set($0.split(separator: " ").map(String.init)) } ?? grant.request.scopes
        guard asked.isSubset(of: grant.request.scopes) else {
            throw TokenError(.invalidScope, "scope has to be part of what was asked for at the login")
        }
        var again = grant
        again.request.nonce = nil
        return try await issue(again, asked, by: token, now: clock.now)
    }

    private func issue(
        _ grant: AuthorizationGrant, _ scopes: Set<String>, by refreshToken: OneTimeToken?, now: WallTime
    ) async throws -> IssuedTokens {
        let accessToken = try OneTimeToken.random()
        let expires = now + settings.tokenLifetime
        try await accessGrants.insert(
            AccessGrant(
                userID: grant.userID, scopes: scopes, clientID: grant.request.clientID, refreshToken: refreshToken),
            for: accessToken, of: .person(grant.userID),
            expires: expires, now: now)
        if let code = grant.code { try await note(code, now: now, access: accessToken) }
        let identity = IdentityToken(
            issuer: try await issuer(), grant: grant, scopes: scopes, accessToken: accessToken.hex, issued: now,
            expires: expires)
        return IssuedTokens(
            userID: grant.userID, access: accessToken, identity: try await tokens.token(identity),
            lifetime: settings.tokenLifetime,
            scopes: scopes.intersection(Self.scopes))
    }

    /// The login behind a code, a browser's or a device's.
    private func grant(behind code: OneTimeToken, now: WallTime) async throws -> AuthorizationGrant? {
        if let grant = try await grants.value(for: code, now: now) { return grant }
        guard let login = try await applicationLogins?.login(of: code, now: now) else { return nil }
        var asked: AuthorizationRequest?
        if let accessCode = login.accessCode { asked = try await applicationRequests.value(for: accessCode, now: now) }
        return AuthorizationGrant(request: asked ?? ownRequest, userID: login.userID, authenticated: login.time)
    }

    /// Removes the login behind a code, which is gone even if its use fails.
    /// - Returns: whether it was there.
    private func remove(_ code: OneTimeToken, now: WallTime) async throws -> Bool {
        if try await grants.take(code, now: now) != nil { return true }
        guard let login = try await applicationLogins?.take(code, now: now) else { return false }
        if let accessCode = login.accessCode { try await applicationRequests.take(accessCode, now: now) }
        return true
    }

    /// The request of a device that logged in without an authorization URL: for the endpoint's own web site.
    private var ownRequest: AuthorizationRequest {
        AuthorizationRequest(
            clientID: clients.site.id, redirectURI: "", scopes: ["openid"], state: nil, nonce: nil,
            codeChallenge: nil)
    }
}

/// The tokens that a client gets for a code. RFC 6749, section 5.1; OpenID Connect Core, section 3.1.3.3.
package struct IssuedTokens: Sendable {
    /// The user who logged in, for the endpoint's own web site.
    package let userID: String
    let access: OneTimeToken
    let identity: String
    let lifetime: Duration
    let scopes: Set<String>
    var refresh: OneTimeToken?

    package var json: JSONObject {
        var members: [String: JSONValue] = [
            "access_token": .string(access.hex), "token_type": "Bearer",
            "expires_in": .integer(lifetime.components.seconds), "id_token": .string(identity),
            "scope": .string(
                (scopes + (refresh == nil ? [] : [OpenIDProvider.refreshScope])).sorted().joined(separator: " ")),
        ]
        if let refresh { members["refresh_token"] = .string(refresh.hex) }
        return JSONObject(members)
    }
}

/// The error for a client at the token endpoint (RFC 6749, section 5.2), and at the user information endpoint (RFC
/// 6750, section 3).
package struct TokenError: Error {
    /// The raw values are those on the wire.
    package enum Code: String, Sendable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case invalidScope = "invalid_scope"
        case unsupportedGrantType = "unsupported_grant_type"
        case invalidToken = "invalid_token"
    }

    /// Nil for a request without any proof: the answer asks for one, and names no error (RFC 6750, section
    /// 3.1).
    package let code: Code?
    package let description: String
    /// The scheme that the client should have used, for the `WWW-Authenticate` of a 401.
    package var challenge: String?

    static let unauthenticated = TokenError(nil, "", challenge: "Bearer")

    package init(_ code: Code?, _ description: String, challenge: String? = nil) {
        self.code = code
        self.description = description
        self.challenge = challenge
    }
}
