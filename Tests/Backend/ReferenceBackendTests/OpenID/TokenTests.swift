// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import HTTPTypes
import Testing

@testable import MPinServer
@testable import OpenIDProvider
@testable import ReferenceBackend

/// Exchanging codes for tokens. RFC 6749, sections 4.1.3 and 5; RFC 7636, section 4.6; OpenID Connect Core, sections
/// 2, 3.1.3 and 5.3.
@Suite struct TokenTests {
    @Test(arguments: [OpenIDApplication.Method.basic, .post, .none])
    func aCodeTellsWhoLoggedIn(_ method: OpenIDApplication.Method) async throws {
        try await OpenIDApplication.with(isPublic: method == .none) { application in
            let device = try await Device.registered(.trust2025, at: application.endpoint)
            let time = application.endpoint.clock.now.seconds
            let answer = try await application.logIn(device)
            #expect(answer["state"] == "s &t" && answer["iss"] == application.endpoint.url)
            application.endpoint.clock.advance(by: .seconds(59))
            let reply = try await application.redeem(try #require(answer["code"]), by: method)
            #expect(reply.status == 200 && reply.headers[.cacheControl] == "no-store")
            #expect(reply.object.string("token_type") == "Bearer" && reply.object.integer("expires_in") == 3600)
            #expect(reply.object.string("scope") == "email openid")
            let accessToken = try #require(reply.object.string("access_token"))
            let keys = try await application.endpoint.client.get("/oidc/certs").object
            let claims = try SignedToken(try #require(reply.object.string("id_token"))).claims(checkedWith: keys)
            #expect(claims.string("iss") == application.endpoint.url && claims.string("aud") == application.clientID)
            #expect(claims.string("sub") == Device.userID && claims.string("nonce") == "n-0S6_WzA2Mj")
            #expect(claims.integer("auth_time") == time && claims.integer("iat") == time + 59)
            #expect(claims.integer("exp") == time + 59 + 3600)
            #expect(claims.members["amr"] == .array(["pin", "swk", "mfa"]))
            #expect(claims.string("email") == Device.userID && claims.members["email_verified"] == true)
            #expect(claims.string("name") == nil && claims.string("preferred_username") == nil)
            #expect(claims.string("at_hash") == IdentityToken.hash(ofAccessToken: accessToken))

            for method in [HTTPRequest.Method.get, .post] {
                let info = try await application.userInfo(accessToken, method)
                #expect(
                    info.object.members == [
                        "sub": .string(Device.userID), "email": .string(Device.userID), "email_verified": true,
                    ])
            }
            let inForm = try await application.userInfo(form: [("access_token", accessToken)])
            #expect(inForm.object.string("sub") == Device.userID)
            let two = try await application.userInfo(
                form: [("access_token", accessToken)], headers: [.authorization: "Bearer " + accessToken])
            #expect(two.status == 400 && two.object.string("error") == "invalid_request")
            let wrong = try await application.userInfo(form: [("access_token", "x")])
            #expect(wrong.status == 401 && wrong.headers[.wwwAuthenticate] == "Bearer error=\"invalid_token\"")
            application.endpoint.clock.advance(by: .seconds(3600))
            let late = try await application.userInfo(accessToken)
            #expect(late.status == 401 && late.headers[.wwwAuthenticate] == "Bearer error=\"invalid_token\"")
            // A request without a token gets no error code.
            for none in [
                try await application.endpoint.client.get("/oidc/userinfo"), try await application.userInfo(form: []),
                try await application.userInfo(form: [("x", "y")]),
            ] {
                #expect(none.status == 401 && none.headers[.wwwAuthenticate] == "Bearer" && none.body.isEmpty)
            }
        }
    }

    /// RFC 6749, section 5.2.
    @Test func malformedRequestsAreTold() async throws {
        try await OpenIDApplication.with { application in
            let unknown = String(repeating: "0", count: 32)
            let cases: [([String: String?], String)] = [
                (["grant_type": nil], "invalid_request"), (["grant_type": "password"], "unsupported_grant_type"),
                (["code": nil], "invalid_request"), (["code": "x"], "invalid_grant"), ([:], "invalid_grant"),
                (["client_secret": "x"], "invalid_request"), (["client_id": "x"], "invalid_request"),
            ]
            for (changes, error) in cases {
                let reply = try await application.redeem(unknown, changes)
                #expect(reply.status == 400 && reply.object.string("error") == error, "\(changes)")
            }
            let twice =
                "grant_type=authorization_code&code=\(unknown)&code=\(unknown)&client_id=\(OpenIDApplication.publicID)"
            for body in [twice, "%zz"] {
                let reply = try await application.endpoint.client.send(.post, "/oidc/token", body: Array(body.utf8))
                #expect(reply.status == 400 && reply.object.string("error") == "invalid_request")
            }
        }
    }

    @Test func aClientProvesWhoItIs() async throws {
        try await OpenIDApplication.with { application in
            let unknown = String(repeating: "0", count: 32)
            for (id, secret, method) in [
                (application.clientID, "wrong", OpenIDApplication.Method.basic), (application.clientID, "wrong", .post),
                (application.clientID, nil, .none), ("somebody", "x", .basic), ("somebody", nil, .none),
                (OpenIDApplication.publicID, "x", .basic), (OpenIDApplication.publicID, "x", .post),
            ] {
                let client = OpenIDApplication(endpoint: application.endpoint, clientID: id, secret: secret)
                let reply = try await client.redeem(unknown, by: method)
                #expect(reply.status == 401 && reply.object.string("error") == "invalid_client")
                #expect(reply.headers[.wwwAuthenticate] == "Basic realm=\"token\"")
            }
            let bearer = try await application.endpoint.client.send(
                .post, "/oidc/token", body: Array("grant_type=authorization_code".utf8),
                headers: [.authorization: "Bearer x"])
            #expect(bearer.status == 401)
        }
    }

    @Test(arguments: Dialect.allCases)
    func theProviderDescribesItself(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            let metadata = try await endpoint.client.get("/.well-known/openid-configuration").object
            #expect(metadata.string("issuer") == endpoint.url)
            #expect(metadata.string("authorization_endpoint") == endpoint.url + "/authorize")
            #expect(metadata.members["code_challenge_methods_supported"] == .array(["S256"]))
            #expect(metadata.members["response_types_supported"] == .array(["code"]))
            for name in ["jwks_uri", "userinfo_endpoint"] {
                let path = try #require(metadata.string(name)).dropFirst(endpoint.url.count)
                #expect(try await endpoint.client.get(String(path)).status == (name == "jwks_uri" ? 200 : 401))
            }
            let other = try await endpoint.client.get("/oidc/token")
            #expect(other.status == 405 && other.headers[.allow] == "POST, OPTIONS")
            #expect(try await endpoint.client.get("/oidc/certs").headers[.cacheControl] == "public, max-age=300")
        }
    }
}
