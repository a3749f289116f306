// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import ServiceLifecycle

/// The final step: the device waits, the browser and the relying party finish. docs/protocol/milagro.md, sections 7.3,
/// 11.1, 11.2.
///
/// An authOTT is taken once by the device, once by the relying party, and once by its result; in a plain login, which
/// no device waits for, by the relying party alone.
extension RPS {
    /// `POST /authenticate` of the public API, by a device that logs a browser in, or on the platform just itself.
    /// - Throws: `Refusal` 401, 410, 429 and 503 as judged, 408 when the browser did not finish in time, 412 for an
    ///   unknown or expired code, or the status that the relying party decided on. After a 503 the device may hand its
    ///   login in again.
    package func authenticateDevice(_ request: DeviceLoginRequest) async throws -> DeviceLoginReply {
        guard let authOTT = request.authOTT, let login = try await proofs.take(authOTT) else {
            throw Refusal.unknownLogin(412, Self.expired.message)
        }
        if dialect == .mfaV1, request.wantsCode || login.accessCode == nil {
            return try await finishWithoutBrowser(login, under: authOTT, request)
        }
        guard let typed = login.accessCode, let accessCode = try await openCode(typed) else { throw Self.expired }
        let location = try await requirePlace(accessCode, of: login)
        let changes = sessions.coded.changes(of: accessCode)
        let judged = try await proofs.judge(login, under: authOTT, browser: location, card: request.card)
        // Judging may have waited, and another device may have been faster.
        let deadline = clock.now + LoginSession.browserDeadline
        let verified = VerifiedLogin(
            authOTT: authOTT, mpinID: judged.identity.mpinID, userID: judged.identity.userID,
            oneTimePassword: login.oneTimePassword, deadline: deadline)
        guard try await sessions.finish(accessCode, with: verified, now: clock.now) else { throw Self.expired }
        // Whatever happened, device and browser agree on it: a decision in the very last moment counts, and nothing of
        // this session can be used afterwards.
        var result = await waitForResult(at: accessCode, changes, before: deadline)
        if result == nil { result = try await sessions.end(accessCode, now: clock.now) }
        if result?.status == 503 {
            // The relying party had no room. Nothing is spent: neither the page's code nor the login.
            try await sessions.reopen(accessCode, after: authOTT, now: clock.now)
            try await proofs.keep(login, under: authOTT)
            throw Refusal.full(until: clock.now + LoginSession.pauseWithoutRoom, clock.now)
        }
        // There are few numbers.
        if AccessNumber.isOne(typed) { try await sessions.remove(number: typed, now: clock.now) }
        guard let result else { throw Refusal(LoginResult.timedOut.status, LoginResult.timedOut.message) }
        guard result.status == 200 else { throw Refusal(result.status, result.message) }
        return DeviceLoginReply(
            words: dialect == .mfaV1 ? .platform(code: "", times: nil) : .classic(result.logout),
            wrongPINs: judged.wrongPINs)
    }

    static var expired: Refusal { Refusal(412, "Invalid or expired access number") }

    /// Where the browser is that a device logs in.
    /// - Throws: `Refusal` 403 where logins of such a browser are refused; then nothing is judged, or counted.
    func requirePlace(_ accessCode: String, of login: BegunLogin) async throws -> BrowserLocation? {
        let location = sessions.coded.location(of: accessCode, now: clock.now)
        try await proofs.require(location, for: networks, login)
        return location
    }

    /// - Returns: what was decided; nil when the deadline has come, or the server stops, which does not make its
    ///   clients wait for the browser.
    private func waitForResult(
        at accessCode: String, _ changes: AsyncStream<Void>, before deadline: WallTime
    ) async -> LoginResult? {
        let (clock, sessions) = (clock, sessions)
        return await withTaskGroup(of: LoginResult?.self) { group in
            group.addTask {
                for await _ in changes.cancelOnGracefulShutdown() {
                    // A storage that cannot be read now may be again before the deadline.
                    do throws(StorageError) {
                        guard let login = try await sessions.coded.value(for: accessCode, now: clock.now)?.login else {
                            return nil
                        }
                        if let result = login.result { return result }
                    } catch {}
                }
                return nil
            }
            group.addTask {
                try? await clock.sleep(until: deadline)
                return nil
            }
            let result = await group.next() ?? nil
            group.cancelAll()
            return result
        }
    }

    /// The relying party asks who logged in. It may ask once.
    /// - Throws: `Refusal` 401, 410, 429 and 503 as judged, 408 for an unknown, used or expired authOTT.
    package func verdict(_ request: VerdictRequest) async throws -> VerdictReply {
        let unknown = Refusal.unknownLogin(408, "Expired authentication request")
        guard let authOTT = request.authOTT else { throw unknown }
        let claimed = try await sessions.update(waitingWith: authOTT, now: clock.now) { $0.claim(request.logout) }
        if let claimed { return claimed }
        guard let login = try await proofs.take(authOTT, isPlain: true) else { throw unknown }
        let identity = try await proofs.judge(login, under: authOTT).identity
        return VerdictReply(
            userID: identity.userID, mpinID: identity.mpinID, oneTimePassword: login.oneTimePassword,
            deviceWaits: false)
    }

    /// The relying party's decision, which releases the device.
    /// - Throws: `Refusal` 408 when the device waits no more.
    package func finish(_ decision: LoginDecision) async throws {
        let expired = Refusal(408, "Expired authentication request")
        guard let authOTT = decision.authOTT else { throw expired }
        let isDecided = try await sessions.update(waitingWith: authOTT, now: clock.now) { login -> Bool? in
            login.decide(decision) ? true : nil
        }
        guard isDecided != nil else { throw expired }
    }
}
