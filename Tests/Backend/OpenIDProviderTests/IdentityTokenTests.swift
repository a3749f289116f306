// SPDX-License-Identifier: Apache-2.0

import Encoding
import Testing

@testable import OpenIDProvider
@testable import BackendValues

@Suite struct IdentityTokenTests {
    /// Access token and code of the examples in OpenID Connect Core, appendices A.3 and A.4, with their hashes.
    @Test(arguments: [
        ("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", "77QmUPtjPfzWtF2AnpK9RQ"),
        ("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk", "LDktKdoQak3Pk0cnXxCltA"),
    ])
    func theHashOfATokenIsTheStandards(_ token: String, _ hash: String) {
        #expect(IdentityToken.hash(ofAccessToken: token) == hash)
    }

    /// The exact content that relying parties read.
    @Test(
        arguments: [
            ("n/1", ["openid"], "alice", "", ""), (nil, ["openid", "email"], "alice", "", ""),
            (nil, ["openid", "email"], "a@b.example", #""email":"a@b.example","email_verified":true,"#, ""),
            (
                "n/1", ["openid", "profile"], "a@b.example", "",
                #""name":"a@b.example","nonce":"n/1","preferred_username":"a@b.example","#
            ),
            (
                nil, ["openid", "email", "profile"], "alice", "",
                #""name":"alice","preferred_username":"alice","#
            ),
        ] as [(String?, Set<String>, String, String, String)])
    func aTokenOfALogin(
        _ nonce: String?, _ scopes: Set<String>, _ user: String, _ address: String, _ names: String
    ) async throws {
        let request = AuthorizationRequest(
            clientID: "c1", redirectURI: "https://app.example.com/back", scopes: scopes, state: nil, nonce: nonce,
            codeChallenge: nil)
        let token = IdentityToken(
            issuer: "https://login.example.com",
            grant: AuthorizationGrant(
                request: request, userID: user, authenticated: WallTime(seconds: 1_795_262_390)),
            scopes: scopes, accessToken: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y",
            issued: WallTime(milliseconds: 1_795_262_400_900), expires: WallTime(milliseconds: 1_795_262_700_900))
        let tokens = try ProviderUnderTest().provider.tokens
        let text = try await tokens.token(token)
        let parts = try text.split(separator: ".").prefix(2).map {
            String(decoding: try #require(Base64.bytes(urlText: String($0))), as: UTF8.self)
        }
        #expect(parts.first == #"{"alg":"RS256","kid":"\#(tokens.key.id)","typ":"JWT"}"#)
        let member = names.isEmpty ? nonce.map { "\"nonce\":\"\($0)\"," } ?? "" : names
        let claims = """
            {"amr":["pin","swk","mfa"],"at_hash":"77QmUPtjPfzWtF2AnpK9RQ","aud":"c1","auth_time":1795262390,\
            \(address)"exp":1795262700,"iat":1795262400,"iss":"https://login.example.com",\(member)"sub":"\(user)"}
            """
        #expect(parts.last == claims)
    }
}
