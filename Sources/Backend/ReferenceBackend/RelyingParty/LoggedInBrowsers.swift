// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import MPinServer
import Sealing

/// The browsers that are logged in at a site.
struct LoggedInBrowsers: Sendable {
    /// Keyed by the logout token, which is derived from the browser's cookie.
    let sessions: any VolatileTable<OneTimeToken, LoggedInBrowser>
    private let cookieKey: SecretBytes
    private let clock: any WallClock

    /// - Throws: `BackendError.randomnessUnavailable`.
    init(_ name: String, in storage: any VolatileStorage, clock: any WallClock) throws(BackendError) {
        self.clock = clock
        cookieKey = try storage.key(for: name + ", cookies")
        sessions = storage.table(name, bounds: .ofPeople)
    }

    /// The user; nil when the browser is not logged in.
    func user(of cookie: BrowserCookie?) async throws -> String? {
        guard let token = cookie?.token else { return nil }
        return try await session(of: token)?.userID
    }

    func session(of cookie: OneTimeToken) async throws -> LoggedInBrowser? {
        try await sessions.value(for: try logoutToken(of: cookie), now: clock.now)
    }

    /// Logs a browser in. The browser gets a new cookie, so that a cookie planted beforehand is worthless.
    /// - Returns: its new cookie.
    /// - Throws: `Refusal` 503 when there is no room.
    func admit(_ userID: String, replacing old: BrowserCookie?) async throws -> BrowserCookie {
        try await logOut(old)
        let token = try OneTimeToken.random()
        try await admit(userID, as: token)
        return .session(token)
    }

    /// - Parameters:
    ///   - table: nil for that of these browsers.
    ///   - userID: the entry's owner; empty for a person without entries there.
    /// - Throws: `Refusal` 503 when there seems to be no room.
    func requireRoom(in table: (any VolatileTable)? = nil, for userID: String = "") throws {
        if let refusal = (table ?? sessions).refusal(for: .person(userID), now: clock.now) { throw refusal }
    }

    func admit(_ userID: String, as cookie: OneTimeToken) async throws {
        let now = clock.now
        try await sessions.insert(
            LoggedInBrowser(userID: userID, began: now), for: try logoutToken(of: cookie), of: .person(userID),
            expires: now + LoggedInBrowser.lifetime, now: now)
    }

    /// Logs a browser out at its own request.
    func logOut(_ cookie: BrowserCookie?) async throws {
        guard let token = cookie?.token else { return }
        try await sessions.take(try logoutToken(of: token), now: clock.now)
    }

    /// Logs a browser out for a device, with the `logoutData` that the device got.
    /// - Throws: `Refusal` 400 when the session is another user's. A session that has ended is not an error.
    func logOut(_ logoutData: LogoutData) async throws {
        let now = clock.now
        guard let token = logoutData.sessionToken, let session = try await sessions.value(for: token, now: now) else {
            return
        }
        if let userID = logoutData.userID, UserID.normalized(userID) != session.userID { throw Refusal.invalidData }
        try await sessions.take(token, now: now)
    }

    /// The cookie of the login with a page's code. It is derived from the webOTT, so that a page that lost the answer
    /// gets the same cookie again. Nothing can be derived from it.
    func token(after attempt: LoginAttempt) throws -> OneTimeToken {
        try derived(from: attempt.webOTT)
    }

    /// The token with which a device may log a browser out: it is not a cookie, and no cookie follows from it.
    func logoutToken(of cookie: OneTimeToken) throws -> OneTimeToken {
        try derived(from: "log out " + cookie.hex)
    }

    private func derived(from text: String) throws -> OneTimeToken {
        let code = Digest.hmacSHA256(text, key: cookieKey)
        guard let token = OneTimeToken(Hexadecimal.text(Array(code.prefix(16)))) else {
            throw BackendError.cryptographyFailed
        }
        return token
    }
}

/// A browser that is logged in.
struct LoggedInBrowser: Codable, Sendable {
    /// The time that it stays logged in.
    static let lifetime = Duration.seconds(3600)

    /// The time for which a page that polls again gets its login's cookie again.
    private static let repeating = Duration.seconds(30)

    let userID: String
    let began: WallTime

    func isNew(at now: WallTime) -> Bool { now < began + Self.repeating }
}
