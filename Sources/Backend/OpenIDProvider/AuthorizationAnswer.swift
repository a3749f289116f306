// SPDX-License-Identifier: Apache-2.0

import Encoding

/// The answer to an authorization request, which the browser delivers to the application.
package struct AuthorizationAnswer: Sendable {
    /// The way in which the browser delivers the answer. The raw values are those on the wire.
    package enum Mode: String, Codable, CaseIterable, Sendable {
        /// The answer is in the query of the redirect URI.
        case query
        /// The answer is in a form that the browser posts (OAuth 2.0 Form Post Response Mode).
        case formPost = "form_post"
    }

    package let mode: Mode
    package let redirectURI: String
    package let fields: [(name: String, value: String)]

    /// The answer names the issuer, so that a client of several providers cannot mix them up (RFC 9207).
    init(
        _ fields: [(name: String, value: String)], to redirectURI: String, _ mode: Mode, state: String?, issuer: String
    ) {
        self.mode = mode
        self.redirectURI = redirectURI
        self.fields = fields + (state.map { [("state", $0)] } ?? []) + [("iss", issuer)]
    }

    /// The address that a browser is redirected to with the mode ``Mode/query``.
    package var location: String {
        redirectURI + (redirectURI.contains("?") ? "&" : "?") + FormFields.text(fields)
    }

    /// The source expression by which a page allows its forms this redirect URI alone (Content Security Policy Level 3,
    /// section 2.3.1). It has no query, and cannot name an IPv6 address.
    package var formSource: String {
        guard !OpenIDClient.host(of: redirectURI).contains("[") else {
            return redirectURI.prefix { $0 != ":" } + ":"
        }
        return String(redirectURI.prefix { $0 != "?" }).replacing(";", with: "%3B").replacing(",", with: "%2C")
    }
}
