// SPDX-License-Identifier: Apache-2.0

/// The browsers of a site to log in to, whichever dialect its devices speak: the code on the page, how far its login
/// is, who is logged in.
///
/// What is known of a browser before a login it keeps itself, sealed in its cookie. A restart logs all of them out.
struct BrowserSessions: Sendable {
    let seal: VisitSeal
    let clock: any WallClock
    private let codes: any LoginCodes
    /// Whether a person may type a code on a kiosk instead of showing it the picture.
    private let takesTypedCodes: Bool
    private let sessions: any VolatileTable<OneTimeToken, BrowserSession>
    private let cookiesByLogoutToken: any VolatileTable<OneTimeToken, OneTimeToken>

    /// - Parameters:
    ///   - name: of its tables.
    ///   - codes: what a login of this site is made with.
    /// - Throws: `BackendError.randomnessUnavailable`.
    init(
        _ name: String, at mount: any SiteMount, codes: any LoginCodes, in storage: any VolatileStorage,
        clock: any WallClock
    ) throws(BackendError) {
        seal = VisitSeal(key: try storage.key(for: name))
        self.clock = clock
        self.codes = codes
        takesTypedCodes = mount.takesTypedCodes
        sessions = storage.table(name)
        cookiesByLogoutToken = storage.table(name + ", by logout token")
    }

    /// A person opens the login page: a browser that is logged in stays it, any other one gets a new code.
    /// - Returns: the browser's cookie and the user who is logged in, if any.
    func visit(_ cookie: BrowserCookie?) async throws -> (cookie: BrowserCookie, user: String?) {
        if let cookie, let user = try await user(of: cookie) { return (cookie, user) }
        return (try await codes.newAttempt().cookie(seal), nil)
    }

    /// What the page polls. When the device is through, this call logs the browser in, under a new cookie.
    /// - Returns: the cookie to use from now on; nil for a browser without one.
    func state(of cookie: BrowserCookie?) async throws -> (cookie: BrowserCookie?, state: PageState) {
        if let user = try await user(of: cookie) { return (cookie, .authenticated(user)) }
        guard let attempt = attempt(of: cookie) else { return (nil, .expired) }
        switch try await codes.progress(of: attempt) {
        // A person who said no on the device may scan again.
        case .new: return (cookie, .new)
        case .scanned: return (cookie, .scanned)
        case .named(let user): return (cookie, .user(user))
        case .expired: return (cookie, .expired)
        case .done(let user, let logoutToken):
            return (try await admit(user, logoutToken: logoutToken, replacing: cookie), .authenticated(user))
        }
    }

    /// The code on a browser's page; nil when it has none, or none any more.
    func attempt(of cookie: BrowserCookie?) -> LoginAttempt? { LoginAttempt(cookie, seal, now: clock.now) }

    /// What stands below the picture for kiosks without eyes; nil where kiosks take only the picture.
    func typedCode(for cookie: BrowserCookie?) -> String? { takesTypedCodes ? attempt(of: cookie)?.typedCode : nil }

    /// Nil when the browser is not logged in.
    func user(of cookie: BrowserCookie?) async throws -> String? {
        guard let token = cookie?.token else { return nil }
        return try await sessions.value(for: token, now: clock.now)?.userID
    }

    /// Logs a browser in. A login moves it to a new cookie, so that a cookie planted beforehand is worth nothing.
    /// - Parameter logoutToken: with which the device may log the browser out; nil where devices cannot.
    /// - Returns: its new cookie.
    /// - Throws: `Refusal` 503 when there is no room.
    func admit(
        _ userID: String, logoutToken: OneTimeToken? = nil, replacing old: BrowserCookie?
    ) async throws -> BrowserCookie {
        try await logOut(old)
        let now = clock.now
        let expires = now + BrowserSession.lifetime
        let cookie = try OneTimeToken.random()
        try await sessions.insert(
            BrowserSession(userID: userID, logoutToken: logoutToken), for: cookie, of: .person(userID),
            expires: expires, now: now)
        if let logoutToken {
            try await cookiesByLogoutToken.insert(
                cookie, for: logoutToken, of: .person(userID), expires: expires, now: now)
        }
        return .session(cookie)
    }

    /// The browser logs itself out.
    func logOut(_ cookie: BrowserCookie?) async throws {
        guard let token = cookie?.token, let session = try await sessions.take(token, now: clock.now) else { return }
        if let logoutToken = session.logoutToken { try await cookiesByLogoutToken.take(logoutToken, now: clock.now) }
    }

    /// The device logs the browser out with the `logoutData` that it got.
    /// - Throws: `Refusal` 400 when the session is another user's. A session that is gone already is no error.
    func logOut(_ logoutData: LogoutData) async throws {
        let now = clock.now
        guard let token = logoutData.sessionToken,
            let cookie = try await cookiesByLogoutToken.value(for: token, now: now),
            let session = try await sessions.value(for: cookie, now: now)
        else { return }
        if let userID = logoutData.userID, UserID.normalized(userID) != session.userID { throw Refusal.invalidData }
        try await logOut(.session(cookie))
    }
}

/// A browser that a person is logged in at.
struct BrowserSession: Codable, Sendable {
    /// How long it stays logged in.
    static let lifetime = Duration.seconds(3600)

    let userID: String
    /// With this the device may log the browser out. It is not the cookie: a device cannot act as the browser.
    let logoutToken: OneTimeToken?
}

/// How far a browser's login is, for the page's script.
enum PageState: Sendable {
    case new, scanned, user(String), authenticated(String), expired

    var json: JSONObject {
        let (state, user) =
            switch self {
            case .new: ("new", "")
            case .scanned: ("scanned", "")
            case .user(let user): ("user", user)
            case .authenticated(let user): ("authenticated", user)
            case .expired: ("expired", "")
            }
        return JSONObject(["state": .string(state), "user": .string(user)])
    }
}

/// What the logins of a site are made with: its relying party.
protocol LoginCodes: Sendable {
    /// A new code for a page.
    func newAttempt() async throws -> LoginAttempt
    /// What has become of it. A login that is done is told once.
    func progress(of attempt: LoginAttempt) async throws -> LoginProgress
}

/// What has become of a page's code.
enum LoginProgress: Sendable {
    case new, scanned
    /// The device has named a user, or another request of the same page is at it.
    case named(String)
    /// - `logoutToken`: with which the device may log the browser out.
    case done(user: String, logoutToken: OneTimeToken?)
    case expired
}
