// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto
import OpenIDProvider

/// The dialect `mfa-v1`, as far as it is not the classic protocol. docs/protocol/miracl.md, sections 5, 8.1 and 9.4.
extension RPS {
    /// The mpin_id of a new registration.
    func newMPinID(userID: String, mobile: Int64, issued: WallTime) throws -> MPinID {
        let salt = try RandomBytes.make(16)
        return dialect == .mfaV1
            ? MPinIDText.make(userID: userID, companyID: parts.projectID, mobile: mobile, issued: issued, salt: salt)
            : MPinIDText.make(userID: userID, mobile: mobile, issued: issued, salt: salt)
    }

    /// A new registration in `mfa-v1` belongs to a browser session.
    /// - Throws: `Refusal` 406 without a code, or with one of no open session.
    func requireSession(_ accessCode: String?, now: WallTime) async throws {
        guard dialect == .mfaV1 else { return }
        guard let accessCode, try await openCode(accessCode) != nil else {
            throw Refusal(406, "Client not accepted")
        }
    }

    /// The final step of a login that no browser waits for. A session of an authorization URL is used up with it.
    /// - Throws: `Refusal` 401, 410, 429 and 503 by the check, 412 for a session that is not open, 410 for a
    ///   revoked identity; 503 before it is checked when there is no room for the code.
    func finishWithoutBrowser(
        _ login: PendingLogin, under authOTT: OneTimeToken, _ request: DeviceLoginRequest
    ) async throws -> DeviceLoginReply {
        var accessCode: String?
        if let named = login.accessCode {
            guard let open = try await openCode(named) else { throw Self.expired }
            accessCode = open
        }
        if request.wantsCode { try await requireRoomForCode(of: login, under: authOTT) }
        let location: BrowserLocation? =
            if let accessCode { try await requirePlace(accessCode, of: login) } else { nil }
        let checked = try await proofs.check(login, under: authOTT, browser: location, card: request.card)
        let identity = checked.identity
        try identity.requirePermission()
        let now = clock.now
        var code = ""
        if request.wantsCode { code = try await applicationCode(for: identity, login, under: authOTT, now: now) }
        if let accessCode {
            // The check may have waited, and another device may have been faster.
            guard try await sessions.update(accessCode, now: now, { $0.value.end() ? true : nil }) != nil else {
                throw Self.expired
            }
        }
        return DeviceLoginReply(
            form: .platform(
                code: code, times: login.oneTimePassword == nil ? nil : PendingLogin.passwordTimes(from: now)),
            wrongPINs: checked.wrongPINs)
    }

    /// - Throws: `Refusal` 503 when there is no room for the code of an application's server. Then the device may hand
    ///   its login in again.
    private func requireRoomForCode(of login: PendingLogin, under authOTT: OneTimeToken) async throws {
        let person = EntryOwner.person(MPinIDText.userID(in: login.mpinID) ?? "")
        guard let refusal = applicationLogins.table.refusal(for: person, now: clock.now) else { return }
        try await proofs.keep(login, under: authOTT)
        throw refusal
    }

    /// The code with which the application's server learns who logged in.
    private func applicationCode(
        for identity: RegisteredIdentity, _ login: PendingLogin, under authOTT: OneTimeToken, now: WallTime
    ) async throws -> String {
        do {
            return try await applicationLogins.code(for: identity.userID, accessCode: login.accessCode, now: now).hex
        } catch {
            try await proofs.keep(login, under: authOTT)
            throw error
        }
    }
}

extension RPS: ApplicationGate {
    package func openSession(expecting userID: String, for application: String?) async throws -> OpenedSession {
        let session = try await makePicture(for: application)
        return OpenedSession(
            webOTT: session.webOTT, qrText: session.text,
            accessURL: try await mount.url + "/" + Self.prefix + "/access")
    }
}
