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
    ///   unknown or expired code, or the status that the relying party decided on. After a 503 of that one the device
    ///   may hand its login in again.
    func authenticateDevice(_ request: DeviceLoginRequest) async throws -> DeviceLoginReply {
        let expired = Refusal(412, "Invalid or expired access number")
        guard let authOTT = request.authOTT,
            let (login, turn, entry) = try await proofs.take(authOTT, seeing: sessions.coded.begun)
        else { throw Refusal.unknownLogin(412, "Invalid or expired access number") }
        if dialect == .mfaV1, request.wantsCode || login.accessCode == nil {
            return try await finishWithoutBrowser(
                login, under: authOTT, in: turn, seeing: entry, request)
        }
        guard let accessCode = login.accessCode, try await isOpen(accessCode, seen: entry, in: turn) else {
            await proofs.giveBack(turn)
            throw expired
        }
        let location = try await requirePlace(accessCode, in: turn)
        let signals = storage.volatile.signals(topic(of: authOTT))
        func verified(_ identity: RegisteredIdentity) -> VerifiedLogin {
            VerifiedLogin(
                authOTT: authOTT, mpinID: identity.mpinID, userID: identity.userID,
                oneTimePassword: login.oneTimePassword, deadline: clock.now + LoginSession.browserDeadline)
        }
        let judged = try await proofs.judge(login, in: turn, browser: location, card: request.card) { identity in
            VerdictSequel(steps: sessions.finishing(accessCode, with: verified(identity), now: clock.now))
        }
        // Judging may have waited, and another device may have been faster.
        let deadline = clock.now + LoginSession.browserDeadline
        if !judged.hasSequel,
            !(try await sessions.finish(accessCode, with: verified(judged.identity), now: clock.now))
        {
            throw expired
        }
        // Whatever happened, device and browser agree on it: a decision in the very last moment counts, and nothing of
        // this session can be used afterwards.
        var result = await waitForResult(at: accessCode, signals, before: deadline)
        if result == nil { result = try await sessions.end(accessCode, now: clock.now) }
        if result?.status == 503 {
            // The relying party had no room. Nothing is spent: neither the page's code nor the login.
            try await sessions.reopen(accessCode, after: authOTT, now: clock.now)
            try await proofs.keep(login, under: authOTT)
            throw Refusal.full(until: clock.now + LoginSession.pauseWithoutRoom, clock.now)
        }
        // There are few numbers.
        if AccessNumber.isOne(accessCode) { try await sessions.remove(accessCode, now: clock.now) }
        guard let result else { throw Refusal(LoginResult.timedOut.status, LoginResult.timedOut.message) }
        guard result.status == 200 else { throw Refusal(result.status, result.message) }
        return DeviceLoginReply(
            words: dialect == .mfaV1 ? .platform(code: "", times: nil) : .classic(result.logout),
            wrongPINs: judged.wrongPINs)
    }

    /// Whether the browser's session is open, which was seen when the login was taken; a number costs a look.
    /// - Throws: `StorageError`; then the turn is given back.
    func isOpen(
        _ accessCode: String, seen entry: TableEntry<CodedSessions<LoginSession>.State>?, in turn: JudgingTurn
    ) async throws -> Bool {
        guard AccessNumber.isOne(accessCode) else {
            return sessions.coded.session(accessCode, entry, clock.now)?.value.isOpen == true
        }
        do { return try await isOpen(session: accessCode, now: clock.now) } catch {
            await proofs.giveBack(turn)
            throw error
        }
    }

    /// Where the browser is that a device logs in.
    /// - Throws: `Refusal` 403 where logins of such a browser are refused; then nothing was judged, or counted.
    func requirePlace(_ accessCode: String, in turn: JudgingTurn) async throws -> BrowserLocation? {
        let location: BrowserLocation?
        do { location = try await sessions.location(of: accessCode, now: clock.now) } catch {
            await proofs.giveBack(turn)
            throw error
        }
        try await proofs.require(location, for: networks, in: turn)
        return location
    }

    private func topic(of authOTT: OneTimeToken) -> String { "\(mount.name)/\(authOTT.hex)" }

    /// - Returns: what was decided; nil when the deadline has come, or the server stops, which does not make its
    ///   clients wait for the browser.
    private func waitForResult(
        at accessCode: String, _ signals: AsyncStream<[UInt8]>, before deadline: WallTime
    ) async -> LoginResult? {
        let (clock, sessions) = (clock, sessions)
        return await withTaskGroup(of: LoginResult?.self) { group in
            group.addTask {
                for await message in signals.cancelOnGracefulShutdown() {
                    if let result = LoginResult(words: message) { return result }
                    // A storage that cannot be read now may be again before the deadline.
                    do throws(StorageError) {
                        guard let login = try await sessions.value(for: accessCode, now: clock.now)?.login else {
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
    func verdict(_ request: VerdictRequest) async throws -> VerdictReply {
        let unknown = Refusal.unknownLogin(408, "Expired authentication request")
        guard let authOTT = request.authOTT else { throw unknown }
        if let (login, turn, _) = try await proofs.take(authOTT, isPlain: true, seeing: sessions.coded.begun) {
            let identity = try await proofs.judge(login, in: turn).identity
            return VerdictReply(
                userID: identity.userID, mpinID: identity.mpinID, oneTimePassword: login.oneTimePassword,
                deviceWaits: false)
        }
        let claimed = try await sessions.update(waitingWith: authOTT, now: clock.now) { $0.claim(request.logout) }
        guard let claimed else { throw unknown }
        return claimed
    }

    /// The relying party's decision, which releases the device.
    /// - Throws: `Refusal` 408 when the device waits no more.
    func finish(_ decision: LoginDecision) async throws {
        let expired = Refusal(408, "Expired authentication request")
        guard let authOTT = decision.authOTT,
            let result = try await sessions.update(
                waitingWith: authOTT, now: clock.now, { $0.decide(decision) ? $0.result : nil })
        else { throw expired }
        try await storage.volatile.signal(topic(of: authOTT), saying: result.words)
    }

    func conclude(
        _ webOTT: OneTimeToken, with makeSteps: (VerdictReply) -> [(any VolatileStep)?],
        deciding decide: (VerdictReply) -> LoginDecision
    ) async throws -> VerdictReply? {
        var known: VerifiedLogin?
        let step = sessions.updating(pageWith: webOTT, now: clock.now) { login in
            guard let verdict = login.claim(LogoutOffer()), login.decide(decide(verdict)) else { return false }
            known = login
            return true
        }
        guard let step, let known else { return nil }
        let steps =
            [storage.ledger.mustNotBeRevoked(known.mpinID), step] + makeSteps(known.verdict)
            + [storage.volatile.signalling(topic(of: known.authOTT), saying: known.result?.words ?? [])]
        return try await storage.volatile.attempt(steps) ? known.verdict : nil
    }
}
