// SPDX-License-Identifier: Apache-2.0

package import BackendHTTP

/// The browsers of a login site, in any dialect: the code on the page, the progress of its login, and who is logged
/// in.
///
/// Before a login the browser keeps its own state, sealed in its cookie. A restart logs all browsers out.
package struct BrowserSessions: Sendable {
    let seal: VisitSeal
    let clock: any WallClock
    let questions: HeldQuestions
    private let codes: any LoginCodes
    /// Whether a person may type a code at a kiosk instead of showing the picture.
    private let takesTypedCodes: Bool
    /// By what a device may log the browser out with, which follows from the browser's cookie.
    private let sessions: any VolatileTable<OneTimeToken, BrowserSession>
    private let cookieKey: SecretBytes
    private let storage: any VolatileStorage
    private let name: String

    /// - Parameters:
    ///   - name: the prefix of its tables' names.
    ///   - codes: makes the codes of this site's logins.
    /// - Throws: `BackendError.randomnessUnavailable`.
    init(
        _ name: String, at mount: any SiteMount, codes: any LoginCodes, questions: HeldQuestions,
        in storage: any VolatileStorage, clock: any WallClock
    ) throws(BackendError) {
        seal = VisitSeal(key: try storage.key(for: name))
        self.clock = clock
        self.codes = codes
        self.questions = questions
        self.storage = storage
        self.name = name
        takesTypedCodes = mount.takesTypedCodes
        cookieKey = try storage.key(for: name + ", cookies")
        sessions = storage.table(name, bounds: .ofPeople)
    }

    /// Opens the login page. A browser that is logged in stays so. A code that no device has read stays until it
    /// expires. Any other browser gets a new code.
    /// - Parameter isWaiting: whether a page without a script reloads itself: it keeps a code that a device has read.
    /// - Returns: the browser's cookie and the user who is logged in, if any.
    func visit(_ cookie: BrowserCookie?, isWaiting: Bool = false) async throws -> (cookie: BrowserCookie, user: String?)
    {
        let (current, state) = try await state(of: cookie)
        switch (current, state) {
        case (let current?, .authenticated(let user)): return (current, user)
        case (let current?, .new), (let current?, .declined): return (current, nil)
        case (let current?, .scanned) where isWaiting, (let current?, .user) where isWaiting: return (current, nil)
        default: return (try await newPage(), nil)
        }
    }

    /// Makes a new page, whatever the browser showed before.
    /// - Parameter application: the application's name for devices; nil for the site itself.
    /// - Parameter page: the token that stays when the page's code changes.
    func newPage(on page: OneTimeToken? = nil, for application: String? = nil) async throws -> BrowserCookie {
        try await codes.newAttempt(on: page ?? .random(), for: application).cookie(seal)
    }

    /// Ends the code of a page that the browser no longer shows, and frees its room.
    func close(_ cookie: BrowserCookie) async throws {
        if let attempt = attempt(of: cookie) { try await codes.close(attempt) }
    }

    /// Answers the page's poll. Once the device is done, this call logs the browser in, with a new cookie. An unread
    /// code that has expired is replaced.
    /// - Parameter application: the application's name for devices; nil for the site itself.
    /// - Returns: the cookie to use from now on; nil for a browser without one.
    func state(
        of cookie: BrowserCookie?, for application: String? = nil
    ) async throws -> (cookie: BrowserCookie?, state: PageState) {
        if let user = try await user(of: cookie) { return (cookie, .authenticated(user)) }
        guard let attempt = attempt(of: cookie) else { return (nil, .expired) }
        let (token, now) = (try token(after: attempt), clock.now)
        switch try await codes.progress(of: attempt, admitting: BrowserAdmission(sessions: self, cookie: token)) {
        case .new: return (cookie, .new)
        case .declined: return (cookie, .declined)
        case .scanned: return (cookie, .scanned)
        case .named(let user): return (cookie, .user(user))
        case .expired:
            // The reply to the poll that logged it in may have got lost.
            if let session = try await sessions.value(for: try logoutToken(of: token), now: now), session.isNew(at: now)
            {
                return (.session(token), .authenticated(session.userID))
            }
            guard attempt.changes <= now else { return (cookie, .expired) }
            return (try await codes.newAttempt(on: attempt.page, for: application).cookie(seal), .new)
        case .done(let user): return (.session(token), .authenticated(user))
        }
    }

    /// Yields when the login by the page's code has gone on; nil where nothing tells of it.
    func changes(of cookie: BrowserCookie?) -> AsyncStream<Void>? {
        attempt(of: cookie).flatMap { codes.changes(of: $0) }
    }

    /// The cookie of the login with a page's code. It is derived from the webOTT, so that a page that lost the answer
    /// gets the same cookie again. Nothing can be derived from it.
    private func token(after attempt: LoginAttempt) throws -> OneTimeToken {
        try derived(from: attempt.webOTT)
    }

    /// The token with which a device may log a browser out: it is no cookie, and none follows from it.
    fileprivate func logoutToken(of cookie: OneTimeToken) throws -> OneTimeToken {
        try derived(from: "log out " + cookie.hex)
    }

    private func derived(from text: String) throws -> OneTimeToken {
        let code = Digest.hmacSHA256(text, key: cookieKey)
        guard let token = OneTimeToken(Hexadecimal.text(Array(code.prefix(16)))) else {
            throw BackendError.cryptographyFailed
        }
        return token
    }

    /// The code on a browser's page; nil when there is none or it has expired.
    package func attempt(of cookie: BrowserCookie?) -> LoginAttempt? { LoginAttempt(cookie, seal, now: clock.now) }

    /// The reply to the page's script: the login's progress, and the code to show.
    func json(of state: PageState, showing cookie: BrowserCookie?) -> JSONObject {
        state.json(showing: attempt(of: cookie), code: typedCode(for: cookie))
    }

    /// The cookie that identifies a page while its codes change.
    func page(of cookie: BrowserCookie?) -> BrowserCookie? {
        guard case .visit? = cookie else { return cookie }
        return seal.content(of: cookie)?.string("page").flatMap { OneTimeToken($0) }.map { .session($0) }
    }

    /// The code below the picture, for kiosks without a camera; nil where kiosks accept only the picture.
    func typedCode(for cookie: BrowserCookie?) -> String? { takesTypedCodes ? attempt(of: cookie)?.typedCode : nil }

    /// The user; nil when the browser is not logged in.
    func user(of cookie: BrowserCookie?) async throws -> String? {
        guard let token = cookie?.token else { return nil }
        return try await sessions.value(for: try logoutToken(of: token), now: clock.now)?.userID
    }

    /// Logs a browser in. The browser gets a new cookie, so that a cookie planted beforehand is worthless.
    /// - Returns: its new cookie.
    /// - Throws: `Refusal` 503 when there is no room.
    func admit(_ userID: String, replacing old: BrowserCookie?) async throws -> BrowserCookie {
        try await logOut(old)
        let admission = try newAdmission()
        try await admission.admit(userID)
        return admission.browserCookie
    }

    /// Returns an admission that logs a browser in with a new cookie.
    func newAdmission() throws -> BrowserAdmission { BrowserAdmission(sessions: self, cookie: try .random()) }

    /// - Parameters:
    ///   - table: the table's name; nil for that of these browsers.
    ///   - userID: the entry's owner; empty for a person without entries there.
    /// - Throws: `Refusal` 503 when there seems to be no room.
    func requireRoom(in table: String? = nil, for userID: String = "") throws {
        if let refusal = storage.refusal(by: table ?? name, for: .person(userID), now: clock.now) { throw refusal }
    }

    fileprivate func admit(_ userID: String, _ cookie: OneTimeToken) async throws {
        let now = clock.now
        try await sessions.insert(
            BrowserSession(userID: userID, began: now), for: try logoutToken(of: cookie), of: .person(userID),
            expires: now + BrowserSession.lifetime, now: now)
    }

    /// Logs a browser out at its own request.
    func logOut(_ cookie: BrowserCookie?) async throws {
        guard let token = cookie?.token else { return }
        try await sessions.take(try logoutToken(of: token), now: clock.now)
    }

    /// Logs a browser out for a device, with the `logoutData` that the device got.
    /// - Throws: `Refusal` 400 when the session is another user's. A session that has ended is no error.
    func logOut(_ logoutData: LogoutData) async throws {
        let now = clock.now
        guard let token = logoutData.sessionToken, let session = try await sessions.value(for: token, now: now) else {
            return
        }
        if let userID = logoutData.userID, UserID.normalized(userID) != session.userID { throw Refusal.invalidData }
        try await sessions.take(token, now: now)
    }
}

