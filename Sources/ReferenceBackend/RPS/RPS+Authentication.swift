// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import ServiceLifecycle

/// The final step: the device waits, the browser and the relying party finish. Milagro protocol, sections 7.3, 11.1,
/// 11.2.
///
/// An authOTT is taken once by the device, once by the relying party, and once by its result; in a plain login, which
/// no device waits for, by the relying party alone.
extension RPS {
    /// `POST /authenticate` of the public API, by a device that logs a browser in, or on the platform just itself.
    /// - Throws: `Refusal` 401, 410, 429 and 503 as judged, 408 when the browser did not finish in time, 412 for an
    ///   unknown or expired code, or the status that the relying party decided on.
    func authenticateDevice(_ request: DeviceLoginRequest) async throws -> DeviceLoginReply {
        let expired = Refusal(412, "Invalid or expired access number")
        guard let authOTT = request.authOTT, let login = try await proofs.take(authOTT) else { throw expired }
        if dialect == .mfaV1, request.wantsCode || login.accessCode == nil {
            return try await finishWithoutBrowser(login, under: authOTT, wantsCode: request.wantsCode)
        }
        guard let accessCode = login.accessCode, try await isOpen(session: accessCode, now: clock.now) else {
            throw expired
        }
        let identity = try await proofs.judge(login, under: authOTT)
        let now = clock.now
        let deadline = now + LoginSession.browserDeadline
        let signals = storage.volatile.signals(topic(of: authOTT))
        try await verifiedLogins.insert(
            VerifiedLogin(identity: identity, oneTimePassword: login.oneTimePassword), for: authOTT, expires: deadline,
            now: now)
        // Judging may have waited, and another device may have been faster.
        guard try await sessions.finish(accessCode, authOTT: authOTT, until: deadline, now: now) else {
            try await verifiedLogins.take(authOTT, now: now)
            throw expired
        }
        await waitForResult(of: authOTT, signals, before: deadline)
        // Whatever happened, device and browser agree on it: a decision in the very last moment counts, and nothing of
        // this session can be used afterwards.
        let result = try await verifiedLogins.take(authOTT, now: now)?.result
        try await sessions.remove(accessCode, now: now)
        guard let result else { throw Refusal(408, "Authentication timed out") }
        guard result.status == 200 else { throw Refusal(result.status, result.message) }
        return dialect == .mfaV1 ? .platform(code: "", times: nil) : .classic(result.logout)
    }

    private func topic(of authOTT: OneTimeToken) -> String { "\(mount.name)/\(authOTT.hex)" }

    /// Returns when there is a result, the deadline has come, or the server stops, which does not make its clients wait
    /// for the browser.
    private func waitForResult(
        of authOTT: OneTimeToken, _ signals: AsyncStream<Void>, before deadline: WallTime
    ) async {
        let (clock, logins) = (clock, verifiedLogins)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in signals.cancelOnGracefulShutdown() {
                    // A storage that cannot be read now may be again before the deadline.
                    do throws(StorageError) {
                        guard let login = try await logins.value(for: authOTT, now: clock.now) else { return }
                        if login.result != nil { return }
                    } catch {}
                }
            }
            group.addTask { try? await clock.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
    }

    /// The relying party asks who logged in. It may ask once.
    /// - Throws: `Refusal` 401, 410, 429 and 503 as judged, 408 for an unknown, used or expired authOTT.
    func verdict(_ request: VerdictRequest) async throws -> VerdictReply {
        let unknown = Refusal(408, "Expired authentication request")
        guard let authOTT = request.authOTT else { throw unknown }
        let claimed = try await verifiedLogins.change(authOTT, now: clock.now) { entry -> VerifiedLogin? in
            guard let login = entry?.value, !login.isClaimed else { return nil }
            entry?.value.isClaimed = true
            entry?.value.logout = request.logout
            return login
        }
        if let claimed {
            return VerdictReply(claimed.identity, oneTimePassword: claimed.oneTimePassword, deviceWaits: true)
        }
        guard let login = try await proofs.takePlain(authOTT) else { throw unknown }
        return VerdictReply(
            try await proofs.judge(login, under: authOTT), oneTimePassword: login.oneTimePassword, deviceWaits: false)
    }

    /// The relying party's decision, which releases the device.
    /// - Throws: `Refusal` 408 when the device waits no more.
    func finish(_ decision: LoginDecision) async throws {
        let expired = Refusal(408, "Expired authentication request")
        guard let authOTT = decision.authOTT else { throw expired }
        let isTaken = try await verifiedLogins.change(authOTT, now: clock.now) { entry in
            guard let login = entry?.value, login.isClaimed, login.result == nil else { return false }
            let logout = LogoutOffer(
                data: decision.logout.data ?? login.logout.data,
                url: decision.logout.url ?? login.logout.url ?? "/logout")
            entry?.value.result = LoginResult(status: decision.status, message: decision.message, logout: logout)
            return true
        }
        guard isTaken else { throw expired }
        try await storage.volatile.signal(topic(of: authOTT))
    }
}
