// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// An application that is a client of an endpoint's provider, written for these tests from the standards.
struct OpenIDApplication: Sendable {
    static let redirectURI = "https://app.example.com/back?x=1"
    static let publicID = "a-phone-app"
    /// The example of RFC 7636, appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    let endpoint: RunningBackend
    let clientID: String
    /// Nil for a public client.
    let secret: String?
    var redirectURI = Self.redirectURI

    /// Runs `body` with an application that has the state directory's credentials.
    static func with<Value: Sendable>(
        _ dialect: Dialect = .trust2025, isPublic: Bool = false,
        _ body: @escaping @Sendable (OpenIDApplication) async throws -> Value
    ) async throws -> Value {
        try await Device.withEndpoint(
            dialect,
            options: ["--redirect-uri", redirectURI, "--public-client", "\(publicID)=\(redirectURI)"]
        ) { endpoint in
            let file = JSONObject(body: try #require(try StateDirectory.read(endpoint.state.path + "/relying-party")))
            let secret = isPublic ? nil : file?.string("client_secret")
            let id = isPublic ? publicID : try #require(file?.string("client_id"))
            return try await body(OpenIDApplication(endpoint: endpoint, clientID: id, secret: secret))
        }
    }

    /// The application that an operator adds to a running backend.
    static func added(
        to endpoint: RunningBackend, name: String = "Time <sheets>",
        at redirectURIs: [String] = ["https://time.example.com/back"], after postLogoutURIs: [String] = [],
        isPublic: Bool = false
    ) async throws -> OpenIDApplication {
        let state = try BackendState(directory: endpoint.state.path, clock: endpoint.clock)
        let (application, secret) = try await state.addApplication(
            name: name, redirectURIs: redirectURIs, postLogoutURIs: postLogoutURIs, isPublic: isPublic)
        return OpenIDApplication(
            endpoint: endpoint, clientID: application.id, secret: secret, redirectURI: redirectURIs[0])
    }

    /// The path of a request with changed fields, at which a browser begins a login.
    func path(_ changes: [String: String?] = [:]) -> String { "/authorize?" + FormFields.text(request(changes)) }

    /// The fields of a valid request.
    var request: [(name: String, value: String)] {
        [
            ("client_id", clientID), ("redirect_uri", redirectURI), ("response_type", "code"),
            ("scope", "openid email"), ("state", "s &t"), ("nonce", "n-0S6_WzA2Mj"),
            ("code_challenge", Self.challenge), ("code_challenge_method", "S256"),
        ]
    }

    /// The request with changed fields. A field without a value is left out.
    func request(_ changes: [String: String?]) -> [(name: String, value: String)] {
        let kept = request.compactMap { field -> (name: String, value: String)? in
            guard let change = changes[field.name] else { return field }
            return change.map { (field.name, $0) }
        }
        let names = Set(request.map(\.name))
        return kept + changes.filter { !names.contains($0.key) }.compactMap { name, value in value.map { (name, $0) } }
    }

    /// The fields that the provider adds to the redirect URI.
    func answer(_ reply: Reply) throws -> FormFields {
        try #require(reply.status == 303)
        let location = try #require(reply.headers[.location])
        try #require(location.hasPrefix(redirectURI + (redirectURI.contains("?") ? "&" : "?")))
        return try #require(FormFields(location.dropFirst(redirectURI.count + 1)))
    }

    /// Does a login in a browser and returns the provider's answer.
    func logIn(
        _ device: Device, in opened: Browser? = nil, _ changes: [String: String?] = [:]
    ) async throws -> FormFields {
        let browser = opened ?? Browser(endpoint)
        try #require(try await browser.get(path(changes)).status == 200)
        try await device.logInToApplication(browser, at: endpoint.base)
        return try answer(try await browser.get(browser.authorization("done")))
    }

    enum Method: Sendable { case basic, post, none }

    /// Exchanges a code for tokens.
    func redeem(
        _ code: String, by method: Method? = nil, _ changes: [String: String?] = [:]
    ) async throws -> Reply {
        var fields: [String: String?] = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI,
            "code_verifier": Self.verifier,
        ]
        var headers: HTTPFields = [:]
        switch method ?? (secret == nil ? Method.none : .basic) {
        case .basic:
            headers[.authorization] = "Basic " + Base64.text(Array((clientID + ":" + (secret ?? "")).utf8))
        case .post: (fields["client_id"], fields["client_secret"]) = (clientID, secret)
        case .none: fields["client_id"] = clientID
        }
        for (name, value) in changes { fields[name] = .some(value) }
        let form = fields.compactMap { name, value in value.map { (name: name, value: $0) } }
        return try await endpoint.client.submit("/oidc/token", form, headers: headers)
    }

    /// Exchanges a refresh token for others.
    func refresh(_ token: String) async throws -> Reply {
        try await redeem(
            "",
            [
                "grant_type": "refresh_token", "refresh_token": token, "code": nil, "redirect_uri": nil,
                "code_verifier": nil,
            ])
    }

    func userInfo(form: [(name: String, value: String)], headers: HTTPFields = [:]) async throws -> Reply {
        try await endpoint.client.submit("/oidc/userinfo", form, headers: headers)
    }

    func userInfo(_ accessToken: String, _ method: HTTPRequest.Method = .get) async throws -> Reply {
        try await endpoint.client.send(method, "/oidc/userinfo", headers: [.authorization: "Bearer " + accessToken])
    }
}
