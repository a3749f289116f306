// SPDX-License-Identifier: Apache-2.0

import OpenIDProvider

/// How people log in for applications that ask the place's OpenID provider: in a browser, by the code on its page, or
/// on the device by itself.
///
/// Browsers stay logged in here only where the operator wants it; every application has sessions of its own.
struct OpenIDLogin: Sendable {
    let provider: OpenIDProvider
    let mount: any SiteMount
    let projectID: String
    let browsers: BrowserSessions
    /// Where devices log in to applications; nil in dialects that have no codes for them.
    let gate: (any ApplicationGate)?
    let clock: any WallClock
    /// How long a browser stays logged in for further applications; zero where every request takes a PIN.
    let sessionLifetime: Duration
    let logins: any VolatileTable<OneTimeToken, BrowserLogin>
    // A restart forgets them: browsers begin anew.
    let pending: any VolatileTable<BrowserCookie, PendingAuthorization>

    /// `GET /authorize`: shows a code to log in with.
    /// - Parameter session: of the browser that is logged in for further applications.
    /// - Throws: `AuthorizationRefusal`; `Refusal` 429 and 503 when the address or all have begun too many.
    func begin(_ fields: FormFields, session: OneTimeToken?) async throws -> Beginning {
        let request = try await provider.request(fields, after: try await login(of: session))
        if let login = request.login {
            return .goOn(
                try await provider.grant(request, to: login.userID, authenticated: login.authenticated))
        }
        let cookie = try await browsers.newPage(for: request.application)
        try await keep(PendingAuthorization(request: request), for: cookie, of: .currentNewcomer)
        return .page(cookie, application: request.application)
    }

    /// How an authorization begins.
    enum Beginning: Sendable {
        /// With a page: the browser's cookie, and the name of the application; nil for the place's own web site.
        case page(BrowserCookie, application: String?)
        /// The browser goes back to the application at once: it was logged in before.
        case goOn(String)
    }

    private func login(of session: OneTimeToken?) async throws -> BrowserLogin? {
        guard let session, sessionLifetime > .zero else { return nil }
        return try await logins.value(for: session, now: clock.now)
    }

    /// The person wants to be asked by the next application.
    func endSession(_ session: OneTimeToken?) async throws {
        if let session { try await logins.take(session, now: clock.now) }
    }

    /// The code on a browser's page, as long as the browser means to log in.
    func attempt(of cookie: BrowserCookie?) async throws -> LoginAttempt? {
        guard let page = browsers.page(of: cookie), try await pending.value(for: page, now: clock.now) != nil else {
            return nil
        }
        return browsers.attempt(of: cookie)
    }

    /// Returns the state that the page polls. When the device is through, the browser moves to a new cookie.
    func state(of cookie: BrowserCookie?) async throws -> (cookie: BrowserCookie?, state: PageState) {
        guard let cookie, let page = browsers.page(of: cookie),
            let known = try await pending.polledEntry(for: page, now: clock.now, while: { $0 != nil })
        else { return (nil, .expired) }
        let (current, state) = try await browsers.state(of: cookie, for: known.value.request.application)
        if let current, current != cookie, case .authenticated(let user) = state,
            var moved = try await pending.take(page, now: clock.now)
        {
            moved.authenticated = clock.now
            try await keep(moved, for: current, of: .person(user))
        }
        return (current, state)
    }

    /// The device is through: the browser goes back to the application with a code.
    /// - Returns: where, and the session for further applications if there are such.
    /// - Throws: `Refusal` 400 for a browser that is not logged in, 503 when there is no room for the code: the browser
    ///   may ask again.
    func finish(_ cookie: BrowserCookie?) async throws -> (location: String, session: OneTimeToken?) {
        guard let cookie, let userID = try await browsers.user(of: cookie) else { throw Self.nobody }
        try browsers.requireRoom(in: provider.grantsName, for: userID)
        guard
            let done = try await pending.take(cookie, now: clock.now), let authenticated = done.authenticated
        else { throw Self.nobody }
        try await browsers.logOut(cookie)
        let location = try await provider.grant(done.request, to: userID, authenticated: authenticated)
        guard sessionLifetime > .zero else { return (location, nil) }
        let session = try OneTimeToken.random()
        do {
            try await logins.insert(
                BrowserLogin(userID: userID, authenticated: authenticated), for: session, of: .person(userID),
                expires: authenticated + sessionLifetime, now: clock.now)
        } catch {
            // Without room the next application takes a PIN; this login is done.
            return (location, nil)
        }
        return (location, session)
    }

    private static let nobody = Refusal(400, "Nobody is logged in here")

    /// The person does not want to log in.
    /// - Returns: where the browser goes on.
    /// - Throws: `Refusal` 400 for a browser that no application sent here.
    func cancel(_ cookie: BrowserCookie?) async throws -> String {
        guard let page = browsers.page(of: cookie), let request = try await pending.take(page, now: clock.now)?.request
        else {
            throw Refusal(400, "Nothing to cancel")
        }
        try await browsers.logOut(cookie)
        return try await provider.deny(request)
    }

    private func keep(
        _ authorization: PendingAuthorization, for cookie: BrowserCookie, of owner: EntryOwner
    ) async throws {
        let now = clock.now
        try await pending.insert(
            authorization, for: browsers.page(of: cookie) ?? cookie, of: owner,
            expires: now + AuthorizationRequest.lifetime, now: now)
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
        if try await isPage(fields, namesProject) { return try await gate.openSession(expecting: userID, for: nil) }
        let request = try await provider.applicationRequest(fields)
        let session = try await gate.openSession(expecting: userID, for: request.application)
        try await provider.expect(request, at: session.accessCode)
        return session
    }

    /// Pages of the platform's own clients want a session alone. They name the project, in the address or in a header,
    /// and repeat what their relying party told them: where it wants the browser to go on is for the browser, and
    /// nothing is redirected from here.
    private func isPage(_ fields: FormFields, _ namesProject: Bool) async throws -> Bool {
        guard let clientID = fields["client_id"] else { return namesProject }
        guard fields["response_type"] == "code" else { return false }
        if clientID == projectID { return true }
        let own = try await provider.ownClient
        guard namesProject, clientID == own.id, fields["code_challenge"] == nil,
            let redirectURI = fields["redirect_uri"]
        else { return false }
        return !own.redirectURIs.contains(redirectURI)
    }
}

/// A browser that shows the code of a client's request.
struct PendingAuthorization: Codable, Sendable {
    let request: AuthorizationRequest
    /// When the device was through; nil before.
    var authenticated: WallTime?
}

/// The clients that an operator has registered.
struct ClientRegistration: Sendable {
    /// Of relying parties that have the state directory's credentials.
    let redirectURIs: [String]
    /// Whether those relying parties need PKCE, too.
    let requiresProofKeys: Bool
    /// How long access and ID tokens count.
    let tokenLifetime: Duration
    /// The same of refresh tokens; zero where there are none.
    let refreshLifetime: Duration
    /// How long a browser stays logged in for further applications; zero where every request takes a PIN.
    let sessionLifetime: Duration
    let publicClients: [OpenIDClient]
}

/// Where devices log their users in to applications.
protocol ApplicationGate: Sendable {
    var applicationLogins: ApplicationLogins { get }
    /// Opens the session of an authorization URL.
    /// - Parameters:
    ///   - userID: whom the application expects; empty for any user.
    ///   - application: names it to the device; nil for the place's own web site.
    func openSession(expecting userID: String, for application: String?) async throws -> OpenedSession
}
