// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import MPinCrypto
import ServiceLifecycle

/// The final step: the verdict, and the wait for the browser. docs/protocol/milagro.md, sections 7.3, 11.1, 11.2.
///
/// An authOTT is taken once. That of a plain login, which no device waits for, is presented to the web site.
extension RPS {
    /// `POST /authenticate`, by a device that logs a browser in. In `mfa-v1` the device may also log in without a
    /// browser.
    /// - Throws: `Refusal` 401, 410, 429 and 503 by the check, 410 for a revoked identity, 408 when the browser did not
    ///   finish in time, 412 for an unknown or expired code, 503 when there was no room for the browser. After a 503
    ///   the device may hand its login in again.
    package func authenticateDevice(_ request: DeviceLoginRequest) async throws -> DeviceLoginReply {
        guard let authOTT = request.authOTT, let login = try await proofs.take(authOTT) else {
            throw Refusal.unknownLogin(412, Self.expired.message)
        }
        if dialect == .mfaV1, request.wantsCode || login.accessCode == nil {
            return try await finishWithoutBrowser(login, under: authOTT, request)
        }
        guard let named = login.accessCode, let accessCode = try await openCode(named) else { throw Self.expired }
        let location = try await requirePlace(accessCode, of: login)
        let checked = try await proofs.check(login, under: authOTT, browser: location, card: request.card)
        try checked.identity.requirePermission()
        let session = try await waitForBrowser(at: accessCode, of: checked.identity.userID, waiting: authOTT)
        guard session.waiting == authOTT else {
            // There was no room for the browser. Nothing is spent: neither the page's code nor the login.
            try await proofs.keep(login, under: authOTT)
            throw Refusal.full(until: clock.now + LoginSession.pauseWithoutRoom, clock.now)
        }
        // Numbers are scarce, so a used one is freed at once.
        if AccessNumber.isOne(named) { try await numbers.remove(named, now: clock.now) }
        guard session.status == .admitted, let browser = session.browser else { throw Self.timedOut }
        let logout = LogoutData(userID: session.userID, sessionToken: browser)
        return DeviceLoginReply(
            form: dialect == .mfaV1
                ? .platform(code: "", times: nil) : .classic(logout, url: session.offersLogout ? "/logout" : ""),
            wrongPINs: checked.wrongPINs)
    }

    static var expired: Refusal { Refusal(412, "Invalid or expired access number") }

    private static var timedOut: Refusal { Refusal(408, "Authentication timed out") }

    /// The location of the browser that a device logs in.
    /// - Throws: `Refusal` 403 where logins of such a browser are refused; then nothing is checked, or counted.
    func requirePlace(_ accessCode: String, of login: PendingLogin) async throws -> BrowserLocation? {
        let location = sessions.location(of: accessCode, now: clock.now)
        try await proofs.require(location, for: parts.networks, login)
        return location
    }

    /// Lets the page log its browser in, and waits for that.
    /// - Returns: the session as the browser, or the end of the wait, has left it.
    /// - Throws: `Refusal` 412 when another device was faster, 408 when the session is gone.
    private func waitForBrowser(
        at accessCode: String, of userID: String, waiting authOTT: OneTimeToken
    ) async throws -> LoginSession {
        let changes = sessions.changes(of: accessCode)
        // The check may have waited, and another device may have been faster.
        let deadline = clock.now + LoginSession.browserDeadline
        let isProved = try await sessions.update(accessCode, now: clock.now) { entry -> Bool? in
            guard entry.value.prove(userID, waiting: authOTT, until: deadline) else { return nil }
            entry.expires = max(entry.expires, deadline)
            return true
        }
        guard isProved != nil else { throw Self.expired }
        let decided = await withTaskGroup(of: LoginSession?.self) { group in
            group.addTask { await sessionAfterWait(at: accessCode, of: authOTT, changes) }
            group.addTask { [clock] in
                try? await clock.sleep(until: deadline)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let decided { return decided }
        // Device and browser get the same answer: a browser admitted just before the deadline is logged in, a later one
        // is not.
        guard let ended = try await end(accessCode, waiting: authOTT) else { throw Self.timedOut }
        return ended
    }

    /// - Returns: the session when the device has stopped waiting; nil when it is gone, or when the server stops, which
    ///   does not make its clients wait for the browser.
    private func sessionAfterWait(
        at accessCode: String, of authOTT: OneTimeToken, _ changes: AsyncStream<Void>
    ) async -> LoginSession? {
        for await _ in changes.cancelOnGracefulShutdown() {
            // A storage that cannot be read now may be again before the deadline.
            do throws(StorageError) {
                let session = try await sessions.value(for: accessCode, now: clock.now)
                if session?.isWaiting(authOTT) != true { return session }
            } catch {}
        }
        return nil
    }

    /// Ends the device's wait.
    /// - Returns: the session, which a browser may have got in the very last moment; nil when it is gone.
    private func end(_ accessCode: String, waiting authOTT: OneTimeToken) async throws(StorageError) -> LoginSession? {
        try await sessions.update(accessCode, now: clock.now) { entry in
            _ = entry.value.end(waiting: authOTT)
            return entry.value
        }
    }

    /// `POST /mpinAuthenticate`: the verdict on a login that no device waits for.
    /// - Throws: `Refusal` 401, 410, 429 and 503 by the check, 410 for a revoked identity, 408 for an unknown, used or
    ///   expired authOTT.
    package func authenticate(_ authOTT: OneTimeToken) async throws -> (userID: String, reply: DeviceLoginReply) {
        guard let login = try await proofs.take(authOTT, isPlain: true) else { throw Self.unknownToSite }
        let identity = try await proofs.check(login, under: authOTT).identity
        try identity.requirePermission()
        let times = login.oneTimePassword == nil ? nil : PendingLogin.passwordTimes(from: clock.now)
        return (identity.userID, DeviceLoginReply(form: .site(identity.userID, times: times), wrongPINs: nil))
    }

    package static var unknownToSite: Refusal { Refusal.unknownLogin(408, "Expired authentication request") }
}
