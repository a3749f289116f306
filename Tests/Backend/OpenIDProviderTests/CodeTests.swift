// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import Testing

@testable import OpenIDProvider

/// Exchanging codes for tokens. RFC 6749, sections 4.1.3 and 5; RFC 7636, section 4.6; OpenID Connect Core, section
/// 3.1.3.
@Suite struct CodeTests {
    private let endpoint: ProviderUnderTest

    init() throws { endpoint = try ProviderUnderTest() }

    private func expectInvalidGrant(_ body: () async throws -> JSONObject) async {
        let error = await #expect(throws: TokenError.self) { _ = try await body() }
        #expect(error?.code == .invalidGrant)
    }

    @Test func aCodeTellsWhoLoggedIn() async throws {
        let code = try await endpoint.code()
        endpoint.clock.advance(by: .seconds(59))
        let tokens = try await endpoint.redeem(code)
        let identity = try await endpoint.identity(tokens)
        #expect(identity.names(ProviderUnderTest.userID) && identity.nonce == "n-0S6_WzA2Mj")
        #expect(identity.isFor(ProviderUnderTest.siteID, from: ProviderUnderTest.issuer))
        #expect(identity.belongs(toAccessToken: tokens.string("access_token") ?? ""))
        #expect(try await endpoint.userInfo(tokens).string("email") == ProviderUnderTest.userID)
        endpoint.clock.advance(by: .seconds(300))
        await #expect(throws: TokenError.self) { try await endpoint.userInfo(tokens) }
    }

    /// The operator sets the lifetime. During it, a replayed code revokes the tokens.
    @Test(arguments: [60, 3600])
    func tokensCountAsLongAsTheOperatorSays(_ seconds: Int) async throws {
        let endpoint = try ProviderUnderTest(tokenLifetime: .seconds(seconds))
        let code = try await endpoint.code()
        let tokens = try await endpoint.redeem(code)
        let identity = try await endpoint.identity(tokens)
        #expect(tokens.integer("expires_in") == Int64(seconds))
        #expect(identity.expiration == NumericDate(endpoint.clock.now + .seconds(seconds)))
        endpoint.clock.advance(by: .seconds(seconds - 1))
        _ = try await endpoint.userInfo(tokens)
        await expectInvalidGrant { try await endpoint.redeem(code) }
        await #expect(throws: TokenError.self) { try await endpoint.userInfo(tokens) }
        let others = try await endpoint.redeem(try await endpoint.code())
        endpoint.clock.advance(by: .seconds(seconds))
        await #expect(throws: TokenError.self) { try await endpoint.userInfo(others) }
    }

    @Test func aCodeCountsOnceAndItsReplayRevokes() async throws {
        let code = try await endpoint.code()
        let tokens = try await endpoint.redeem(code)
        #expect(try await endpoint.userInfo(tokens).string("sub") == ProviderUnderTest.userID)
        await expectInvalidGrant { try await endpoint.redeem(code) }
        let error = await #expect(throws: TokenError.self) { try await endpoint.userInfo(tokens) }
        #expect(error?.code == .invalidToken)
    }

