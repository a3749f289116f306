// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import ServiceLifecycle

/// The final step: the device waits, the browser and the relying party finish. Milagro protocol, sections 7.3, 11.1, 11.2.
///
/// An authOTT is taken once by the device, once by the relying party, and once by its result; in a plain login, which no
/// device waits for, by the relying party alone.
extension RPS {
    /// `POST /authenticate` of the public API, by a device that logs a browser in, or on the platform just itself.
    /// - Throws: `Refusal` 400, 401, 410, 429 and 503 as judged, 408 when the browser did not finish in time, 412 for
    ///   an unknown or expired code, or the status that the relying party decided on.
    func authenticateDevice(_ body: JSONObject) async throws -> JSONObject {
        guard let text = body.object("mpinResponse")?.string("authOTT") else { throw Refusal.invalidData }
        let expired = Refusal(412, "Invalid or expired access number")
        guard let authOTT = OneTimeToken(text), let token = loginTokens.remove(authOTT, now: clock.now) else {
            throw expired
        }
        let wantsCode = body.flag("authzRequest") == true
        if dialect == .mfaV1, wantsCode || token.accessCode == nil {
            return try await finishWithoutBrowser(token, wantsCode: wantsCode)
        }
        guard let accessCode = token.accessCode, isOpen(session: accessCode, now: clock.now) else { throw expired }
        let identity = try await judge.judge(token.proof)
        let now = clock.now
        // Judging may have waited, and another device may have been faster.
        guard isOpen(session: accessCode, now: now) else { throw expired }
        let (results, device) = AsyncStream.makeStream(of: LoginResult.self, bufferingPolicy: .bufferingNewest(1))
        let deadline = now + LoginSession.browserDeadline
        sessions.update(accessCode, now: now) { $0.authOTT = authOTT }
        sessions.keep(accessCode, until: deadline)
        verifiedLogins.insert(
            VerifiedLogin(identity: identity, otp: token.otp, device: device, isClaimed: false), for: authOTT,
            expires: deadline, now: now)
        let early = await firstResult(of: results, before: deadline)
        // Whatever happened, device and browser agree on it: a decision in the very last moment counts, and nothing of
        // this session can be used afterwards.
        let result = early ?? verifiedLogins.remove(authOTT, now: now)?.result
        verifiedLogins.remove(authOTT, now: now)
        sessions.remove(accessCode, now: now)
        guard let result else { throw Refusal(408, "Authentication timed out") }
        guard result.status == 200 else { throw Refusal(result.status, result.message) }
        if dialect == .mfaV1 { return JSONObject(Self.accepted(code: "")) }
        return JSONObject([
            "logoutURL": .string(result.logout.url ?? ""), "logoutData": result.logout.data ?? .object([:]),
        ])
    }

    private func firstResult(of results: AsyncStream<LoginResult>, before deadline: WallTime) async -> LoginResult? {
        let clock = clock
        return await withTaskGroup(of: LoginResult?.self) { group in
            group.addTask {
                // A stopping server does not make its clients wait for the browser.
                for await result in results.cancelOnGracefulShutdown() { return result }
                return nil
            }
            group.addTask {
                try? await clock.sleep(until: deadline)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    /// `POST /authenticate` of the private listener: the relying party asks who logged in. It may ask once.
    /// - Throws: `Refusal` 400, 401, 410, 429 and 503 as judged, 408 for an unknown, used or expired authOTT.
    func authenticateForRelyingParty(_ body: JSONObject) async throws -> JSONObject {
        guard let text = body.string("authOTT") else { throw Refusal.invalidData }
        let unknown = Refusal(408, "Expired authentication request")
        guard let authOTT = OneTimeToken(text) else { throw unknown }
        let now = clock.now
        if let login = verifiedLogins.value(for: authOTT, now: now), !login.isClaimed {
            verifiedLogins.update(authOTT, now: now) { login in
                login.isClaimed = true
                login.logout = LogoutOffer(data: body.members["logoutData"], url: body.string("logoutURL"))
            }
            return Self.verdict(on: login.identity, otp: login.otp, deviceWaits: true)
        }
        // The token of a browser session is the device's to present; only a plain login is judged here.
        guard let token = loginTokens.value(for: authOTT, now: now), token.accessCode == nil else { throw unknown }
        loginTokens.remove(authOTT, now: now)
        let identity = try await judge.judge(token.proof)
        return Self.verdict(on: identity, otp: token.otp, deviceWaits: false)
    }

    /// - Parameter deviceWaits: whether the relying party's result is for anybody.
    private static func verdict(on identity: RegisteredIdentity, otp: String?, deviceWaits: Bool) -> JSONObject {
        var reply: [String: JSONValue] = [
            "status": 200, "message": "Authentication successful", "userId": .string(identity.userID),
            "mpinId": .string(Hexadecimal.text(identity.mpinID.bytes)), "deviceWaits": .boolean(deviceWaits),
        ]
        if let otp { reply["OTP"] = .string(otp) }
        return JSONObject(reply)
    }

    /// `POST /loginResult` of the private listener: the relying party's decision, which releases the device.
    /// - Throws: `Refusal` 400, 408 when nobody waits for it any more.
    func finish(_ body: JSONObject) throws {
        guard let text = body.string("authOTT"), let status = body.integer("status"),
            status == 200 || (400...599).contains(status)
        else {
            throw Refusal.invalidData
        }
        let now = clock.now
        guard let authOTT = OneTimeToken(text), let login = verifiedLogins.value(for: authOTT, now: now),
            login.isClaimed, login.result == nil
        else { throw Refusal(408, "Expired authentication request") }
        let logout = LogoutOffer(
            data: body.members["logoutData"] ?? login.logout.data,
            url: body.string("logoutURL") ?? login.logout.url ?? "/logout")
        let result = LoginResult(
            status: Int(status), message: body.string("message") ?? "", logout: logout)
        verifiedLogins.update(authOTT, now: now) { $0.result = result }
        login.device.yield(result)
    }
}
