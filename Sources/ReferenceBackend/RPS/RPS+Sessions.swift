// SPDX-License-Identifier: Apache-2.0

/// Browser sessions: QR codes and access numbers. Milagro protocol, section 7.3.
extension RPS {
    /// `POST /getQrUrl`.
    func makeQRSession() async throws -> JSONObject {
        let url = try await mount.url
        let accessCode = try OneTimeToken.random().hex
        return try makeSession(accessCode, name: "qrUrl", text: url + "#" + accessCode)
    }

    /// `POST /getAccessNumber`.
    func makeAccessNumberSession() throws -> JSONObject {
        var number: String
        repeat {
            number = AccessNumber.random(using: &generator)
        } while sessions.value(for: number, now: clock.now) != nil
        return try makeSession(number, name: "accessNumber", text: number)
    }

    private func makeSession(_ accessCode: String, name: String, text: String) throws -> JSONObject {
        let webOTT = try OneTimeToken.random()
        let now = clock.now
        let end = now + LoginSession.lifetime
        sessions.insert(LoginSession(), for: accessCode, expires: end + LoginSession.grace, now: now)
        accessCodes.insert(accessCode, for: webOTT, expires: end + LoginSession.grace, now: now)
        return JSONObject([
            name: .string(text), "webOTT": .string(webOTT.hex),
            "ttlSeconds": .integer(LoginSession.lifetime.components.seconds),
            "localTimeStart": .integer(now.milliseconds), "localTimeEnd": .integer(end.milliseconds),
        ])
    }

    /// `POST /access`: what the browser polls.
    /// - Throws: `Refusal` 400 without a webOTT.
    func access(_ body: JSONObject) throws -> JSONObject {
        guard let webOTT = body.string("webOTT") else { throw Refusal.invalidData }
        let now = clock.now
        let session = OneTimeToken(webOTT).flatMap { accessCodes.value(for: $0, now: now) }
            .flatMap { sessions.value(for: $0, now: now) }
        let status = session.map { $0.authOTT == nil ? $0.progress.rawValue : "authenticate" } ?? "expired"
        return JSONObject([
            "status": .string(status), "statusCode": 0, "redirectURL": "",
            "userId": .string(status == "user" ? session?.userID ?? "" : ""),
            "authOTT": .string(session?.authOTT?.hex ?? ""),
        ])
    }

    /// `POST /codeStatus`: what a device reports. Only the three statuses a device may set are taken, so that nobody
    /// can claim a login that did not happen.
    /// - Throws: `Refusal` 400 for another status or without a code.
    func reportProgress(_ body: JSONObject) async throws -> JSONObject {
        guard let accessCode = body.string("wid"),
            let progress = body.string("status").flatMap({ LoginSession.Progress(rawValue: $0) }), progress != .new
        else { throw Refusal.invalidData }
        let named = body.string("userId") ?? ""
        guard let userID = named.isEmpty ? "" : (try? UserID(named))?.text else { throw Refusal.invalidData }
        let logo = try await mount.url + Self.logoPath
        let now = clock.now
        let acknowledgement = JSONObject(["Status": "OK", "status": "OK", "message": ""])
        guard isOpen(session: accessCode, now: now) else { return acknowledgement }
        sessions.update(accessCode, now: now) { session in
            session.progress = progress
            session.userID = progress == .user ? userID : ""
        }
        return progress == .scanned ? sessionDetails(logo: logo) : acknowledgement
    }

    /// Both spellings of every key: servers and SDKs never agreed on one.
    private func sessionDetails(logo: String) -> JSONObject {
        let name = JSONValue.string(mount.site.name)
        let logo = JSONValue.string(logo)
        var details: [String: JSONValue] = [
            "PrerollId": "", "prerollId": "", "AppName": name, "appName": name, "AppLogoUrl": logo, "appLogoURL": logo,
        ]
        if dialect == .mfaV1 {
            details.merge(["customerId": .string(companyID), "customerName": name, "customerLogoURL": logo]) { $1 }
        }
        return JSONObject(details)
    }

    /// True while a device may still log this session in.
    func isOpen(session accessCode: String, now: WallTime) -> Bool {
        sessions.value(for: accessCode, now: now).map { $0.authOTT == nil } ?? false
    }
}