    /// An application that an operator added has its own secret.
    @Test func anAddedApplicationProvesItself() async throws {
        let id = ProviderUnderTest.addedID
        func client(_ secret: String) async throws -> OpenIDClient {
            try await endpoint.provider.client(
                try #require(FormFields("client_id=\(id)&client_secret=\(secret)")), authorization: nil)
        }
        for secret in ["", "wrong", ProviderUnderTest.siteSecret + "x"] {
            let error = await #expect(throws: TokenError.self) { _ = try await client(secret) }
            #expect(error?.code == .invalidClient)
        }
        #expect(try await client(ProviderUnderTest.siteSecret).id == id)
        let code = try await endpoint.code(["client_id": id])
        await expectInvalidGrant { try await endpoint.redeem(code) }
        let identity = try await endpoint.identity(
            try await endpoint.redeem(try await endpoint.code(["client_id": id]), by: id))
        #expect(identity.isFor(id, from: ProviderUnderTest.issuer))
    }

    @Test func aCodeCountsForAMinute() async throws {
        let code = try await endpoint.code()
        endpoint.clock.advance(by: .seconds(60))
        await expectInvalidGrant { try await endpoint.redeem(code) }
    }

    /// Each of these uses the code up.
    @Test(
        arguments: [
            ["code_verifier": nil], ["code_verifier": ProviderUnderTest.challenge], ["redirect_uri": nil],
            ["redirect_uri": "https://app.example.com/back"],
        ] as [[String: String?]])
    func aCodeNeedsItsRequest(_ changes: [String: String?]) async throws {
        let code = try await endpoint.code()
        for changes in [changes, [:]] { await expectInvalidGrant { try await endpoint.redeem(code, changes) } }
    }

    /// A client with a secret may leave the proof key out. Then no request may bring one, or a stolen code could be
    /// redeemed with an invented verifier. RFC 9700, section 4.8.2.
    @Test func aCodeWithoutAProofKeyTakesNone() async throws {
        let without: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]
        let code = try await endpoint.code(without)
        await expectInvalidGrant { try await endpoint.redeem(code) }
        let another = try await endpoint.code(without)
        let tokens = try await endpoint.redeem(another, ["code_verifier": ""])
        #expect(try await endpoint.identity(tokens).nonce == "n-0S6_WzA2Mj")
    }

    @Test func aPublicClientMayLeaveItsSecretEmpty() async throws {
        let form = try #require(FormFields("client_id=\(ProviderUnderTest.publicID)&client_secret="))
        #expect(try await endpoint.provider.client(form, authorization: nil).id == ProviderUnderTest.publicID)
        let basic = "Basic " + Base64.text(Array("\(ProviderUnderTest.publicID):".utf8))
        let none = try #require(FormFields(""))
        #expect(try await endpoint.provider.client(none, authorization: basic).id == ProviderUnderTest.publicID)
        let site = "Basic " + Base64.text(Array("\(ProviderUnderTest.siteID):".utf8))
        await #expect(throws: TokenError.self) { try await endpoint.provider.client(none, authorization: site) }
    }

    @Test func aCodeIsItsClientsAlone() async throws {
        let code = try await endpoint.code()
        await expectInvalidGrant { try await endpoint.redeem(code, by: ProviderUnderTest.publicID) }
    }

    /// A device logs in to its application, or to the endpoint's own web site. docs/protocol/miracl.md, section 9.4.
    @Test(arguments: ["a1b2", nil])
    func aDevicesCodeIsForWhoAsked(_ accessCode: String?) async throws {
        if let accessCode {
            let fields = try ProviderUnderTest.fields(["client_id": ProviderUnderTest.publicID])
            try await endpoint.provider.expect(try await endpoint.provider.applicationRequest(fields), at: accessCode)
        }
        func code() async throws -> String {
            try await endpoint.logins.code(
                for: ProviderUnderTest.userID, accessCode: accessCode, now: endpoint.clock.now
            ).hex
        }
        let (asked, other) =
            accessCode == nil
            ? (ProviderUnderTest.siteID, ProviderUnderTest.publicID)
            : (ProviderUnderTest.publicID, ProviderUnderTest.siteID)
        let changes: [String: String?] = accessCode == nil ? ["code_verifier": nil, "redirect_uri": nil] : [:]
        let made = try await code()
        let identity = try await endpoint.identity(try await endpoint.redeem(made, by: asked, changes))
        #expect(identity.isFor(asked, from: ProviderUnderTest.issuer))
        await expectInvalidGrant { try await endpoint.redeem(made, by: asked, changes) }
        let another = try await code()
        await expectInvalidGrant { try await endpoint.redeem(another, by: other, changes) }
    }
}
