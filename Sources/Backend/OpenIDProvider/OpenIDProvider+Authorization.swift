// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Encoding

/// Reads and answers the requests of applications. OpenID Connect Core, section 3.1.2.
extension OpenIDProvider {
    /// `GET /authorize`: reads the request that a browser brought.
    /// - Parameter login: the browser's earlier login, if any.
    /// - Throws: `AuthorizationRefusal`.
    package func request(_ fields: FormFields, after login: BrowserLogin? = nil) async throws -> AuthorizationRequest {
        let client = try await client(fields["client_id"])
        var request = try await labelled(try AuthorizationRequest(fields, of: client), client)
        let wishes = LoginWishes(fields.withoutEmptyValues)
        if let login, try await mayReuse(login, for: wishes) {
            request.login = login
        } else if wishes.allowsNoPage {
            throw AuthorizationRefusal.redirect(request.error(.loginRequired, "the person has to log in"))
        }
        return request
    }

    /// Makes a code after the person has logged in.
    /// - Parameter authenticated: the time when the PIN was verified.
    /// - Returns: the answer with the code.
    package func grant(
        _ request: AuthorizationRequest, to userID: String, authenticated: WallTime
    ) async throws -> AuthorizationAnswer {
        let code = try OneTimeToken.random()
        let now = clock.now
        try await grants.insert(
            AuthorizationGrant(request: request, userID: userID, authenticated: authenticated), for: code,
            of: .person(userID), expires: now + AuthorizationGrant.lifetime, now: now)
        return request.answer([("code", code.hex)], issuer: try await issuer())
    }

    /// Ends the request because the person does not want to log in.
    package func deny(_ request: AuthorizationRequest) async throws -> AuthorizationAnswer {
        request.error(.accessDenied, "the person did not log in").answer(issuer: try await issuer())
    }

    /// Reads the authorization URL of an application on a device, which gets its code from the device itself.
    /// - Throws: `Refusal` 400 for an invalid request.
    package func applicationRequest(_ fields: FormFields) async throws -> AuthorizationRequest {
        let client = try await client(fields["client_id"])
        return try await labelled(try AuthorizationRequest(application: fields, of: client), client)
    }

    private func labelled(
        _ request: AuthorizationRequest, _ client: OpenIDClient?
    ) async throws -> AuthorizationRequest {
        guard let client else { return request }
        var request = request
        request.application = try await label(of: client, redirectURI: request.redirectURI)
        return request
    }

    /// Ties the login in the session of `accessCode` to `request`.
    /// - Throws: `Refusal` 429 and 503 when the address, or all together, have begun too many.
    package func expect(_ request: AuthorizationRequest, at accessCode: String) async throws {
        let now = clock.now
        try await applicationRequests.insert(
            request, for: accessCode, of: .currentNewcomer, expires: now + AuthorizationRequest.lifetime, now: now)
    }
}
