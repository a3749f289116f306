// SPDX-License-Identifier: Apache-2.0

/// An error that the browser delivers to the client.
package struct AuthorizationError: Sendable {
    /// RFC 6749, section 4.1.2.1, and OpenID Connect Core, section 3.1.2.6. The raw values are those on the wire.
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
    package let description: String
    let redirectURI: String
    let state: String?
    let mode: AuthorizationAnswer.Mode

    /// Whether somebody has to change the application.
    package var isFault: Bool { code != .loginRequired && code != .accessDenied }

    package func answer(issuer: String) -> AuthorizationAnswer {
        AuthorizationAnswer(
            [("error", code.rawValue), ("error_description", description)], to: redirectURI, mode, state: state,
            issuer: issuer)
    }
}

/// The reason why a person is not asked to log in. RFC 6749, section 4.1.2.1.
package enum AuthorizationRefusal: Error {
    package enum Reason: Sendable {
        case unknownApplication(SentField)
        /// The redirect URI is missing, or not the application's own.
        case redirectURI(SentField, of: OpenIDClient)
        /// The query cannot be read.
        case brokenAddress
    }

    /// Only the person is told: the client is unknown, or the redirect URI is not its own.
    case page(Reason)
    /// The browser is redirected to the client with the error.
    case redirect(AuthorizationError)
}

extension AuthorizationRequest {
    func error(_ code: AuthorizationError.Code, _ description: String) -> AuthorizationError {
        AuthorizationError(
            code: code, description: description, redirectURI: redirectURI, state: state, mode: mode ?? .query)
    }
}