/// The admission of a browser whose login succeeded. It happens before the device gets the reply.
struct BrowserAdmission: Sendable {
    fileprivate let sessions: BrowserSessions
    fileprivate let cookie: OneTimeToken

    /// The browser's new cookie.
    var browserCookie: BrowserCookie { .session(cookie) }

    /// With this the device may log the browser out. It is not the cookie: a device cannot act as the browser.
    var logoutToken: OneTimeToken { get throws { try sessions.logoutToken(of: cookie) } }

    /// - Throws: `Refusal` 503 when there is no room; `StorageError`. Then nothing has happened.
    func admit(_ userID: String) async throws { try await sessions.admit(userID, cookie) }

    /// Logs the browser out again because the device could not be told. If the storage fails the browser stays logged
    /// in: the PIN was right.
    func undo() async { try? await sessions.logOut(.session(cookie)) }
}

/// A browser that is logged in.
struct BrowserSession: Codable, Sendable {
    /// The time that it stays logged in.
    static let lifetime = Duration.seconds(3600)

    /// The time for which a page that polls again gets its login's cookie again.
    private static let repeating = Duration.seconds(30)

    let userID: String
    let began: WallTime

    func isNew(at now: WallTime) -> Bool { now < began + Self.repeating }
}

/// The progress of a browser's login, for the page's script.
enum PageState: Sendable {
    case new, declined, scanned, user(String), authenticated(String), expired

