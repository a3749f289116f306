// SPDX-License-Identifier: Apache-2.0

/// Browsers that applications send here. OpenID Connect Core, section 3.1.2.
extension OpenIDProvider {
    /// `GET /authorize`: shows a code to log in with.
    /// - Returns: the browser's cookie.
    /// - Throws: `AuthorizationRefusal`; `Refusal` 429 and 503 when the address or all have begun too many.
    func begin(_ fields: FormFields) async throws -> BrowserCookie {
        let request = try AuthorizationRequest(fields, of: try await clients)
        let (cookie, _) = try await login.visit(nil)
        try await keep(PendingAuthorization(request: request), for: cookie, of: .currentNewcomer)
        return cookie
    }

    /// The code on a browser's page, as long as the browser means to log in.
    func attempt(of cookie: BrowserCookie?) async throws -> LoginAttempt? {
        guard let cookie, try await pending.value(for: cookie, now: clock.now) != nil else { return nil }
        return login.attempt(of: cookie)
    }

    /// What the page polls. When the device is through, the browser moves to a new cookie.
    func state(of cookie: BrowserCookie?) async throws -> (cookie: BrowserCookie?, state: PageState) {
        guard let cookie, try await pending.value(for: cookie, now: clock.now) != nil else { return (nil, .expired) }
        let (current, state) = try await login.state(of: cookie)
        if let current, current != cookie, case .authenticated(let user) = state,
            var moved = try await pending.take(cookie, now: clock.now)
        {
            moved.authenticated = clock.now
            try await keep(moved, for: current, of: .person(user))
        }
        return (current, state)
    }

    /// The device is through: the browser goes back to the application with a code.
    /// - Returns: where.
    /// - Throws: `Refusal` 400 for a browser that is not logged in.
    func finish(_ cookie: BrowserCookie?) async throws -> String {
        guard let cookie, let userID = try await login.user(of: cookie),
            let done = try await pending.take(cookie, now: clock.now), let authenticated = done.authenticated
        else { throw Refusal(400, "Nobody is logged in here") }
        try await login.logOut(cookie)
        let code = try OneTimeToken.random()
        let now = clock.now
        try await grants.insert(
            AuthorizationGrant(request: done.request, userID: userID, authenticated: authenticated), for: code,
            of: .person(userID), expires: now + AuthorizationGrant.lifetime, now: now)
        return done.request.location([("code", code.hex)], issuer: try await mount.url)
    }

    /// The person does not want to log in.
    /// - Returns: where the browser goes on.
    /// - Throws: `Refusal` 400 for a browser that no application sent here.
    func cancel(_ cookie: BrowserCookie?) async throws -> String {
        guard let cookie, let request = try await pending.take(cookie, now: clock.now)?.request else {
            throw Refusal(400, "Nothing to cancel")
        }
        try await login.logOut(cookie)
        let error = AuthorizationError(
            code: .accessDenied, description: "the person did not log in", redirectURI: request.redirectURI,
            state: request.state)
        return error.location(issuer: try await mount.url)
    }

    private func keep(
        _ authorization: PendingAuthorization, for cookie: BrowserCookie, of owner: EntryOwner
    ) async throws {
        let now = clock.now
        try await pending.insert(
            authorization, for: cookie, of: owner, expires: now + PendingAuthorization.lifetime, now: now)
    }

    /// `POST /authorize` with an authorization URL: a device gets an access code for its own application.
    /// MIRACL protocol, section 6.3.
    /// - Parameters:
    ///   - userID: whom the application expects.
    ///   - namesProject: whether the request's header names the project.
    /// - Throws: `Refusal` 400 for a request that is none, 404 where devices have no such logins.
    func openApplicationSession(
        _ fields: FormFields, expecting userID: String, namesProject: Bool
    ) async throws -> OpenedSession {
        guard let gate else { throw Refusal.notFound }
        if try await isPage(fields, namesProject) { return try await gate.openSession(expecting: userID) }
        let request = try AuthorizationRequest(application: fields, of: try await clients)
        let session = try await gate.openSession(expecting: userID)
        let now = clock.now
        try await applicationRequests.insert(
            request, for: session.accessCode, of: .currentNewcomer, expires: now + PendingAuthorization.lifetime,
            now: now)
        return session
    }

    /// Pages of the platform's own clients want a session alone. They name the project, in the address or in a header,
    /// and repeat what their relying party told them: where it wants the browser to go on is for the browser, and
    /// nothing is redirected from here.
    private func isPage(_ fields: FormFields, _ namesProject: Bool) async throws -> Bool {
        guard let clientID = fields["client_id"] else { return namesProject }
        guard fields["response_type"] == "code" else { return false }
        if clientID == projectID { return true }
        guard namesProject, clientID == credentials.clientID, fields["code_challenge"] == nil,
            let redirectURI = fields["redirect_uri"]
        else { return false }
        return try await !ownClient.redirectURIs.contains(redirectURI)
    }
}
