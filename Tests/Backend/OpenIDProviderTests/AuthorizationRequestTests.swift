// SPDX-License-Identifier: Apache-2.0

import Encoding
import Patience
import Testing

@testable import OpenIDProvider

/// The requests that an application may make. RFC 6749, section 4.1; RFC 7636, section 4.4; OpenID Connect Core,
/// section 3.1.2.
@Suite struct AuthorizationRequestTests {
    private let endpoint: ProviderUnderTest

    init() throws { endpoint = try ProviderUnderTest() }

    private func refusal(_ fields: FormFields) async throws -> AuthorizationRefusal? {
        do {
            _ = try await endpoint.provider.request(fields)
            return nil
        } catch let refusal as AuthorizationRefusal {
            return refusal
        }
    }

    /// The error that the browser brings to the application.
    @Test(
        arguments: [
            (["response_type": nil], "invalid_request"), (["response_type": "token"], "unsupported_response_type"),
            (["response_type": "code id_token"], "unsupported_response_type"),
            (["response_mode": "fragment"], "invalid_request"), (["scope": nil], "invalid_scope"),
            (["scope": "email"], "invalid_scope"), (["scope": "openidx"], "invalid_scope"),
            (["code_challenge": nil], "invalid_request"), (["code_challenge": "short"], "invalid_request"),
            (["code_challenge_method": nil], "invalid_request"),
            (["code_challenge_method": "plain"], "invalid_request"),
            (["request": "e30"], "request_not_supported"), (["request_uri": "urn:x"], "request_uri_not_supported"),
            (["registration": "{}"], "registration_not_supported"),
            (["client_id": ProviderUnderTest.publicID, "code_challenge": nil], "invalid_request"),
            (
                ["client_id": ProviderUnderTest.publicID, "code_challenge": nil, "code_challenge_method": nil],
                "invalid_request"
            ), (["prompt": "none"], "login_required"),
            (["prompt": "none login"], "invalid_request"),
            (["nonce": String(repeating: "n", count: AuthorizationRequest.longestEcho + 1)], "invalid_request"),
        ] as [([String: String?], String)])
    func anErrorGoesBackToTheApplication(_ changes: [String: String?], _ error: String) async throws {
        guard case .redirect(let refused)? = try await refusal(ProviderUnderTest.fields(changes)) else {
            Issue.record("not refused")
            return
        }
        let answer = try ProviderUnderTest.answer(refused.answer(issuer: ProviderUnderTest.issuer))
        #expect(answer["error"] == error)
        #expect(answer["state"] == "s &t" && answer["iss"] == ProviderUnderTest.issuer)
        #expect(answer["code"] == nil)
    }

    /// With `form_post` code and error travel in a form, also errors of requests that are refused.
    @Test(
        arguments: [
            ([:], nil), (["scope": "email"], "invalid_scope"),
            (["response_type": "token"], "unsupported_response_type"),
            (["prompt": "none"], "login_required"), (["nonce": String(repeating: "n", count: 9000)], "invalid_request"),
        ] as [([String: String?], String?)])
    func anAnswerTravelsInAForm(_ changes: [String: String?], _ error: String?) async throws {
        let asking: [String: String?] = ["response_mode": "form_post"]
        let fields = try ProviderUnderTest.fields(changes.merging(asking) { $1 })
        var answers: [AuthorizationAnswer] = []
        if case .redirect(let refused)? = try await refusal(fields) {
            answers.append(refused.answer(issuer: ProviderUnderTest.issuer))
        } else {
            let request = try await endpoint.provider.request(fields)
            answers.append(try await endpoint.provider.deny(request))
            answers.append(
                try await endpoint.provider.grant(
                    request, to: ProviderUnderTest.userID, authenticated: endpoint.clock.now))
        }
        #expect(answers.count == (error == nil ? 2 : 1))
        for answer in answers {
            let values = Dictionary(uniqueKeysWithValues: answer.fields.map { ($0.name, $0.value) })
            #expect(answer.mode == .formPost && answer.redirectURI == ProviderUnderTest.redirectURI)
            #expect(values["state"] == "s &t" && values["iss"] == ProviderUnderTest.issuer)
            #expect(values["error"] == error || values["error"] == "access_denied" || values["code"] != nil)
        }
    }