    /// Whether the page waits for a device.
    var isWaiting: Bool {
        switch self {
        case .new, .declined, .scanned, .user: true
        case .authenticated, .expired: false
        }
    }

    fileprivate func json(showing attempt: LoginAttempt?, code: String?) -> JSONObject {
        let (state, user) =
            switch self {
            case .new, .declined: ("new", "")
            case .scanned: ("scanned", "")
            case .user(let user): ("user", user)
            case .authenticated(let user): ("authenticated", user)
            case .expired: ("expired", "")
            }
        var members: [String: JSONValue] = ["state": .string(state), "user": .string(user)]
        if case .declined = self { members["declined"] = true }
        if let attempt { members["picture"] = .string(attempt.pictureName) }
        if let code { members["code"] = .string(code) }
        // The page's next poll says which answer it knows.
        members["version"] = .string(Hexadecimal.text(Digest.sha256(JSONObject(members).body).prefix(8)))
        return JSONObject(members)
    }
}

/// The relying party that makes a site's login codes.
protocol LoginCodes: Sendable {
    /// Makes a new code for a page.
    /// - Throws: `Refusal` 429 and 503 when there is no room for the application's name.
    func newAttempt(on page: OneTimeToken, for application: String?) async throws -> LoginAttempt
    /// Ends an attempt whose page is gone, and frees its room.
    func close(_ attempt: LoginAttempt) async throws
    /// Returns the progress of an attempt. A login that is done is told once.
    /// - Parameter browser: what admits the browser.
    /// - Throws: `Refusal` 503 when there is no room for it: the login is not spent.
    func progress(of attempt: LoginAttempt, admitting browser: BrowserAdmission) async throws -> LoginProgress
    /// Yields when something may have become of it; nil where nothing tells of it.
    func changes(of attempt: LoginAttempt) -> AsyncStream<Void>?
}

/// The progress of a login with a page's code.
enum LoginProgress: Sendable {
    case new, scanned
    /// The person declined on the device, and may scan again.
    case declined
    /// The device has named a user, or another request of the same page is being handled.
    case named(String)
    /// The browser is logged in.
    case done(user: String)
    case expired
}
