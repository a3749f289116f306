// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import Testing

@testable import OpenIDProvider

/// Exchanging codes for tokens. RFC 6749, sections 4.1.3 and 5; RFC 7636, section 4.6; OpenID Connect Core, section
/// 3.1.3.
@Suite struct CodeTests {
    private let place: ProviderUnderTest

    init() throws { place = try ProviderUnderTest() }

    private func expectInvalidGrant(_ body: () async throws -> JSONObject) async {
        let error = await #expect(throws: TokenError.self) { _ = try await body() }
        #expect(error?.code == .invalidGrant)
    }

    @Test func aCodeTellsWhoLoggedIn() async throws {
        let code = try await place.code()
        place.clock.advance(by: .seconds(59))
        let tokens = try await place.redeem(code)
        let identity = try await place.identity(tokens)
        #expect(identity.names(ProviderUnderTest.userID) && identity.nonce == "n-0S6_WzA2Mj")
        #expect(identity.isFor(ProviderUnderTest.siteID, from: ProviderUnderTest.issuer))
        #expect(identity.belongs(toAccessToken: tokens.string("access_token") ?? ""))
        #expect(try await place.userInfo(tokens).string("email") == ProviderUnderTest.userID)
        place.clock.advance(by: .seconds(300))
        await #expect(throws: TokenError.self) { try await place.userInfo(tokens) }
    }

    /// The operator sets the lifetime. During it, a replayed code revokes the tokens.
    @Test(arguments: [60, 3600])
    func tokensCountAsLongAsTheOperatorSays(_ seconds: Int) async throws {
        let place = try ProviderUnderTest(tokenLifetime: .seconds(seconds))
        let code = try await place.code()
        let tokens = try await place.redeem(code)
        let identity = try await place.identity(tokens)
        #expect(tokens.integer("expires_in") == Int64(seconds))
        #expect(identity.expiration == NumericDate(place.clock.now + .seconds(seconds)))
        place.clock.advance(by: .seconds(seconds - 1))
        _ = try await place.userInfo(tokens)
        await expectInvalidGrant { try await place.redeem(code) }
        await #expect(throws: TokenError.self) { try await place.userInfo(tokens) }
        let others = try await place.redeem(try await place.code())
        place.clock.advance(by: .seconds(seconds))
        await #expect(throws: TokenError.self) { try await place.userInfo(others) }
    }

    @Test func aCodeCountsOnceAndItsReplayRevokes() async throws {
        let code = try await place.code()
        let tokens = try await place.redeem(code)
        #expect(try await place.userInfo(tokens).string("sub") == ProviderUnderTest.userID)
        await expectInvalidGrant { try await place.redeem(code) }
        let error = await #expect(throws: TokenError.self) { try await place.userInfo(tokens) }
        #expect(error?.code == .invalidToken)
    }

    /// An application that an operator added has its own secret.
    @Test func anAddedApplicationProvesItself() async throws {
        let id = ProviderUnderTest.addedID
        func client(_ secret: String) async throws -> OpenIDClient {
            try await place.provider.client(
                try #require(FormFields("client_id=\(id)&client_secret=\(secret)")), authorization: nil)
        }
        for secret in ["", "wrong", ProviderUnderTest.siteSecret + "x"] {
            let error = await #expect(throws: TokenError.self) { _ = try await client(secret) }
            #expect(error?.code == .invalidClient)
        }
        #expect(try await client(ProviderUnderTest.siteSecret).id == id)
        let code = try await place.code(["client_id": id])
        await expectInvalidGrant { try await place.redeem(code) }
        let identity = try await place.identity(try await place.redeem(try await place.code(["client_id": id]), by: id))
        #expect(identity.isFor(id, from: ProviderUnderTest.issuer))
    }

    @Test func aCodeCountsForAMinute() async throws {
        let code = try await place.code()
        place.clock.advance(by: .seconds(60))
        await expectInvalidGrant { try await place.redeem(code) }
    }

    /// Each of these uses the code up.
    @Test(
        arguments: [
            ["code_verifier": nil], ["code_verifier": ProviderUnderTest.challenge], ["redirect_uri": nil],
            ["redirect_uri": "https://app.example.com/back"],
        ] as [[String: String?]])
    func aCodeNeedsItsRequest(_ changes: [String: String?]) async throws {
        let code = try await place.code()
        for changes in [changes, [:]] { await expectInvalidGrant { try await place.redeem(code, changes) } }
    }

    /// A client with a secret may leave the proof key out. Then no request may bring one, or a stolen code could be
    /// redeemed with an invented verifier. RFC 9700, section 4.8.2.
    @Test func aCodeWithoutAProofKeyTakesNone() async throws {
        let without: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]
        let code = try await place.code(without)
        await expectInvalidGrant { try await place.redeem(code) }
        let another = try await place.code(without)
        let tokens = try await place.redeem(another, ["code_verifier": ""])
        #expect(try await place.identity(tokens).nonce == "n-0S6_WzA2Mj")
    }

    @Test func aPublicClientMayLeaveItsSecretEmpty() async throws {
        let form = try #require(FormFields("client_id=\(ProviderUnderTest.publicID)&client_secret="))
        #expect(try await place.provider.client(form, authorization: nil).id == ProviderUnderTest.publicID)
        let basic = "Basic " + Base64.text(Array("\(ProviderUnderTest.publicID):".utf8))
        let none = try #require(FormFields(""))
        #expect(try await place.provider.client(none, authorization: basic).id == ProviderUnderTest.publicID)
        let site = "Basic " + Base64.text(Array("\(ProviderUnderTest.siteID):".utf8))
        await #expect(throws: TokenError.self) { try await place.provider.client(none, authorization: site) }
    }

    @Test func aCodeIsItsClientsAlone() async throws {
        let code = try await place.code()
        await expectInvalidGrant { try await place.redeem(code, by: ProviderUnderTest.publicID) }
    }

    /// A device logs in to its application, or to the place's own web site. docs/protocol/miracl.md, section 9.4.
    @Test(arguments: ["a1b2", nil])
    func aDevicesCodeIsForWhoAsked(_ accessCode: String?) async throws {
        if let accessCode {
            let fields = try ProviderUnderTest.fields(["client_id": ProviderUnderTest.publicID])
            try await place.provider.expect(try await place.provider.applicationRequest(fields), at: accessCode)
        }
        func code() async throws -> String {
            try await place.logins.code(for: ProviderUnderTest.userID, accessCode: accessCode, now: place.clock.now).hex
        }
        let (asked, other) =
            accessCode == nil
            ? (ProviderUnderTest.siteID, ProviderUnderTest.publicID)
            : (ProviderUnderTest.publicID, ProviderUnderTest.siteID)
        let changes: [String: String?] = accessCode == nil ? ["code_verifier": nil, "redirect_uri": nil] : [:]
        let made = try await code()
        let identity = try await place.identity(try await place.redeem(made, by: asked, changes))
        #expect(identity.isFor(asked, from: ProviderUnderTest.issuer))
        await expectInvalidGrant { try await place.redeem(made, by: asked, changes) }
        let another = try await code()
        await expectInvalidGrant { try await place.redeem(another, by: other, changes) }
    }
}
