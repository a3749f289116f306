// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import Patience
import Testing

@testable import OpenIDProvider

/// The requests with which an application may end a browser's session. OpenID Connect RP-Initiated Logout 1.0,
/// section 2.
@Suite struct LogoutRequestTests {
    private static let after = "https://app.example.com/bye"
    private let endpoint: ProviderUnderTest

    init() throws { endpoint = try ProviderUnderTest() }

    private func read(_ fields: [(name: String, value: String)]) async throws -> LogoutRequest {
        try await endpoint.provider.logoutRequest(try #require(FormFields(FormFields.text(fields))))
    }

    private func hint() async throws -> String {
        let tokens = try await endpoint.redeem(
            try await endpoint.code(["client_id": ProviderUnderTest.addedID]), by: ProviderUnderTest.addedID)
        return try #require(tokens.string("id_token"))
    }

    private func login(_ userID: String = ProviderUnderTest.userID) -> BrowserLogin {
        BrowserLogin(userID: userID, authenticated: endpoint.clock.now)
    }

    /// An expired token still proves it, for its own user alone.
    @Test func aHintProvesWhoIsMeant() async throws {
        let hint = try await hint()
        endpoint.clock.advance(by: .seconds(86_400))
        let asked = try await read([
            ("id_token_hint", hint), ("post_logout_redirect_uri", Self.after), ("state", "s &t"),
        ])
        #expect(asked.isProof(for: login()) && !asked.isProof(for: login("bob@example.com")))
        #expect(asked.location == Self.after + "?state=s%20%26t")
        #expect(asked.application == "Time sheets (app.example.com)")
    }

    /// Without a token of this provider nothing is proven, but a named application's address is used.
    @Test(arguments: ["", "x", "e30.e30.e30"])
    func aNameIsNoProof(_ hint: String) async throws {
        let asked = try await read([
            ("client_id", ProviderUnderTest.addedID), ("id_token_hint", hint),
            ("post_logout_redirect_uri", Self.after),
        ])
        #expect(!asked.isProof(for: login()) && asked.location == Self.after)
    }

    @Test func aChangedHintProvesNothing() async throws {
        let hint = try await hint()
        let other = try ProviderUnderTest(issuer: "https://login.example.com/trust-2023")
        let tokens = try await other.redeem(try await other.code())
        for text in [String(hint.dropLast(8)) + "AAAAAAAA", try #require(tokens.string("id_token"))] {
            #expect(try await read([("id_token_hint", text)]).isProof(for: login()) == false)
            await #expect(throws: LogoutRefusal.self) {
                try await read([("id_token_hint", text), ("post_logout_redirect_uri", Self.after)])
            }
        }
    }

    /// A browser is sent to a registered address only.
    @Test(
        arguments: [
            ["post_logout_redirect_uri": after], ["client_id": "somebody"],
            ["client_id": ProviderUnderTest.siteID, "post_logout_redirect_uri": after],
            ["client_id": ProviderUnderTest.addedID, "post_logout_redirect_uri": after + "/"],
            ["client_id": ProviderUnderTest.addedID, "post_logout_redirect_uri": ProviderUnderTest.redirectURI],
            ["client_id": ProviderUnderTest.addedID, "post_logout_redirect_uri": "javascript:alert(1)"],
            [
                "client_id": ProviderUnderTest.addedID, "post_logout_redirect_uri": after,
                "state": String(repeating: "s", count: AuthorizationRequest.longestEcho + 1),
            ],
        ])
    func nobodyIsSentElsewhere(_ fields: [String: String]) async throws {
        await #expect(throws: LogoutRefusal.self) { try await read(fields.map { ($0.key, $0.value) }) }
    }

    /// The log names the field that was wrong, and the application if one is known.
    @Test(
        arguments: [
            ([("client_id", "somebody")], "client_id=somebody", "no application has this client_id", false),
            ([("state", "a"), ("state", "b")], "state occurs twice", "a parameter of a logout occurs twice", false),
            (
                [
                    ("client_id", ProviderUnderTest.addedID), ("post_logout_redirect_uri", after),
                    ("state", String(repeating: "s", count: 5000)),
                ], "state=" + String(repeating: "s", count: 200) + "...", "the state of a logout is too long", true
            ),
            (
                [("client_id", ProviderUnderTest.addedID), ("post_logout_redirect_uri", after + "/")],
                "post_logout_redirect_uri=\(after)/",
                "the address for the time after a logout is not registered, or nothing names the application", true
            ),
        ] as [([(String, String)], String, String, Bool)])
    func aRefusalNamesItsReason(
        _ fields: [(String, String)], _ field: String, _ reason: String, _ namesClient: Bool
    ) async throws {
        let refusal = await #expect(throws: LogoutRefusal.self) {
            try await read(fields.map { (name: $0.0, value: $0.1) })
        }
        #expect(refusal?.field.text == field && refusal?.reason == reason)
        #expect((refusal?.client != nil) == namesClient)
    }

    /// A state may be as long as one of a login.
    @Test func aLongStateComesBack() async throws {
        let state = String(repeating: "s", count: AuthorizationRequest.longestEcho)
        let asked = try await read([
            ("client_id", ProviderUnderTest.addedID), ("post_logout_redirect_uri", Self.after), ("state", state),
        ])
        #expect(asked.location == Self.after + "?state=" + state)
    }

    @Test func anotherApplicationsTokenIsRefused() async throws {
        let hint = try await hint()
        let refusal = await #expect(throws: LogoutRefusal.self) {
            try await read([("id_token_hint", hint), ("client_id", ProviderUnderTest.siteID)])
        }
        #expect(refusal?.field.text == "id_token_hint is not valid")
        #expect(refusal?.reason == "the ID token of a logout is another application's")
        await #expect(throws: LogoutRefusal.self) { try await read([("state", "a"), ("state", "b")]) }
    }

    /// Whatever comes, a location begins with a registered address.
    @Test func hostileRequestsLeadNowhere() async throws {
        let seed: UInt64 = 0x0a14
        var generator = SplitMix64(seed: seed)
        let names = ["client_id", "id_token_hint", "post_logout_redirect_uri", "state", "ui_locales"]
        let values = [
            "", Self.after, Self.after + "?", "https://evil.example/", ProviderUnderTest.addedID,
            ProviderUnderTest.publicID, "a.b.c", "%", "\r\nx: y", "de en",
        ]
        var locations = 0
        for _ in 0..<2000 {
            let fields = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                (
                    name: names[Int.random(in: 0..<names.count, using: &generator)],
                    value: values[Int.random(in: 0..<values.count, using: &generator)]
                )
            }
            guard let location = try? await read(fields).location else { continue }
            locations += 1
            #expect(location == Self.after || location.hasPrefix(Self.after + "?state="), "seed \(seed)")
            #expect(!location.contains("\r"), "seed \(seed)")
        }
        #expect(locations > 0, "seed \(seed)")
    }
}
