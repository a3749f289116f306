// SPDX-License-Identifier: Apache-2.0

package import BackendHTTP
import BackendValues
import Encoding
import MPinServer
import Sealing

/// The browsers of a login site, in any dialect: the code on the page, the progress of its login, and who is logged
/// in.
///
/// Before a login the browser keeps its own state, sealed in its cookie. A restart logs all browsers out.
package struct BrowserSessions: Sendable {
    let seal: VisitSeal
    let clock: any WallClock
    let polls: LongPolls
    private let mount: any SiteMount
    private let logins: LoginSessions
    /// Nil where a person cannot type a number at a kiosk.
    private let numbers: AccessNumbers?
    private let offersLogout: Bool
    /// Keyed by the logout token, which is derived from the browser's cookie.
    let sessions: any VolatileTable<OneTimeToken, BrowserSession>
    private let cookieKey: SecretBytes

    /// - Parameters:
    ///   - name: the prefix of its tables' names.
    ///   - logins: the sessions that devices log in.
    ///   - numbers: nil where devices take none.
    ///   - offersLogout: whether devices may log their browsers out again.
    /// - Throws: `BackendError.randomnessUnavailable`.
    init(
        _ name: String, at mount: any SiteMount, logins: LoginSessions, numbers: AccessNumbers?, offersLogout: Bool,
        polls: LongPolls, in storage: any VolatileStorage, clock: any WallClock
    ) throws(BackendError) {
        seal = VisitSeal(key: try storage.key(for: name))
        self.clock = clock
        self.mount = mount
        self.logins = logins
        self.numbers = mount.takesTypedCodes ? numbers : nil
        self.offersLogout = offersLogout
        self.polls = polls
        cookieKey = try storage.key(for: name + ", cookies")
        sessions = storage.table(name, bounds: .ofPeople)
    }

    /// Opens the login page. A browser that is logged in stays so. A code that no device has read stays until it
    /// expires. Any other browser gets a new code.
    /// - Parameter isWaiting: whether a page without a script reloads itself: it keeps a code that a device has read.
    /// - Returns: the browser's cookie and the user who is logged in, if any.
    func visit(_ cookie: BrowserCookie?, isWaiting: Bool = false) async throws -> (cookie: BrowserCookie, user: String?)
    {
        let (current, login) = try await state(of: cookie)
        switch (current, login.status) {
        case (let current?, .admitted): return (current, login.userID)
        case (let current?, .new), (let current?, .declined): return (current, nil)
        case (let current?, let status) where isWaiting && status.isOpen: return (current, nil)
        default: return (try await newPage(), nil)
        }
    }

    /// Makes a new page, whatever the browser showed before.
    /// - Parameters:
    ///   - page: the token that stays when the page's code changes.
    ///   - application: the application's name for devices; nil for the site itself.
    /// - Throws: `Refusal` 429 and 503 when there is no room for the application's name.
    func newPage(on page: OneTimeToken? = nil, for application: String? = nil) async throws -> BrowserCookie {
        let (now, url) = (clock.now, try await mount.url)
        // Picture and number end at the same moment.
        let end = (now + mount.site.codeLifetime).roundedUp
        let codes = try await logins.open(
            until: end, isChanging: true, for: SessionRequest(application: application), now: now)
        return try LoginAttempt(
            webOTT: codes.webOTT.hex, qrText: url + "#" + codes.accessCode, changes: now + mount.site.codeLifetime,
            expires: now + LoginSession.lifetime, page: page ?? .random(),
            number: try await newNumber(for: codes.accessCode, until: end, now: now)
        ).cookie(seal)
    }

    /// Nil where numbers are not offered, and when too many are open: the person can use the picture instead.
    private func newNumber(for accessCode: String, until end: WallTime, now: WallTime) async throws -> String? {
        do {
            return try await numbers?.make(
                for: accessCode, until: end, keptUntil: now + LoginSession.lifetime + LoginSession.grace, now: now)
        } catch let refusal as Refusal where refusal.code == 429 || refusal.code == 503 {
            return nil
        }
    }

    /// Ends the code of a page that the browser no longer shows, and frees its room.
    func close(_ cookie: BrowserCookie) async throws {
        guard let attempt = attempt(of: cookie) else { return }
        if let number = attempt.number { try await numbers?.remove(number, now: clock.now) }
        try await logins.giveUp(attempt.accessCode, now: clock.now)
    }

    /// Answers the page's poll. Once the device is done, this call logs the browser in, with a new cookie. An unread
    /// code that has expired is replaced.
    /// - Parameter application: the application's name for devices; nil for the site itself.
    /// - Returns: the cookie to use from now on, nil for a browser without one; and the login.
    func state(
        of cookie: BrowserCookie?, for application: String? = nil
    ) async throws -> (cookie: BrowserCookie?, login: LoginSession) {
        if let user = try await user(of: cookie) { return (cookie, LoginSession(.admitted, of: user)) }
        guard let attempt = attempt(of: cookie) else { return (nil, LoginSession(.ended)) }
        let (token, now) = (try token(after: attempt), clock.now)
        let login = try await logins.value(for: attempt.accessCode, now: now) ?? LoginSession(.ended)
        if login.status.isOpen { return (cookie, login) }
        if login.status == .proved {
            let isAdmitted = try await admit(login, at: attempt.accessCode, token)
            // If not, the device gave up just now.
            return isAdmitted
                ? (.session(token), LoginSession(.admitted, of: login.userID)) : (cookie, LoginSession(.named))
        }
        // The reply to the poll that logged it in may have got lost.
        if let session = try await sessions.value(for: try logoutToken(of: token), now: now), session.isNew(at: now) {
            return (.session(token), LoginSession(.admitted, of: session.userID))
        }
        guard attempt.changes <= now else { return (cookie, LoginSession(.ended)) }
        return (try await newPage(on: attempt.page, for: application), LoginSession())
    }

    /// `POST /mpinAuthenticate`: logs the calling browser in, with the token of its page or of a login without a page.
    /// - Throws: as ``RPS/authenticate(_:)``; `Refusal` 503 when there is no room for the browser.
    func authenticate(
        _ authOTT: OneTimeToken?, by rps: RPS
    ) async throws -> (cookie: BrowserCookie, reply: JSONObject) {
        guard let authOTT else { throw RPS.unknownToSite }
        let token = try OneTimeToken.random()
        if let accessCode = logins.accessCode(ofLogin: authOTT),
            let login = try await logins.value(for: accessCode, now: clock.now),
            try await admit(login, at: accessCode, token)
        {
            return (.session(token), JSONObject(["userId": .string(login.userID)]))
        }
        let (userID, reply) = try await rps.authenticate(authOTT)
        try await admit(userID, token)
        return (.session(token), reply.json)
    }

    /// Logs the browser of a page in whose device has proved the PIN.
    /// - Returns: false when the device waits no more, or another browser was logged in.
    /// - Throws: `Refusal` 503 when there is no room for the browser; `StorageError`. A device that waits is asked to
    ///   try again.
    private func admit(
        _ login: LoginSession, at accessCode: String, _ cookie: OneTimeToken
    ) async throws -> Bool {
        guard login.isAdmissible(at: clock.now) else { return false }
        do { try await admit(login.userID, cookie) } catch {
            _ = try? await logins.update(accessCode, now: clock.now) { $0.value.reopen() }
            throw error
        }
        let token = try logoutToken(of: cookie)
        // A device that shows "timed out" has logged no browser in.
        do {
            let now = clock.now
            let isAdmitted = try await logins.update(accessCode, now: now) {
                $0.value.admit(token, offersLogout: offersLogout, now: now)
            }
            if isAdmitted == true { return true }
        } catch {
            await forget(token)
            throw error
        }
        await forget(token)
        return false
    }

    /// Logs a browser out again. If the storage fails the browser stays logged in: the PIN was right.
    private func forget(_ token: OneTimeToken) async { _ = try? await sessions.take(token, now: clock.now) }

    /// Yields when the login by the page's code has gone on; nil for a browser without one.
    func changes(of cookie: BrowserCookie?) -> AsyncStream<Void>? {
        attempt(of: cookie).map { logins.changes(of: $0.accessCode) }
    }

    /// The cookie of the login with a page's code. It is derived from the webOTT, so that a page that lost the answer
    /// gets the same cookie again. Nothing can be derived from it.
    private func token(after attempt: LoginAttempt) throws -> OneTimeToken {
        try derived(from: attempt.webOTT)
    }

    /// The token with which a device may log a browser out: it is no cookie, and none follows from it.
    private func logoutToken(of cookie: OneTimeToken) throws -> OneTimeToken {
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
    func json(of login: LoginSession, showing cookie: BrowserCookie?) -> JSONObject {
        let state =
            switch login.status {
            case .new, .declined: "new"
            case .scanned: "scanned"
            case .named, .proved: "user"
            case .admitted: "authenticated"
            case .signed, .ended: "expired"
            }
        var members: [String: JSONValue] = ["state": .string(state), "user": .string(login.userID)]
        if login.status == .declined { members["declined"] = true }
        if let attempt = attempt(of: cookie) { members["picture"] = .string(attempt.pictureName) }
        if let code = typedCode(for: cookie) { members["code"] = .string(code) }
        // The page's next poll names the answer that it has.
        members["version"] = .string(Hexadecimal.text(Digest.sha256(JSONObject(members).body).prefix(8)))
        return JSONObject(members)
    }

    /// The cookie that identifies a page while its codes change.
    func page(of cookie: BrowserCookie?) -> BrowserCookie? {
        guard case .visit? = cookie else { return cookie }
        return seal.content(of: cookie)?.string("page").flatMap { OneTimeToken($0) }.map { .session($0) }
    }

    /// The code below the picture, for kiosks without a camera; nil where kiosks accept only the picture.
    func typedCode(for cookie: BrowserCookie?) -> String? {
        mount.takesTypedCodes ? attempt(of: cookie)?.typedCode : nil
    }

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
        let token = try OneTimeToken.random()
        try await admit(userID, token)
        return .session(token)
    }

    /// - Parameters:
    ///   - table: nil for that of these browsers.
    ///   - userID: the entry's owner; empty for a person without entries there.
    /// - Throws: `Refusal` 503 when there seems to be no room.
    func requireRoom(in table: (any VolatileTable)? = nil, for userID: String = "") throws {
        if let refusal = (table ?? sessions).refusal(for: .person(userID), now: clock.now) { throw refusal }
    }

    private func admit(_ userID: String, _ cookie: OneTimeToken) async throws {
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
