// SPDX-License-Identifier: Apache-2.0

import BackendValues
import SeededRandomness
import Testing

@testable import OpenIDProvider

/// What an application may ask for. RFC 6749, section 4.1; RFC 7636, section 4.4; OpenID Connect Core, section 3.1.2.
@Suite struct AuthorizationRequestTests {
    private let place: ProviderUnderTest

    init() throws { place = try ProviderUnderTest() }

    private func refusal(_ fields: FormFields) async throws -> AuthorizationRefusal? {
        do {
            _ = try await place.provider.request(fields)
            return nil
        } catch let refusal as AuthorizationRefusal {
            return refusal
        }
    }

    /// The error that the application hears, by way of the browser.
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
            (["registration": "{}"], "registration_not_supported"), (["prompt": "none"], "login_required"),
            (["prompt": "none login"], "invalid_request"),
            (["nonce": String(repeating: "n", count: 2049)], "invalid_request"),
        ] as [([String: String?], String)])
    func anErrorGoesBackToTheApplication(_ changes: [String: String?], _ error: String) async throws {
        guard case .redirect(let refused)? = try await refusal(ProviderUnderTest.fields(changes)) else {
            Issue.record("not refused")
            return
        }
        let answer = try ProviderUnderTest.answer(refused.location(issuer: ProviderUnderTest.issuer))
        #expect(answer["error"] == error)
        #expect(answer["state"] == "s &t" && answer["iss"] == ProviderUnderTest.issuer)
        #expect(answer["code"] == nil)
    }

    /// Whatever a browser brings, it is sent to the client's own address or nowhere.
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

    /// A device asks with its application's address, and gets the code itself. MIRACL protocol, section 6.3.
    @Test(
        arguments: [
            ([:], true), (["code_challenge": nil, "code_challenge_method": nil], true), (["redirect_uri": nil], true),
            (["redirect_uri": "https://evil.example/"], false), (["client_id": "unknown"], false),
            (["response_type": "token"], false), (["code_challenge_method": "plain"], false),
            (["client_id": ProviderUnderTest.publicID], true),
            // Nothing would prove who redeems the code.
            (["client_id": ProviderUnderTest.publicID, "code_challenge": nil], false),
        ] as [([String: String?], Bool)])
    func anApplicationOnADeviceAsks(_ changes: [String: String?], _ isSound: Bool) async throws {
        let request = try? await place.provider.applicationRequest(try ProviderUnderTest.fields(changes))
        #expect((request != nil) == isSound)
    }
}
