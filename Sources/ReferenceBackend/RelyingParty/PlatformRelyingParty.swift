// SPDX-License-Identifier: Apache-2.0

/// The web site of a Trust project. It knows the platform only over the private listener.
actor PlatformRelyingParty {
    let platform: PrivateClient
    let mount: PlatformMount
    private let projectID: String
    let credentials: RelyingPartyCredentials
    let clock: any WallClock
    /// Found by cookie. A restart logs everybody out.
    private(set) var browsers = ExpiringTable<OneTimeToken, PlatformBrowser>(capacity: 4096)

    init(
        platform: PrivateClient, mount: PlatformMount, projectID: String, credentials: RelyingPartyCredentials,
        clock: any WallClock
    ) {
        self.platform = platform
        self.mount = mount
        self.projectID = projectID
        self.credentials = credentials
        self.clock = clock
    }

    /// Somebody opens the login page: who is logged in already stays it, everybody else gets a new code.
    /// - Returns: the browser's cookie and the user who is logged in, if any.
    func visit(_ cookie: OneTimeToken?) async throws -> (cookie: OneTimeToken, user: String?) {
        if let cookie, let user = user(of: cookie) { return (cookie, user) }
        let reply = try await ask("/rps/v2/session", ["projectId": .string(projectID)])
        guard let webOTT = reply.string("webOTT"), let qrText = reply.string("qrURL") else { throw Self.failure }
        let now = clock.now
        // Cookies of our own making only.
        let known = cookie.flatMap { browsers.value(for: $0, now: now) == nil ? nil : $0 }
        let cookie = try known ?? .random()
        let browser = PlatformBrowser(attempt: PlatformBrowser.Attempt(webOTT: webOTT, qrText: qrText))
        browsers.insert(browser, for: cookie, expires: now + PlatformBrowser.lifetime, now: now)
        return (cookie, nil)
    }

    /// The picture of the code on this browser's page; nil when it has none.
    func qrPicture(for cookie: OneTimeToken?) throws -> [UInt8]? {
        try browser(of: cookie)?.attempt.map { try QRPicture.png(of: $0.qrText) }
    }

    func typedCode(for cookie: OneTimeToken?) -> String? {
        guard mount.takesTypedCodes else { return nil }
        return browser(of: cookie)?.attempt?.qrText.split(separator: "#").last.map(String.init)
    }

    func user(of cookie: OneTimeToken?) -> String? { browser(of: cookie)?.user }

    private func browser(of cookie: OneTimeToken?) -> PlatformBrowser? {
        cookie.flatMap { browsers.value(for: $0, now: clock.now) }
    }

    /// What the page polls. When the device is through, this call logs the browser in, under a new cookie.
    /// - Returns: the cookie to use from now on (nil for a browser without one), and `state` (new, scanned, user,
    ///   authenticated, expired) and `user`.
    func state(of cookie: OneTimeToken?) async throws -> (cookie: OneTimeToken?, state: JSONObject) {
        func answer(_ cookie: OneTimeToken?, _ state: String, _ user: String = "") -> (OneTimeToken?, JSONObject) {
            (cookie, JSONObject(["state": .string(state), "user": .string(user)]))
        }
        guard let cookie, let browser = browser(of: cookie) else { return answer(nil, "expired") }
        if let user = browser.user { return answer(cookie, "authenticated", user) }
        guard let attempt = browser.attempt else { return answer(cookie, "expired") }
        let access = try await ask("/rps/v2/access", ["webOTT": .string(attempt.webOTT)])
        let user = access.string("userId") ?? ""
        switch access.string("status") {
        // A person who said no on the device may scan again.
        case "new", "abort": return answer(cookie, "new")
        case "wid": return answer(cookie, "scanned")
        case "user": return answer(cookie, "user", user)
        case "authenticate": return answer(try logIn(user, replacing: cookie), "authenticated", user)
        default: return answer(cookie, "expired")
        }
    }

    /// A login moves the browser to a new cookie, so that a cookie planted beforehand is worth nothing.
    private func logIn(_ user: String, replacing old: OneTimeToken) throws -> OneTimeToken {
        let now = clock.now
        // Another poll of the same page may have been faster.
        guard browsers.value(for: old, now: now) != nil else { return old }
        return try admit(user, replacing: old)
    }

    func admit(_ user: String, replacing cookie: OneTimeToken?) throws -> OneTimeToken {
        let now = clock.now
        if let cookie { browsers.remove(cookie, now: now) }
        let new = try OneTimeToken.random()
        browsers.insert(PlatformBrowser(user: user), for: new, expires: now + PlatformBrowser.lifetime, now: now)
        return new
    }

    func logOut(_ cookie: OneTimeToken?) {
        guard let cookie else { return }
        browsers.remove(cookie, now: clock.now)
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
