// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// Browser sessions: the code on the page, the login that a device completes, logging out. Milagro protocol, section 7.3.
extension RelyingParty {
    /// Somebody opens the login page: who is logged in already stays it, everybody else gets a new code.
    /// - Returns: the browser's cookie and the user who is logged in, if any.
    func visit(_ cookie: BrowserCookie?) async throws -> (cookie: BrowserCookie, user: String?) {
        if let cookie, let user = user(of: cookie) { return (cookie, user) }
        return (try await newAttempt().cookie(seal), nil)
    }

    private func newAttempt() async throws -> LoginAttempt {
        let reply = try await rps.post("/rps/getQrUrl", JSONObject([:]))
        guard reply.status == 200, let object = reply.object, let webOTT = object.string("webOTT"),
            let qrText = object.string("qrUrl"), let end = object.integer("localTimeEnd")
        else { throw Refusal(502, "The login server failed") }
        return LoginAttempt(
            webOTT: webOTT, qrText: qrText, expires: WallTime(milliseconds: end), number: try await newNumber())
    }

    /// Nil where there are none, and when enough of them are open: the picture does as well.
    private func newNumber() async throws -> LoginAttempt.AccessNumberOffer? {
        guard mount.dialect.hasAccessNumbers, mount.takesTypedCodes else { return nil }
        let reply = try await rps.post("/rps/getAccessNumber", JSONObject([:]))
        if reply.status == 429 || reply.status == 503 { return nil }
        guard reply.status == 200, let webOTT = reply.object?.string("webOTT"),
            let digits = reply.object?.string("accessNumber")
        else { throw Refusal(502, "The login server failed") }
        return LoginAttempt.AccessNumberOffer(webOTT: webOTT, digits: digits)
    }

    func user(of cookie: BrowserCookie?) -> String? { session(of: cookie)?.userID }

    private func session(of cookie: BrowserCookie?) -> BrowserSession? {
        cookie?.token.flatMap { sessions.value(for: $0, now: clock.now) }
    }

    /// What the page polls. When the device is through, this call completes the login, under a new cookie.
    /// - Returns: the cookie to use from now on (nil for a browser without a session), and `state` (new, scanned, user, authenticated, expired) and `user`.
    func state(of cookie: BrowserCookie?) async throws -> (cookie: BrowserCookie?, state: JSONObject) {
        func answer(_ cookie: BrowserCookie?, _ state: String, _ user: String = "") -> (BrowserCookie?, JSONObject) {
            (cookie, JSONObject(["state": .string(state), "user": .string(user)]))
        }
        if let user = user(of: cookie) { return answer(cookie, "authenticated", user) }
        guard let attempt = attempt(of: cookie) else { return answer(nil, "expired") }
        var access = try await access(attempt.webOTT)
        // Nobody showed the picture to a kiosk: perhaps somebody typed the number.
        if let number = attempt.number, ["new", "abort"].contains(access.string("status")) {
            access = try await self.access(number.webOTT)
        }
        switch access.string("status") {
        // A person who said no on the device may scan again.
        case "new", "abort": return answer(cookie, "new")
        case "wid": return answer(cookie, "scanned")
        case "user": return answer(cookie, "user", access.string("userId") ?? "")
        case "authenticate":
            do {
                let (cookie, _) = try await authenticate(access.string("authOTT") ?? "", session: cookie?.token)
                return answer(cookie, "authenticated", user(of: cookie) ?? "")
            } catch let refusal as Refusal where refusal.code < 500 {
                // Another poll of the same page is at it, or the device gave up.
                return answer(cookie, "user")
            }
        default: return answer(cookie, "expired")
        }
    }

    private func access(_ webOTT: String) async throws -> JSONObject {
        let reply = try await rps.post("/rps/access", JSONObject(["webOTT": .string(webOTT)]))
        guard reply.status == 200, let access = reply.object else { throw Refusal(502, "The login server failed") }
        return access
    }

