// SPDX-License-Identifier: Apache-2.0

import BackendValues

/// What a client asks a person's login for. OpenID Connect Core, section 3.1.2.1.
package struct AuthorizationRequest: Codable, Sendable {
    /// How long it waits for a login.
    package static let lifetime = Duration.seconds(600)

    let clientID: String
    let redirectURI: String
    let scopes: Set<String>
    let state: String?
    let nonce: String?
    /// Nil where the code does not travel through a browser.
    let codeChallenge: String?

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

    let request: AuthorizationRequest
    let userID: String
    /// When the PIN was right.
    let authenticated: WallTime
}

/// What an access token allows: to ask who its user is.
struct AccessGrant: Codable, Sendable {
    static let lifetime = Duration.seconds(300)

    let userID: String
    let scopes: Set<String>
}
