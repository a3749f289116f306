// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import HTTPTypes
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// An application that is a client of a place's provider, written for these tests from the standards.
struct OpenIDApplication: Sendable {
    static let redirectURI = "https://app.example.com/back?x=1"
    static let publicID = "a-phone-app"
    /// The example of RFC 7636, appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    let place: RunningBackend
    let clientID: String
    /// Nil for a public client.
    let secret: String?

    /// Runs `body` with an application that has the state directory's credentials.
    static func with<Value: Sendable>(
        _ dialect: Dialect = .trust2025, isPublic: Bool = false,
        _ body: @escaping @Sendable (OpenIDApplication) async throws -> Value
    ) async throws -> Value {
        try await AnyDevice.withPlace(
            dialect,
            options: ["--redirect-uri", redirectURI, "--public-client", "\(publicID)=\(redirectURI)"]
        ) { place in
            let file = JSONObject(body: try #require(try StateDirectory.read(place.state.path + "/relying-party")))
            let secret = isPublic ? nil : file?.string("client_secret")
            let id = isPublic ? publicID : try #require(file?.string("client_id"))
            return try await body(OpenIDApplication(place: place, clientID: id, secret: secret))
        }
    }

    /// The fields of a valid request.
    var request: [(name: String, value: String)] {
        [
            ("client_id", clientID), ("redirect_uri", Self.redirectURI), ("response_type", "code"),
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
    static func answer(_ reply: Reply) throws -> FormFields {
        try #require(reply.status == 303)
        let location = try #require(reply.headers[.location])
        try #require(location.hasPrefix(redirectURI + "&"))
        return try #require(FormFields(location.dropFirst(redirectURI.count + 1)))
    }

    /// Does a login in a browser and returns the provider's answer.
    func logIn(_ device: AnyDevice, request: [(name: String, value: String)]? = nil) async throws -> FormFields {
        let browser = Browser(place)
        let page = try await browser.get("/authorize?" + FormFields.text(request ?? self.request))
        try #require(page.status == 200)
        let code = try await browser.authorizationCode(below: place.base)
        async let last = device.logIn(code)
        _ = try await browser.waitForLogin(browser.authorization("session"))
        try #require(try await last == 200)
        return try Self.answer(try await browser.get(browser.authorization("done")))
    }

    enum Method: Sendable { case basic, post, none }

    /// Exchanges a code for tokens.
    func redeem(
        _ code: String, by method: Method? = nil, _ changes: [String: String?] = [:]
    ) async throws -> Reply {
        var fields: [String: String?] = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirectURI,
            "code_verifier": Self.verifier,
        ]
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        switch method ?? (secret == nil ? Method.none : .basic) {
        case .basic:
            headers[.authorization] = "Basic " + Base64.text(Array((clientID + ":" + (secret ?? "")).utf8))
        case .post: (fields["client_id"], fields["client_secret"]) = (clientID, secret)
        case .none: fields["client_id"] = clientID
        }
        for (name, value) in changes { fields[name] = .some(value) }
        let form = FormFields.text(fields.compactMap { name, value in value.map { (name, $0) } })
        return try await place.client.send(.post, "/oidc/token", body: Array(form.utf8), headers: headers)
    }

    func userInfo(form: [(name: String, value: String)], headers: HTTPFields = [:]) async throws -> Reply {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await place.client.send(
            .post, "/oidc/userinfo", body: Array(FormFields.text(form).utf8), headers: headers)
    }

    func userInfo(_ accessToken: String, _ method: HTTPRequest.Method = .get) async throws -> Reply {
        try await place.client.send(method, "/oidc/userinfo", headers: [.authorization: "Bearer " + accessToken])
    }
}