    /// `POST /mpinAuthenticate`: finishes a login and logs the calling session in.
    /// - Throws: `Refusal` with the RPS's verdict (401, 408, 410, 429, 503), 410 for a revoked identity, 502.
    func authenticate(
        _ authOTT: String, session cookie: OneTimeToken?
    ) async throws -> (cookie: BrowserCookie, reply: JSONObject) {
        let logoutToken = try OneTimeToken.random()
        let logoutURL: JSONValue = offersLogout ? "/logout" : ""
        let verdict = try await rps.post(
            "/authenticate",
            JSONObject([
                "authOTT": .string(authOTT), "logoutData": .object(["sessionToken": .string(logoutToken.hex)]),
                "logoutURL": logoutURL,
            ]))
        guard verdict.status == 200 else { throw Self.refusal(verdict) }
        guard let object = verdict.object, let userID = object.string("userId"),
            let mpinID = object.string("mpinId").flatMap({ Hexadecimal.bytes($0) })
        else { throw Refusal(502, "The login server failed") }
        // The permit gate was passed before, but perhaps on a permit of the morning.
        let isRevoked = try isRevoked(MPinID(mpinID))
        let message = isRevoked ? "Revoked" : "Authentication successful"
        // An RPS that does not say so is told in any case, as the classic one wants to be.
        if object.flag("deviceWaits") ?? true {
            let result = try await rps.post(
                "/loginResult",
                JSONObject([
                    "authOTT": .string(authOTT), "status": .integer(isRevoked ? 410 : 200), "message": .string(message),
                    "logoutURL": logoutURL,
                    "logoutData": .object(["userId": .string(userID), "sessionToken": .string(logoutToken.hex)]),
                ]))
            // Only a device that still waits counts: it must not hear "timed out" about a browser that is logged in.
            guard isRevoked || result.status == 200 else { throw Self.refusal(result) }
        }
        if isRevoked { throw Refusal(410, message) }
        let newCookie = try logIn(userID, logoutToken: logoutToken, replacing: cookie)
        return (newCookie, loginReply(userID: userID, isOTP: object.string("OTP") != nil))
    }

    /// A login moves the session to a new cookie, so that a cookie planted beforehand is worth nothing.
    private func logIn(
        _ userID: String, logoutToken: OneTimeToken, replacing old: OneTimeToken?
    ) throws -> BrowserCookie {
        let now = clock.now
        let expires = now + BrowserSession.lifetime
        if let old { sessions.remove(old, now: now) }
        let session = BrowserSession(userID: userID, logoutToken: logoutToken)
        let cookie = try OneTimeToken.random()
        try sessions.insert(session, for: cookie, of: .person(userID), expires: expires, now: now)
        try cookiesByLogoutToken.insert(cookie, for: logoutToken, of: .person(userID), expires: expires, now: now)
        return .session(cookie)
    }

    func admit(_ user: String, replacing cookie: BrowserCookie?) throws -> BrowserCookie {
        try logIn(user, logoutToken: try .random(), replacing: cookie?.token)
    }

    /// A client that asked for a one-time password learns how long that counts, in milliseconds and seconds.
    private func loginReply(userID: String, isOTP: Bool) -> JSONObject {
        JSONObject(isOTP ? LoginToken.oneTimePasswordTimes(now: clock.now) : ["userId": .string(userID)])
    }

    private static func refusal(_ reply: PrivateReply) -> Refusal {
        if reply.status == 429 { return .tooManyLogins }
        if reply.status == 503 { return .uncounted }
        guard (400..<500).contains(reply.status) else { return Refusal(502, "The login server failed") }
        return Refusal(reply.status, reply.object?.string("message") ?? "Refused")
    }

    /// The browser logs itself out.
    func logOut(_ cookie: BrowserCookie?) {
        guard let token = cookie?.token else { return }
        let now = clock.now
        if let session = sessions.remove(token, now: now) {
            cookiesByLogoutToken.remove(session.logoutToken, now: now)
        }
    }

    /// The device logs the browser out with the `logoutData` that it got.
    /// - Throws: `Refusal` 400 when the session is somebody else's or the data is malformed. A session that is gone
    ///   already is no error.
    func logOut(_ logoutData: JSONObject) throws {
        guard let token = logoutData.string("sessionToken") else { throw Refusal.invalidData }
        let now = clock.now
        guard let token = OneTimeToken(token), let cookie = cookiesByLogoutToken.value(for: token, now: now),
            let session = sessions.value(for: cookie, now: now)
        else { return }
        if let userID = logoutData.string("userId"), UserID.normalized(userID) != session.userID {
            throw Refusal.invalidData
        }
        logOut(.session(cookie))
    }
}
