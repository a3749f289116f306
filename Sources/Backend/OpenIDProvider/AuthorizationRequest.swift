// SPDX-License-Identifier: Apache-2.0

import BackendValues

/// A client's request for a person's login. OpenID Connect Core, section 3.1.2.1.
package struct AuthorizationRequest: Codable, Sendable {
    /// How long it waits for a login.
    package static let lifetime = Duration.seconds(600)

    let clientID: String
    let redirectURI: String
    let scopes: Set<String>
    let state: String?
    var nonce: String?
    /// Nil where the code does not travel through a browser.
    let codeChallenge: String?
    /// Names the application to the person who is asked; nil for the place's own web site.
    package internal(set) var application: String?
    /// The login that the browser has behind it, if that does for this request.
    package internal(set) var login: BrowserLogin?

    /// Where the browser goes on.
    func location(_ fields: [(name: String, value: String)], issuer: String) -> String {
        Self.location(redirectURI, fields, state: state, issuer: issuer)
    }

    /// With the issuer, so that a client of several cannot mix them up (RFC 9207).
    static func location(
        _ redirectURI: String, _ fields: [(name: String, value: String)], state: String?, issuer: String
    ) -> String {
        let all = fields + (state.map { [("state", $0)] } ?? []) + [("iss", issuer)]
        return redirectURI + (redirectURI.contains("?") ? "&" : "?") + FormFields.text(all)
    }
}

/// A login that a code stands for.
struct AuthorizationGrant: Codable, Sendable {
    static let lifetime = Duration.seconds(60)

    var request: AuthorizationRequest
    let userID: String
    /// When the PIN was right.
    let authenticated: WallTime
}

/// The permission that an access token gives: to ask who its user is.
struct AccessGrant: Codable, Sendable {
    let userID: String
    let scopes: Set<String>
}
