// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import OpenIDProvider
@testable import ReferenceBackend

/// A code that is used more than once at the same moment, at two processes: a thief's use and its owner's. RFC 6749,
/// section 4.1.2.
@Suite struct UsedCodeTests {
    private static let redirectURI = "https://app.example.com/back"
    private static let id = "shop"

    @Test(arguments: StorageUnderTest.allCases)
    func itsTokensEndWhoeverComesFirst(_ kind: StorageUnderTest) async throws {
        let state = TemporaryFolder()
        let (first, second) = try kind.openTwice(in: state)
        let clock = ManualWallClock()
        let ring = SigningKeyRing(try #require(SigningKey(try SigningKey.make())))
        let providers = [first, second].map { storage in
            OpenIDProvider(
                at: "here", issuer: { "https://login.example.com" },
                tokens: WebTokenIssuer(keys: { ring }, clock: clock),
                site: OpenIDClient(
                    id: Self.id, redirectURIs: [Self.redirectURI], secret: SecretBytes(Array("secret".utf8))),
                sitePath: "/login", publicClients: [], findApplication: { _ in nil },
                refreshLifetime: .seconds(3600), mayLogIn: { _ in true }, applicationLogins: nil,
                storage: storage.volatile, clock: clock)
        }
        for round in 0..<20 {
            let code = try await Self.code(at: providers[0], clock)
            let issued = try await withThrowingTaskGroup(of: JSONObject?.self) { group in
                for number in 0..<6 {
                    group.addTask { try await Self.redeem(code, at: providers[number % 2]) }
                }
                return try await group.reduce(into: [JSONObject]()) { if let tokens = $1 { $0.append(tokens) } }
            }
            #expect(issued.count <= 1, "round \(round)")
            for tokens in issued {
                await #expect(throws: TokenError.self, "round \(round)") {
                    try await providers[0].userInfo("Bearer " + (tokens.string("access_token") ?? ""), form: nil)
                }
                let refresh = [
                    ("grant_type", "refresh_token"), ("refresh_token", tokens.string("refresh_token") ?? ""),
                ]
                #expect(try await Self.redeem(refresh, at: providers[1]) == nil, "round \(round)")
            }
        }
        // One use alone gives what it should.
        #expect(try await Self.redeem(try await Self.code(at: providers[0], clock), at: providers[1]) != nil)
        withExtendedLifetime(state) {}
    }

    private static func code(at provider: OpenIDProvider, _ clock: ManualWallClock) async throws -> String {
        let fields = FormFields.text([
            ("client_id", id), ("redirect_uri", redirectURI), ("response_type", "code"),
            ("scope", "openid offline_access"),
        ])
        let request = try await provider.request(try #require(FormFields(fields)))
        let answer = try await provider.grant(request, to: "alice@example.com", authenticated: clock.now)
        let query = try #require(answer.location.split(separator: "?").last)
        return try #require(FormFields(query)?["code"])
    }

    private static func redeem(_ code: String, at provider: OpenIDProvider) async throws -> JSONObject? {
        try await redeem(
            [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI)], at: provider)
    }

    /// - Returns: nil for a refusal.
    private static func redeem(_ fields: [(String, String)], at provider: OpenIDProvider) async throws -> JSONObject? {
        let form = try #require(FormFields(FormFields.text(fields.map { (name: $0.0, value: $0.1) })))
        let client = try await provider.ownClient
        do { return try await provider.redeem(form, by: client).json } catch is TokenError { return nil }
    }
}
