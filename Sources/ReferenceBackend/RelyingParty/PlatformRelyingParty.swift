// SPDX-License-Identifier: Apache-2.0

/// The web site of a Trust project. It knows the platform only over the private listener.
actor PlatformRelyingParty {
    let platform: PrivateClient
    let mount: PlatformMount
    private let projectID: String
    let credentials: RelyingPartyCredentials
    let clock: any WallClock
    let seal: VisitSeal
    /// Who is logged in, by cookie. A restart logs all of them out.
    private var users = ExpiringTable<OneTimeToken, String>()
    /// Codes of pages that a device has logged in. A browser that shows its old cookie once more stays logged out.
    private var usedCodes = ExpiringTable<String, Bool>()

    /// - Throws: `BackendError.randomnessUnavailable`.
    init(
        platform: PrivateClient, mount: PlatformMount, projectID: String, credentials: RelyingPartyCredentials,
        clock: any WallClock
    ) throws(BackendError) {
        seal = try VisitSeal()
        self.platform = platform
        self.mount = mount
        self.projectID = projectID
        self.credentials = credentials
        self.clock = clock
    }

    /// Somebody opens the login page: who is logged in already stays it, everybody else gets a new code.
    /// - Returns: the browser's cookie and the user who is logged in, if any.
    func visit(_ cookie: BrowserCookie?) async throws -> (cookie: BrowserCookie, user: String?) {
        if let cookie, let user = user(of: cookie) { return (cookie, user) }
        let reply = try await ask("/rps/v2/session", ["projectId": .string(projectID)])
        guard let webOTT = reply.string("webOTT"), let qrText = reply.string("qrURL") else { throw Self.failure }
        let attempt = LoginAttempt(webOTT: webOTT, qrText: qrText, expires: clock.now + PlatformSession.lifetime)
        return (try attempt.cookie(seal), nil)
    }

    func user(of cookie: BrowserCookie?) -> String? {
        cookie?.token.flatMap { users.value(for: $0, now: clock.now) }
    }

    /// What the page polls. When the device is through, this call logs the browser in, under a new cookie.
    /// - Returns: the cookie to use from now on (nil for a browser without one), and `state` (new, scanned, user,
    ///   authenticated, expired) and `user`.
    func state(of cookie: BrowserCookie?) async throws -> (cookie: BrowserCookie?, state: JSONObject) {
        func answer(_ cookie: BrowserCookie?, _ state: String, _ user: String = "") -> (BrowserCookie?, JSONObject) {
            (cookie, JSONObject(["state": .string(state), "user": .string(user)]))
        }
        if let user = user(of: cookie) { return answer(cookie, "authenticated", user) }
        guard let attempt = attempt(of: cookie) else { return answer(nil, "expired") }
        let access = try await ask("/rps/v2/access", ["webOTT": .string(attempt.webOTT)])
        let user = access.string("userId") ?? ""
        switch access.string("status") {
        // A person who said no on the device may scan again.
        case "new", "abort": return answer(cookie, "new")
        case "wid": return answer(cookie, "scanned")
        case "user": return answer(cookie, "user", user)
        // Another poll of the same page may have been faster.
        case "authenticate" where usedCodes.value(for: attempt.webOTT, now: clock.now) == nil:
            let now = clock.now
            try usedCodes.insert(true, for: attempt.webOTT, of: .person(user), expires: attempt.expires, now: now)
            return answer(try admit(user, replacing: cookie), "authenticated", user)
        default: return answer(cookie, "expired")
        }
    }

    /// A login moves the browser to a new cookie, so that a cookie planted beforehand is worth nothing.
    func admit(_ user: String, replacing cookie: BrowserCookie?) throws -> BrowserCookie {
        let now = clock.now
        logOut(cookie)
        let new = try OneTimeToken.random()
        try users.insert(user, for: new, of: .person(user), expires: now + BrowserSession.lifetime, now: now)
        return .session(new)
    }

    func logOut(_ cookie: BrowserCookie?) {
        guard let token = cookie?.token else { return }
        users.remove(token, now: clock.now)
    }

    func post(_ path: String, _ body: [String: JSONValue]) async throws -> PrivateReply {
        try await platform.post(path, JSONObject(body))
    }

    private func ask(_ path: String, _ body: [String: JSONValue]) async throws -> JSONObject {
        let reply = try await post(path, body)
        guard reply.status == 200, let object = reply.object else { throw Self.failure }
        return object
    }

    private static let failure = Refusal(502, "The login platform failed")
}
