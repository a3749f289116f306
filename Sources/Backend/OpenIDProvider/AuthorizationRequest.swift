// SPDX-License-Identifier: Apache-2.0

import BackendValues

/// A client's request for a person's login. OpenID Connect Core, section 3.1.2.1.
package struct AuthorizationRequest: Codable, Sendable {
    /// The time that it waits for a login.
    package static let lifetime = Duration.seconds(600)

    let clientID: String
    let redirectURI: String
    let scopes: Set<String>
    let state: String?
    var nonce: String?
    /// Nil when the code does not travel through a browser.
    let codeChallenge: String?
    /// The way in which the browser delivers the answer; nil for the query, as in requests that an earlier version
    /// stored.
    var mode: AuthorizationAnswer.Mode?
    /// Names the application to the person who is asked; nil for the endpoint's own web site.
    package internal(set) var application: String?
    /// The browser's earlier login, if it satisfies this request.
    package internal(set) var login: BrowserLogin?

    func answer(_ fields: [(name: String, value: String)], issuer: String) -> AuthorizationAnswer {
        AuthorizationAnswer(fields, to: redirectURI, mode ?? .query, state: state, issuer: issuer)
    }
}

/// The login behind a code.
struct AuthorizationGrant: Codable, Sendable {
    static let lifetime = Duration.seconds(60)

    var request: AuthorizationRequest
    let userID: String
    /// The time when the PIN was verified.
    let authenticated: WallTime
    /// The code that a refresh token came from, by which its tokens are found; nil in those that an earlier version has
    /// stored.
    var code: OneTimeToken?
}

/// The tokens that a used code gave, at once or by refreshing.
struct TokensOfCode: Codable, Sendable {
    var access: [OneTimeToken] = []
    var refresh: OneTimeToken?
    /// Whether the code was used again: further tokens are invalid, too.
    var isEnded = false
}

/// The right of an access token: to ask who its user is.
struct AccessGrant: Codable, Sendable {
    let userID: String
    let scopes: Set<String>
    /// The application that got it; nil in grants of earlier versions.
    var clientID: String?
    /// The refresh token of the same login. The right ends with it.
    var refreshToken: OneTimeToken?
}
