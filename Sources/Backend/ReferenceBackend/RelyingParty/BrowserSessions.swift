// SPDX-License-Identifier: Apache-2.0

package import BackendHTTP
import BackendValues
import Encoding
import MPinServer
import Sealing

/// The browsers of a login site, in any dialect: the code on the page, and the progress of its login.
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
    let loggedIn: LoggedInBrowsers

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
        loggedIn = try LoggedInBrowsers(name, in: storage, clock: clock)
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

    /// Makes a new page, also for a browser that already shows one.
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
        if let user = try await loggedIn.user(of: cookie) { return (cookie, LoginSession(.admitted, of: user)) }
        guard let attempt = attempt(of: cookie) else { return (nil, LoginSession(.ended)) }
        let (token, now) = (try loggedIn.token(after: attempt), clock.now)
        let login = try await logins.value(for: attempt.accessCode, now: now) ?? LoginSession(.ended)
        if login.status.isOpen { return (cookie, login) }
        if login.status == .proved {
            let isAdmitted = try await admit(login, at: attempt.accessCode, token)
            // If not, the device gave up just now.
            return isAdmitted
                ? (.session(token), LoginSession(.admitted, of: login.userID)) : (cookie, LoginSession(.named))
        }
        // The reply to the poll that logged it in may have got lost.
        if let session = try await loggedIn.session(of: token), session.isNew(at: now) {
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
        try await loggedIn.admit(userID, as: token)
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
        do { try await loggedIn.admit(login.userID, as: cookie) } catch {
            _ = try? await logins.update(accessCode, now: clock.now) { $0.value.reopen() }
            throw error
        }
        let token = try loggedIn.logoutToken(of: cookie)
        // A device that shows "timed out" has logged no browser in.
        do {
            let now = clock.now
            let isAdmitted = try await logins.update(accessCode, now: now) {
                $0.value.admit(token, offersLogout: offersLogout, now: now)
            }
            if isAdmitted == true { return true }
        } catch {
            await forget(cookie)
            throw error
        }
        await forget(cookie)
        return false
    }

    /// Logs a browser out again. If the storage fails the browser stays logged in: the PIN was right.
    private func forget(_ cookie: OneTimeToken) async { try? await loggedIn.logOut(.session(cookie)) }

    /// Yields when the login by the page's code has gone on; nil for a browser without one.
    func changes(of cookie: BrowserCookie?) -> AsyncStream<Void>? {
        attempt(of: cookie).map { logins.changes(of: $0.accessCode) }
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
}
