// SPDX-License-Identifier: Apache-2.0

/// An error that a client reads from the query of its redirect URI.
struct AuthorizationError: Sendable {
    /// RFC 6749, section 4.1.2.1, and OpenID Connect Core, section 3.1.2.6; the raw values are those of the wire.
    enum Code: String, Sendable {
        case invalidRequest = "invalid_request"
        case unsupportedResponseType = "unsupported_response_type"
        case invalidScope = "invalid_scope"
        case accessDenied = "access_denied"
        case loginRequired = "login_required"
        case requestNotSupported = "request_not_supported"
        case requestURINotSupported = "request_uri_not_supported"
        case registrationNotSupported = "registration_not_supported"
    }

    let code: Code
    let description: String
    let redirectURI: String
    let state: String?

    func location(issuer: String) -> String {
        AuthorizationRequest.location(
            redirectURI, [("error", code.rawValue), ("error_description", description)], state: state, issuer: issuer)
    }
}

/// Why a person is not asked to log in. RFC 6749, section 4.1.2.1.
enum AuthorizationRefusal: Error {
    /// Only the person is told: the client is unknown, or the address to go on at is not its own.
    case page(String)
    /// The client is told, by way of the browser.
    case redirect(AuthorizationError)
}
