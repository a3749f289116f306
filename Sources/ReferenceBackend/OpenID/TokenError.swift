// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// What a client is refused with at the token endpoint (RFC 6749, section 5.2) and where it asks about a user (RFC
/// 6750, section 3).
struct TokenError: Error {
    /// The raw values are those of the wire.
    enum Code: String, Sendable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case unsupportedGrantType = "unsupported_grant_type"
        case invalidToken = "invalid_token"
    }

    /// Nil for a request that carries no proof at all: it is told how to bring one, and of no error (RFC 6750,
    /// section 3.1).
    let code: Code?
    let description: String
    /// The scheme that the client should have used, for the `WWW-Authenticate` of a 401.
    var challenge: String?

    static let unauthenticated = TokenError(nil, "", challenge: "Bearer")

    init(_ code: Code?, _ description: String, challenge: String? = nil) {
        self.code = code
        self.description = description
        self.challenge = challenge
    }

    var response: Response {
        var headers = HTTPFields()
        if let challenge { headers[.wwwAuthenticate] = challenge }
        guard let code else { return Response(status: .unauthorized, headers: headers) }
        let isUnauthorized = code == .invalidClient || code == .invalidToken
        return Response.json(
            ["error": .string(code.rawValue), "error_description": .string(description)],
            status: isUnauthorized ? .unauthorized : .badRequest, headers: headers)
    }
}
