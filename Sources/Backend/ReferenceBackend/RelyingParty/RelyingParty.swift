// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import MPinCrypto

/// The web site that people log in to. Its requests to the RPS are in ``RPSService``. docs/protocol/milagro.md,
/// sections 7.3, 11.2 and 11.3.
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
        let logoutToken = try browser.logoutToken
        let verdict = try await rps.verdict(
            VerdictRequest(
                authOTT: authOTT,
                logout: LogoutOffer(LogoutData(sessionToken: logoutToken), url: logoutURL)))
        // The permit gate was passed before, but perhaps on a permit of the morning.
        let isRevoked = try await storage.durable.identity(verdict.mpinID)?.isRevoked ?? false
        let message = isRevoked ? "Revoked" : Self.success
        func tellDevice(_ status: Int, _ message: String, _ logout: LogoutOffer) async throws {
            guard verdict.deviceWaits else { return }
            try await rps.finish(LoginDecision(authOTT: authOTT, status: status, message: message, logout: logout))
        }
        if isRevoked {
            try? await tellDevice(410, message, LogoutOffer())
            throw Refusal(410, message)
        }
        do { try await browser.admit(verdict.userID) } catch {
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
            number: try await newNumber(of: picture.webOTT))
    }

    /// Nil where there are none, and when enough of them are open: the picture does as well.
    private func newNumber(of webOTT: OneTimeToken) async throws -> String? {
        guard mount.dialect.hasAccessNumbers, mount.takesTypedCodes else { return nil }
        do { return try await rps.makePageNumber(of: webOTT) } catch let refusal as Refusal
            where refusal.code == 429 || refusal.code == 503
        {
            return nil
        }
    }

    func close(_ attempt: LoginAttempt) async throws {
        if let webOTT = OneTimeToken(attempt.webOTT) { try await rps.closePage(webOTT, number: attempt.number) }
    }

    func changes(of attempt: LoginAttempt) -> AsyncStream<Void>? {
        OneTimeToken(attempt.webOTT).flatMap { rps.changes(ofPage: $0) }
    }

    func progress(of attempt: LoginAttempt, admitting browser: BrowserAdmission) async throws -> LoginProgress {
        guard let webOTT = OneTimeToken(attempt.webOTT) else { return .expired }
        let access = try await rps.access(AccessRequest(webOTT: webOTT))
        switch access.status {
        case "new": return .new
        case "abort": return .declined
        case "wid": return .scanned
        case "user": return .named(access.userID)
        case "authenticate":
            do {
                return .done(user: try await authenticate(OneTimeToken(access.authOTT), for: browser).userID)
            } catch let refusal as Refusal where refusal.code < 500 {
                // Another poll of the same page is being handled, or the device gave up.
                return .named("")
            }
        default: return .expired
        }
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
