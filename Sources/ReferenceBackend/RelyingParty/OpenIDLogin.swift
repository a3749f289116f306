// SPDX-License-Identifier: Apache-2.0

import OpenIDProvider

/// How people log in for applications that ask the place's OpenID provider: in a browser, by the code on its page, or
/// on the device by itself.
///
/// Browsers do not stay logged in here: every request takes a PIN, and every application has sessions of its own.
struct OpenIDLogin: Sendable {
    let provider: OpenIDProvider
    let mount: any SiteMount
    let projectID: String
    let browsers: BrowserSessions
    /// Where devices log in to applications; nil in dialects that have no codes for them.
    let gate: (any ApplicationGate)?
    let clock: any WallClock
    // A restart forgets them: browsers begin anew.
    let pending: any VolatileTable<BrowserCookie, PendingAuthorization>

    /// `GET /authorize`: shows a code to log in with.
    /// - Returns: the browser's cookie.
    /// - Throws: `AuthorizationRefusal`; `Refusal` 429 and 503 when the address or all have begun too many.
    func begin(_ fields: FormFields) async throws -> BrowserCookie {
        let request = try await provider.request(fields)
        let (cookie, _) = try await browsers.visit(nil)
        try await keep(PendingAuthorization(request: request), for: cookie, of: .currentNewcomer)
        return cookie
    }

    /// The code on a browser's page, as long as the browser means to log in.
    func attempt(of cookie: BrowserCookie?) async throws -> LoginAttempt? {
        guard let cookie, try await pending.value(for: cookie, now: clock.now) != nil else { return nil }
        return browsers.attempt(of: cookie)
    }

    /// What the page polls. When the device is through, the browser moves to a new cookie.
    func state(of cookie: BrowserCookie?) async throws -> (cookie: BrowserCookie?, state: PageState) {
        guard let cookie,
            try await pending.polledEntry(for: cookie, now: clock.now, while: { $0 != nil }) != nil
        else { return (nil, .expired) }
        let (current, state) = try await browsers.state(of: cookie)
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
    /// - Throws: `Refusal` 400 for a browser that is not logged in, 503 when there is no room for the code: the browser
    ///   may ask again.
    func finish(_ cookie: BrowserCookie?) async throws -> String {
        guard let cookie, let userID = try await browsers.user(of: cookie) else { throw Self.nobody }
        try browsers.requireRoom(in: provider.grantsName, for: userID)
        guard
            let done = try await pending.take(cookie, now: clock.now), let authenticated = done.authenticated
        else { throw Self.nobody }
        try await browsers.logOut(cookie)
        return try await provider.grant(done.request, to: userID, authenticated: authenticated)
    }

    private static let nobody = Refusal(400, "Nobody is logged in here")

    /// The person does not want to log in.
    /// - Returns: where the browser goes on.
    /// - Throws: `Refusal` 400 for a browser that no application sent here.
    func cancel(_ cookie: BrowserCookie?) async throws -> String {
        guard let cookie, let request = try await pending.take(cookie, now: clock.now)?.request else {
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
            authorization, for: cookie, of: owner, expires: now + AuthorizationRequest.lifetime, now: now)
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
        let request = try await provider.applicationRequest(fields)
        let session = try await gate.openSession(expecting: userID)
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
    let publicClients: [OpenIDClient]
}

/// Where devices log their users in to applications.
protocol ApplicationGate: Sendable {
    var applicationLogins: ApplicationLogins { get }
    /// Opens the session of an authorization URL.
    /// - Parameter userID: whom the application expects; empty for any user.
    func openSession(expecting userID: String) async throws -> OpenedSession
}
