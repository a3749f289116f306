// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import Testing

@testable import OpenIDProvider

/// Refresh tokens, where an operator offers them. RFC 6749, section 6; OpenID Connect Core, sections 11 and 12.
@Suite struct RefreshTests {
    private let endpoint: ProviderUnderTest

    init() throws { endpoint = try ProviderUnderTest(refreshLifetime: .seconds(3600)) }

    private static let asking: [String: String?] = ["scope": "openid email offline_access"]

    private func refresh(
        _ token: String, by id: String = ProviderUnderTest.siteID, _ changes: [String: String?] = [:],
        at endpoint: ProviderUnderTest? = nil
    ) async throws -> JSONObject {
        let refreshing: [String: String?] = ["grant_type": "refresh_token", "refresh_token": token]
        return try await (endpoint ?? self.endpoint).redeem("", by: id, refreshing.merging(changes) { $1 })
    }

    private func expect(_ code: TokenError.Code, _ body: () async throws -> JSONObject) async {
        let error = await #expect(throws: TokenError.self) { _ = try await body() }
        #expect(error?.code == code)
    }

    @Test func anApplicationStaysInformed() async throws {
        let tokens = try await endpoint.redeem(try await endpoint.code(Self.asking))
        let token = try #require(tokens.string("refresh_token"))
        #expect(tokens.string("scope") == "email offline_access openid")
        let login = endpoint.clock.now
        for _ in 1...3 {
            endpoint.clock.advance(by: .seconds(1000))
            let again = try await refresh(token)
            let identity = try await endpoint.identity(again)
            #expect(identity.names(ProviderUnderTest.userID) && identity.nonce == nil)
            #expect(identity.belongs(toAccessToken: again.string("access_token") ?? ""))
            #expect(again.string("refresh_token") == nil)
            #expect(try await endpoint.userInfo(again).string("email") == ProviderUnderTest.userID)
        }
        let less = try await refresh(token, ["scope": "openid"])
        #expect(try await endpoint.userInfo(less).string("email") == nil)
        let claims = try #require(less.string("id_token")?.split(separator: ".")[1])
        #expect(JSONObject(body: Base64.bytes(urlText: String(claims)) ?? [])?.string("email") == nil)
        await expect(.invalidScope) { try await refresh(token, ["scope": "openid profile"]) }
        endpoint.clock.advance(by: .seconds(600))
        #expect(endpoint.clock.now == login + .seconds(3600))
        await expect(.invalidGrant) { try await refresh(token) }
    }

    /// Without the operator's setting, the scope or a secret there is no refresh token.
    @Test func notEverybodyGetsOne() async throws {
        #expect(try await endpoint.redeem(try await endpoint.code()).string("refresh_token") == nil)
        let asking = Self.asking.merging(["client_id": ProviderUnderTest.publicID]) { $1 }
        let open = try await endpoint.redeem(try await endpoint.code(asking), by: ProviderUnderTest.publicID)
        #expect(open.string("refresh_token") == nil && open.string("scope") == "email openid")
        let plain = try ProviderUnderTest()
        let tokens = try await plain.redeem(try await plain.code(Self.asking))
        #expect(tokens.string("refresh_token") == nil)
        await expect(.unsupportedGrantType) { try await refresh("x", at: plain) }
        let none = try await plain.provider.metadata().members["grant_types_supported"]
        #expect(none == .array(["authorization_code"]))
        let offered = try await endpoint.provider.metadata().members["grant_types_supported"]
        #expect(offered == .array(["authorization_code", "refresh_token"]))
    }

    @Test func itIsForItsApplicationAlone() async throws {
        let tokens = try await endpoint.redeem(try await endpoint.code(Self.asking))
        let token = try #require(tokens.string("refresh_token"))
        for id in [ProviderUnderTest.addedID, ProviderUnderTest.publicID] {
            await expect(.invalidGrant) { try await refresh(token, by: id) }
        }
        for other in ["x", tokens.string("access_token") ?? ""] {
            await expect(.invalidGrant) { try await refresh(other) }
        }
        await expect(.invalidRequest) { try await refresh("") }
        #expect(try await refresh(token).string("id_token") != nil)
    }

    /// A person's newer logins take the room of what is noted beside old codes, but not the refresh token.
    @Test func manyLoginsEndNoRefreshToken() async throws {
        let token = try #require(
            try await endpoint.redeem(try await endpoint.code(Self.asking)).string("refresh_token"))
        for _ in 0...TableQuota.ofPeople.perPerson { _ = try await endpoint.redeem(try await endpoint.code()) }
        #expect(try await endpoint.userInfo(try await refresh(token)).string("sub") == ProviderUnderTest.userID)
    }

    /// A refresh token ends when the user is revoked. When its code is used twice, it ends with all tokens that it gave.
    @Test func itEndsWithWhatItCameFrom() async throws {
        let code = try await endpoint.code(Self.asking)
        let first = try await endpoint.redeem(code)
        let stolen = try #require(first.string("refresh_token"))
        var tokens = [first]
        for _ in 1...3 {
            endpoint.clock.advance(by: .seconds(100))
            tokens.append(try await refresh(stolen))
        }
        let others = try await endpoint.redeem(try await endpoint.code(Self.asking))
        // Long after the code's own end, and every time again.
        for _ in 1...2 {
            #expect(try await endpoint.userInfo(others).string("sub") == ProviderUnderTest.userID)
            await expect(.invalidGrant) { try await endpoint.redeem(code) }
            await expect(.invalidGrant) { try await refresh(stolen) }
            for token in tokens { await #expect(throws: TokenError.self) { try await endpoint.userInfo(token) } }
        }
        let token = try #require(
            try await endpoint.redeem(try await endpoint.code(Self.asking)).string("refresh_token"))
        #expect(try await refresh(token).string("id_token") != nil)
        endpoint.revoked.insert(ProviderUnderTest.userID)
        await expect(.invalidGrant) { try await refresh(token) }
    }
}
