// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// What applications ask for, and what becomes of it. OpenID Connect Core, section 3.1.2.
extension OpenIDProvider {
    /// `GET /authorize`: what a browser brought.
    /// - Throws: `AuthorizationRefusal`.
    package func request(_ fields: FormFields) async throws -> AuthorizationRequest {
        try AuthorizationRequest(fields, of: try await clients)
    }

    /// The person has logged in: the browser goes back to the application with a code.
    /// - Parameter authenticated: when the PIN was right.
    /// - Returns: where.
    package func grant(
        _ request: AuthorizationRequest, to userID: String, authenticated: WallTime
    ) async throws -> String {
        let code = try OneTimeToken.random()
        let now = clock.now
        try await grants.insert(
            AuthorizationGrant(request: request, userID: userID, authenticated: authenticated), for: code,
            of: .person(userID), expires: now + AuthorizationGrant.lifetime, now: now)
        return request.location([("code", code.hex)], issuer: try await issuer())
    }

    /// The person does not want to log in.
    /// - Returns: where the browser goes on.
    package func deny(_ request: AuthorizationRequest) async throws -> String {
        let error = AuthorizationError(
            code: .accessDenied, description: "the person did not log in", redirectURI: request.redirectURI,
            state: request.state)
        return error.location(issuer: try await issuer())
    }

    /// The authorization URL of an application on a device, which gets its code from the device itself.
    /// - Throws: `Refusal` 400 for a request that is none.
    package func applicationRequest(_ fields: FormFields) async throws -> AuthorizationRequest {
        try AuthorizationRequest(application: fields, of: try await clients)
    }

    /// A login in the session of `accessCode` will be for `request`.
    /// - Throws: `Refusal` 429 and 503 when the address or all have begun too many.
    package func expect(_ request: AuthorizationRequest, at accessCode: String) async throws {
        let now = clock.now
        try await applicationRequests.insert(
            request, for: accessCode, of: .currentNewcomer, expires: now + AuthorizationRequest.lifetime, now: now)
    }
}