    /// A page's policy lets its form go to the redirect URI and nowhere else.
    @Test(
        arguments: [
            ("https://app.example.com/back?x=1;y,z", "https://app.example.com/back"),
            ("https://app.example.com:8443/a;b,c", "https://app.example.com:8443/a%3Bb%2Cc"),
            ("https://app.example.com", "https://app.example.com"),
            ("http://127.0.0.1:5000/", "http://127.0.0.1:5000/"),
            // The grammar has no address of IPv6.
            ("http://[::1]:5000/back", "http:"),
        ])
    func aFormGoesToTheRedirectURIAlone(_ uri: String, _ source: String) {
        let answer = AuthorizationAnswer([], to: uri, .formPost, state: nil, issuer: ProviderUnderTest.issuer)
        #expect(answer.formSource == source)
    }

    /// Empty parameters count as left out, unknown ones are ignored, and a client with a secret needs no proof key.
    /// RFC 6749, section 3.1; RFC 8707, section 2; RFC 9700, section 2.1.1.
    @Test(arguments: [
        "", "&response_mode=", "&response_mode=query", "&request=", "&request_uri=&registration=&prompt=&nonce2=",
        "&resource=https%3A%2F%2Fa.example&resource=https%3A%2F%2Fb.example", "&ui_locales=de&ui_locales=en",
        "&max_age=60", "&code_challenge=&code_challenge_method=",
    ])
    func usualRequestsAreTaken(_ more: String) async throws {
        let plain = FormFields.text(
            try ProviderUnderTest.fields(["code_challenge": nil, "code_challenge_method": nil]).values.map {
                ($0.key, $0.value)
            })
        let request = try await endpoint.provider.request(try #require(FormFields(plain + more)))
        #expect(request.codeChallenge == nil && request.nonce == "n-0S6_WzA2Mj")
    }

    @Test func anOperatorMayAskEverybodyForAProofKey() async throws {
        let strict = try ProviderUnderTest(requiresProofKey: true)
        let fields = try ProviderUnderTest.fields(["code_challenge": nil, "code_challenge_method": nil])
        await #expect(throws: AuthorizationRefusal.self) { try await strict.provider.request(fields) }
        _ = try await strict.provider.request(try ProviderUnderTest.fields())
    }

    /// A person sees which application asks, by name and host or by host alone.
    @Test func whoAsksIsNamed() async throws {
        func application(_ id: String, _ uri: String = ProviderUnderTest.redirectURI) async throws -> String? {
            let fields = try ProviderUnderTest.fields(["client_id": id, "redirect_uri": uri])
            return try await endpoint.provider.request(fields).application
        }
        #expect(try await application(ProviderUnderTest.addedID) == "Time sheets (app.example.com)")
        #expect(try await application(ProviderUnderTest.siteID) == "app.example.com")
        #expect(try await application(ProviderUnderTest.siteID, ProviderUnderTest.issuer + "/login") == nil)
        let long = OpenIDClient(
            id: "x", name: String(repeating: "n", count: 40),
            redirectURIs: ["https://\(String(repeating: "a.", count: 30))example.com/"])
        let label = try await endpoint.provider.label(of: long, redirectURI: "")
        #expect(label?.count == 64 && label?.hasSuffix(".example.com)") == true)
    }

    /// No text can show another host than the browser's target.
    @Test(
        arguments: [
            ("https://app.example.com/back", "app.example.com"), ("http://127.0.0.1:5000", "127.0.0.1:5000"),
            ("http://[::1]:80/x", "[::1]:80"), ("https://bank.example@evil.example/", "evil.example"),
            ("https://evil.example\\@bank.example/", "evil.example"), ("https://a.example?@b.example", "a.example"),
            ("https://a.example#@b.example", "a.example"), ("a.example", ""), ("", ""), ("https://", ""),
        ])
    func aHostIsReadAsABrowserReadsIt(_ uri: String, _ host: String) { #expect(OpenIDClient.host(of: uri) == host) }

    @Test func aHostIsNothingElse() {
        let seed: UInt64 = 0x0a12
        var generator = SplitMix64(seed: seed)
        let parts = ["https://", "://", "a.example", ":1", "/", "?", "#", "@", "\\", "[::1]", "x", ""]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...8, using: &generator))
                .map { _ in parts[Int.random(in: 0..<parts.count, using: &generator)] }.joined()
            let host = OpenIDClient.host(of: text)
            #expect(host.allSatisfy { !"/?#@\\".contains($0) }, "seed \(seed), \(text)")
            #expect(host.isEmpty || text.contains(host), "seed \(seed), \(text)")
        }
    }

    /// A program on the person's machine may use any free port there, but no other machine's. RFC 8252, section 7.3.
    @Test(
        arguments: [
            ("http://127.0.0.1/back", "http://127.0.0.1:49152/back", true),
            ("http://127.0.0.1:8000/back", "http://127.0.0.1:49152/back", true),
            ("http://[::1]:8000/back?x=1", "http://[::1]:1/back?x=1", true),
            ("http://127.0.0.1/back", "http://127.0.0.1:49152/other", false),
            ("http://127.0.0.1/back", "http://[::1]:49152/back", false),
            ("http://127.0.0.1/back", "http://127.0.0.1:80@evil.example/back", false),
            ("http://127.0.0.1/back", "http://127.0.0.1.evil.example/back", false),
            ("http://127.0.0.1/back", "http://127.0.0.1:99999/back", false),
            ("http://127.0.0.1/back", "http://127.0.0.1:/back", false),
            ("http://localhost:8000/back", "http://localhost:8001/back", false),
            ("https://app.example.com/back", "https://app.example.com:8443/back", false),
        ])
    func anyPortOfTheMachineItself(_ registered: String, _ asked: String, _ isTaken: Bool) {
        let client = OpenIDClient(id: "program", redirectURIs: [registered])
        #expect(client.owns(asked) == isTaken)
    }

    /// Every request sends the browser to the client's own address or nowhere.
    @Test func aBrowserGoesNowhereElse() async throws {
        let seed: UInt64 = 0x0a07
        var generator = SplitMix64(seed: seed)
        let names = ["client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge", "prompt"]
        let values = [
            ProviderUnderTest.siteID, ProviderUnderTest.publicID, ProviderUnderTest.redirectURI,
            "https://evil.example/", "", "code", "openid", "none", ProviderUnderTest.challenge,
        ]
        var refused = (pages: 0, redirects: 0, taken: 0)
        for _ in 0..<3000 {
            var text = try FormFields.text(ProviderUnderTest.fields().values.map { ($0.key, $0.value) })
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                let name = names[Int.random(in: 0..<names.count, using: &generator)]
                let value = values[Int.random(in: 0..<values.count, using: &generator)]
                let field = FormFields.text([(name, value)])
                text = Bool.random(using: &generator) ? text + "&" + field : field + "&" + text
            }
            switch try await refusal(try #require(FormFields(text))) {
            case .page?: refused.pages += 1
            case .redirect(let error)?:
                refused.redirects += 1
                #expect(error.redirectURI == ProviderUnderTest.redirectURI, "seed \(seed), \(text)")
            case nil: refused.taken += 1
            }
        }
        #expect(refused.pages > 0 && refused.redirects > 0 && refused.taken > 0, "seed \(seed), \(refused)")
    }

    /// A device asks with its application's address and gets the code itself. docs/protocol/miracl.md, section 6.3.
    @Test(
        arguments: [
            ([:], true), (["code_challenge": nil, "code_challenge_method": nil], true), (["redirect_uri": nil], true),
            (["redirect_uri": "https://evil.example/"], false), (["client_id": "unknown"], false),
            (["response_type": "token"], false), (["code_challenge_method": "plain"], false),
            (["client_id": ProviderUnderTest.publicID], true),
            // Without a key nothing proves who redeems the code.
            (["client_id": ProviderUnderTest.publicID, "code_challenge": nil], false),
        ] as [([String: String?], Bool)])
    func anApplicationOnADeviceAsks(_ changes: [String: String?], _ isSound: Bool) async throws {
        let request = try? await endpoint.provider.applicationRequest(try ProviderUnderTest.fields(changes))
        #expect((request != nil) == isSound)
    }
}
