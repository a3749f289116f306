// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
package import MPinServer
import OpenIDProvider

/// Logins for applications that ask the endpoint's OpenID provider: in a browser, by the code on its page, or on the
/// device itself.
///
/// Browsers stay logged in here only if the operator wants it. Every application has its own sessions.
package struct OpenIDLogin: Sendable {
    let provider: OpenIDProvider
    package let mount: any SiteMount
    let projectID: String
    package let browsers: BrowserSessions
    /// Device logins to applications; nil in dialects without codes for them.
    let gate: (any ApplicationGate)?
    let clock: any WallClock
    /// The time that a browser stays logged in for further applications; zero if every request needs a PIN.
    let sessionLifetime: Duration
    let logins: any VolatileTable<OneTimeToken, BrowserLogin>
    let refusals: OpenIDRefusals
    // A restart forgets them: browsers begin again.
    let pending: any VolatileTable<BrowserCookie, PendingAuthorization>

    /// `GET /authorize`: shows a code to log in with.
    /// - Parameters:
    ///   - session: the session of a browser that is logged in for further applications.
    ///   - surplus: the cookies of pages that the new one replaces. Their room is freed, so that a browser that is sent
    ///     here repeatedly leaves room for others at its address.
    ///   - showsPages: whether the browser would show a page.
    /// - Throws: `AuthorizationRefusal`; `Refusal` 403 for a script, which shows no page; 429 and 503 when the address,
    ///   or all together, have begun too many.
    func begin(
        _ fields: FormFields, session: OneTimeToken?, surplus: [BrowserCookie] = [], showsPages: Bool = true
    ) async throws -> Beginning {
        let request: AuthorizationRequest
        do {
            request = try await provider.request(fields, after: try await login(of: session))
        } catch let refusal as AuthorizationRefusal {
            try await refusals.note(refusal, fields, at: provider)
            throw refusal
        }
        if let login = request.login {
            return .goOn(
                try await provider.grant(request, to: login.userID, authenticated: login.authenticated))
        }
        guard showsPages else { throw Refusal(403, "This address is a page, and no script can log a person in") }
        for old in surplus { try await giveUp(old) }
        // Store the request first: its entries live longer, so its refusal names a time at which both tables have room.
        let page = try OneTimeToken.random()
        try await keep(PendingAuthorization(request: request), for: .session(page), of: .currentNewcomer)
        do {
            return .page(
                try await browsers.newPage(on: page, for: request.application), application: request.application)
        } catch {
            try await pending.take(.session(page), now: clock.now)
            throw error
        }
    }

    private func giveUp(_ cookie: BrowserCookie) async throws {
        guard let page = browsers.page(of: cookie) else { return }
        try await pending.take(page, now: clock.now)
        try await browsers.close(cookie)
    }

    /// The answer to an authorization request.
    enum Beginning: Sendable {
        /// A page: the browser's cookie, and the application's name; nil for the endpoint's own web site.
        case page(BrowserCookie, application: String?)
        /// The answer to the application: the browser is logged in already.
        case goOn(AuthorizationAnswer)
    }

    func login(of session: OneTimeToken?) async throws -> BrowserLogin? {
        guard let session, sessionLifetime > .zero else { return nil }
        return try await logins.value(for: session, now: clock.now)
    }

    /// Ends the browser's session, so that the next application needs a PIN.
    func endSession(_ session: OneTimeToken?) async throws {
        if let session { try await logins.take(session, now: clock.now) }
    }

    /// The code on a browser's page while the login is under way.
    func attempt(of cookie: BrowserCookie?) async throws -> LoginAttempt? {
        guard let page = browsers.page(of: cookie), try await pending.value(for: page, now: clock.now) != nil else {
            return nil
        }
        return browsers.attempt(of: cookie)
    }

    /// Returns the state for the page's poll. Once the device is done, the browser gets a new cookie.
    func state(of cookie: BrowserCookie?) async throws -> (cookie: BrowserCookie?, login: LoginSession) {
        guard let cookie, let page = browsers.page(of: cookie),
            let known = try await pending.value(for: page, now: clock.now)
        else { return (nil, LoginSession(.ended)) }
        let (current, login) = try await browsers.state(of: cookie, for: known.request.application)
        if let current, current != cookie, login.status == .admitted,
            var moved = try await pending.take(page, now: clock.now)
        {
            moved.authenticated = clock.now
            try await keep(moved, for: current, of: .person(login.userID))
        }
        return (current, login)
    }

    /// Finishes a login: the browser takes a code to the application.
    /// - Returns: the answer, and the session for further applications, if any.
    /// - Throws: `Refusal` 400 for a browser that is not logged in, 503 when there is no room for the code; then the
    ///   browser may ask again.
    func finish(_ cookie: BrowserCookie?) async throws -> (answer: AuthorizationAnswer, session: OneTimeToken?) {
        guard let cookie, let userID = try await browsers.loggedIn.user(of: cookie) else { throw Self.nobody }
        try browsers.loggedIn.requireRoom(in: provider.codes, for: userID)
        guard
            let done = try await pending.take(cookie, now: clock.now), let authenticated = done.authenticated
        else { throw Self.nobody }
        try await browsers.loggedIn.logOut(cookie)
        let answer = try await provider.grant(done.request, to: userID, authenticated: authenticated)
        guard sessionLifetime > .zero else { return (answer, nil) }
        let session = try OneTimeToken.random()
        do {
            try await logins.insert(
                BrowserLogin(userID: userID, authenticated: authenticated), for: session, of: .person(userID),
                expires: authenticated + sessionLifetime, now: clock.now)
        } catch {
            // Without room this login succeeds, but the next application needs a PIN.
            return (answer, nil)
        }
        return (answer, session)
    }

    private static let nobody = Refusal(400, "Nobody is logged in here")

    /// Ends the request because the person does not want to log in.
    /// - Throws: `Refusal` 400 for a browser that no application sent here.
    func cancel(_ cookie: BrowserCookie?) async throws -> AuthorizationAnswer {
        guard let page = browsers.page(of: cookie), let request = try await pending.take(page, now: clock.now)?.request
        else {
            throw Refusal(400, "Nothing to cancel")
        }
        try await browsers.loggedIn.logOut(cookie)
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

    /// `POST /authorize` with an authorization URL: gives a device an access code for its own application.
    /// docs/protocol/miracl.md, section 6.3.
    /// - Parameters:
    ///   - userID: the user that the application expects.
    ///   - namesProject: whether the request's header names the project.
    /// - Throws: `Refusal` 400 for an invalid request, 404 in dialects without such logins.
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

    /// Whether the request comes from a page of the platform's own client, which needs only a session. Such a page
    /// names the project in the address or in a header, and repeats the parameters of its relying party. The redirect
    /// URI is for the browser: nothing is redirected from here.
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
    /// The time when the device was done; nil before.
    var authenticated: WallTime?
}
