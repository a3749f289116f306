// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The web site that people log in to. Its requests to the RPS are in ``RPSService``. Milagro protocol, sections 7.3,
/// 11.2 and 11.3.
struct RelyingParty: Sendable {
    let rps: any RPSService
    let storage: BackendStorage
    let mount: ClassicMount
    /// Whether devices may log their browsers out again.
    let offersLogout: Bool
    let clock: any WallClock

    /// `POST /mpinAuthenticate`: finishes a login and logs the browser in before its device gets the reply. If that
    /// is impossible, the device is told to try again.
    /// - Throws: `Refusal` with the RPS's verdict (401, 408, 410, 429, 503), 410 for a revoked identity, 502; 503
    ///   when there is no room for the browser.
    func authenticate(_ authOTT: OneTimeToken?, for browser: BrowserAdmission) async throws -> FinishedLogin {
        let logoutToken = try OneTimeToken.random()
        let verdict = try await rps.verdict(
            VerdictRequest(
                authOTT: authOTT,
                logout: LogoutOffer(LogoutData(sessionToken: logoutToken), url: logoutURL)))
        // The device got a permit, but perhaps before the identity was revoked today.
        let steps = browser.steps(verdict.userID, logoutToken)
        if !verdict.deviceWaits,
            try await storage.volatile.attempt([storage.ledger.mustNotBeRevoked(verdict.mpinID)] + steps)
        {
            return FinishedLogin(verdict, now: clock.now)
        }
        let isRevoked = try await storage.durable.isRevoked(verdict.mpinID)
        let message = isRevoked ? "Revoked" : Self.success
        func tellDevice(_ status: Int, _ message: String, _ logout: LogoutOffer) async throws {
            guard verdict.deviceWaits else { return }
            try await rps.finish(LoginDecision(authOTT: authOTT, status: status, message: message, logout: logout))
        }
        if isRevoked {
            try? await tellDevice(410, message, LogoutOffer())
            throw Refusal(410, message)
        }
        do { try await browser.admit(verdict.userID, logoutToken) } catch {
            try? await tellDevice(503, Self.noRoom, LogoutOffer())
            throw error
        }
        // The device must still be waiting: it must not show "timed out" when the browser is logged in.
        do {
            try await tellDevice(
                200, message,
                LogoutOffer(LogoutData(userID: verdict.userID, sessionToken: logoutToken), url: logoutURL))
        } catch {
            await browser.undo()
            throw error
        }
        return FinishedLogin(verdict, now: clock.now)
    }

    private static let success = "Authentication successful"
    private static let noRoom = "The service is busy. Try again."

    private var logoutURL: String { offersLogout ? "/logout" : "" }

    /// Confirms a registration after the person pressed the button on the mail's page. Returns false when it was too
    /// late.
    func activate(_ link: ActivationLink) async throws -> Bool {
        do { try await rps.activate(link.mpinID, key: link.activateKey) } catch is Refusal { return false }
        return true
    }
}

extension RelyingParty: LoginCodes {
    func newAttempt(on page: OneTimeToken, for application: String?) async throws -> LoginAttempt {
        let picture = try await rps.openPage(for: application)
        return LoginAttempt(
            webOTT: picture.webOTT.hex, qrText: picture.text,
            changes: picture.begins + mount.site.codeLifetime, expires: picture.expires, page: page,
            number: try await newNumber(for: application))
    }

    /// Nil in dialects without numbers, and when enough are open: the picture suffices.
    private func newNumber(for application: String?) async throws -> LoginAttempt.AccessNumberOffer? {
        guard mount.dialect.hasAccessNumbers, mount.takesTypedCodes else { return nil }
        do {
            let number = try await rps.makePageNumber(for: application)
            return LoginAttempt.AccessNumberOffer(webOTT: number.webOTT.hex, digits: number.text)
        } catch let refusal as Refusal where refusal.code == 429 || refusal.code == 503 {
            return nil
        }
    }

    func changes(of attempt: LoginAttempt) -> [AsyncStream<[UInt8]>] {
        [attempt.accessCode, attempt.number?.digits].compactMap { $0.flatMap { rps.changes(of: $0) } }
    }

    func progress(of attempt: LoginAttempt, admitting browser: BrowserAdmission) async throws -> LoginProgress {
        // If this process judged the PIN it knows the result without looking.
        if let done = try await concluded(attempt, admitting: browser) { return done }
        var access = try await access(attempt.webOTT)
        // No kiosk has read the picture: perhaps the person typed the number.
        if let number = attempt.number, ["new", "abort", "expired"].contains(access.status) {
            let typed = try await self.access(number.webOTT)
            if typed.status != "expired" { access = typed }
        }
        switch access.status {
        case "new": return .new
        case "abort": return .declined
        case "wid": return .scanned
        case "user": return .named(access.userID)
        case "authenticate":
            if let done = try await concluded(attempt, admitting: browser) { return done }
            do {
                return .done(user: try await authenticate(OneTimeToken(access.authOTT), for: browser).userID)
            } catch let refusal as Refusal where refusal.code < 500 {
                // Another poll of the same page is being handled, or the device gave up.
                return .named("")
            }
        default: return .expired
        }
    }

    /// Concludes a judged login and admits its browser in one transaction; nil when that is impossible.
    private func concluded(_ attempt: LoginAttempt, admitting browser: BrowserAdmission) async throws
        -> LoginProgress?
    {
        guard let webOTT = OneTimeToken(attempt.webOTT) else { return nil }
        let logoutToken = try OneTimeToken.random()
        let verdict = try await rps.conclude(webOTT) {
            browser.steps($0.userID, logoutToken)
        } deciding: {
            LoginDecision(
                authOTT: nil, status: 200, message: Self.success,
                logout: LogoutOffer(LogoutData(userID: $0.userID, sessionToken: logoutToken), url: logoutURL))
        }
        return verdict.map { .done(user: $0.userID) }
    }

    private func access(_ webOTT: String) async throws -> AccessReply {
        guard let webOTT = OneTimeToken(webOTT) else { return AccessReply(status: "expired") }
        return try await rps.access(AccessRequest(webOTT: webOTT))
    }
}

/// A login whose browser is logged in.
struct FinishedLogin: Sendable {
    let userID: String
    /// The lifetime of a one-time password, for a client that asked for one. It gets nothing else.
    let passwordTimes: CodeTimes?

    init(_ verdict: VerdictReply, now: WallTime) {
        userID = verdict.userID
        passwordTimes = verdict.oneTimePassword == nil ? nil : BegunLogin.passwordTimes(from: now)
    }

    var json: JSONObject { JSONObject(passwordTimes?.members ?? ["userId": .string(userID)]) }
}
