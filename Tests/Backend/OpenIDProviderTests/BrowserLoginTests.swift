// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Testing

@testable import OpenIDProvider

/// An application's parameters about a login that the browser already has. OpenID Connect Core, section 3.1.2.1.
@Suite struct BrowserLoginTests {
    private let endpoint: ProviderUnderTest

    init() throws { endpoint = try ProviderUnderTest() }

    private var login: BrowserLogin {
        BrowserLogin(userID: ProviderUnderTest.userID, authenticated: endpoint.clock.now + .seconds(-100))
    }

    /// Whether the login is reused; nil when the application is told that a person has to log in.
    private func isReused(_ changes: [String: String?], _ login: BrowserLogin?) async throws -> Bool? {
        do {
            let request = try await endpoint.provider.request(try ProviderUnderTest.fields(changes), after: login)
            return request.login != nil
        } catch AuthorizationRefusal.redirect(let error) where error.code == .loginRequired {
            return nil
        }
    }

    @Test(
        arguments: [
            ([:], true), (["prompt": "none"], true), (["prompt": "login"], false), (["prompt": "consent"], false),
            (["prompt": "login select_account"], false), (["max_age": "101"], true), (["max_age": "100"], false),
            (["max_age": "0"], false), (["max_age": "4294967295"], true), (["prompt": "none", "max_age": "99"], nil),
            (["id_token_hint": "none.of.ours"], false), (["prompt": "none", "id_token_hint": "x"], nil),
        ] as [([String: String?], Bool?)])
    func wishesAreMet(_ changes: [String: String?], _ expected: Bool?) async throws {
        #expect(try await isReused(changes, login) == expected)
        let isSilent = changes["prompt"] == "none"
        #expect(try await isReused(changes, nil) == (isSilent ? nil : false))
    }

    /// A token names its user even after it has expired.
    @Test func aHintNamesTheUser() async throws {
        let tokens = try await endpoint.redeem(try await endpoint.code())
        let hint = try #require(tokens.string("id_token"))
        endpoint.clock.advance(by: .seconds(86_400))
        #expect(try await isReused(["prompt": "none", "id_token_hint": hint], login) == true)
        let other = BrowserLogin(userID: "bob@example.com", authenticated: endpoint.clock.now)
        #expect(try await isReused(["prompt": "none", "id_token_hint": hint], other) == nil)
        #expect(try await isReused(["id_token_hint": hint], other) == false)
    }

    @Test func aRevokedUserIsAskedAnew() async throws {
        endpoint.revoked.insert(ProviderUnderTest.userID)
        #expect(try await isReused([:], login) == false)
        #expect(try await isReused(["prompt": "none"], login) == nil)
    }

    @Test(arguments: ["-1", "1.5", "soon", "4294967296"])
    func anAgeIsANumberOfSeconds(_ age: String) async throws {
        let error = await #expect(throws: AuthorizationRefusal.self) {
            try await endpoint.provider.request(try ProviderUnderTest.fields(["max_age": age]), after: login)
        }
        guard case .redirect(let refused)? = error else {
            Issue.record("not refused")
            return
        }
        #expect(refused.code == .invalidRequest)
    }
}
