// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import Testing

@testable import OpenIDProvider

/// The end of tokens before their time. RFC 7009.
@Suite struct RevocationTests {
    private let endpoint: ProviderUnderTest

    init() throws { endpoint = try ProviderUnderTest(refreshLifetime: .seconds(3600)) }

    private func tokens(_ id: String = ProviderUnderTest.siteID) async throws -> JSONObject {
        try await endpoint.redeem(
            try await endpoint.code(["client_id": id, "scope": "openid offline_access"]), by: id)
    }

    private func revoke(_ token: String?, by id: String = ProviderUnderTest.siteID) async throws {
        let client = try #require(try await endpoint.provider.client(id))
        let fields = token.map { FormFields.text([("token", $0), ("token_type_hint", "x")]) } ?? ""
        try await endpoint.provider.revoke(try #require(FormFields(fields)), by: client)
    }

    private func isAlive(_ tokens: JSONObject) async throws -> Bool {
        do { return try await endpoint.userInfo(tokens).string("sub") != nil } catch is TokenError { return false }
    }

    private func refreshed(_ tokens: JSONObject) async throws -> JSONObject {
        try await endpoint.redeem(
            "",
            [
                "grant_type": "refresh_token", "code": nil, "code_verifier": nil, "redirect_uri": nil,
                "refresh_token": tokens.string("refresh_token"),
            ])
    }

    /// An access token ends alone, a refresh token with all that it made.
    @Test func tokensEnd() async throws {
        let first = try await tokens()
        let second = try await refreshed(first)
        try await revoke(first.string("access_token"))
        #expect(try await isAlive(first) == false)
        #expect(try await isAlive(second))
        try await revoke(first.string("refresh_token"))
        #expect(try await isAlive(second) == false)
        await #expect(throws: TokenError.self) { try await refreshed(first) }
        let other = try await tokens()
        #expect(try await isAlive(other))
    }

    /// A code that is used again ends all that it gave, also by refreshing (RFC 6749, section 4.1.2).
    @Test func aStolenCodeEndsRefreshedTokensToo() async throws {
        let code = try await endpoint.code(["scope": "openid offline_access"])
        let refreshed = try await refreshed(try await endpoint.redeem(code))
        #expect(try await isAlive(refreshed))
        await #expect(throws: TokenError.self) { try await endpoint.redeem(code) }
        #expect(try await isAlive(refreshed) == false)
    }

    @Test func nobodyEndsAnothersToken() async throws {
        let issued = try await tokens()
        for name in ["access_token", "refresh_token"] {
            let error = await #expect(throws: TokenError.self) {
                try await revoke(issued.string(name), by: ProviderUnderTest.publicID)
            }
            #expect(error?.code == .invalidGrant)
        }
        #expect(try await isAlive(issued))
        _ = try await refreshed(issued)
    }

    /// A public application ends its own access token. A token that is gone, or none, is no error; its absence is.
    @Test func whatIsGoneIsNoError() async throws {
        let issued = try await tokens(ProviderUnderTest.publicID)
        for _ in 1...2 { try await revoke(issued.string("access_token"), by: ProviderUnderTest.publicID) }
        #expect(try await isAlive(issued) == false)
        try await revoke("never-a-token")
        await #expect(throws: TokenError.self) { try await revoke(nil) }
    }
}
