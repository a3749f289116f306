// SPDX-License-Identifier: Apache-2.0

/// Browser sessions: QR codes and access numbers. Milagro protocol, section 7.3.
extension RPS {
    /// `POST /getQrUrl`.
    func makeQRSession() async throws -> JSONObject {
        let url = try await mount.url
        let now = clock.now
        let codes = try sessions.openCode(until: now + LoginSession.lifetime + LoginSession.grace)
        return session("qrUrl", url + "#" + codes.accessCode, codes.webOTT, now)
    }

    /// `POST /getAccessNumber`.
    /// - Throws: `Refusal` 429 when the address has enough of them, 503 when there are enough in all.
    func makeAccessNumberSession() throws -> JSONObject {
        let now = clock.now
        var number: String
        repeat {
            number = AccessNumber.random(using: &generator)
        } while sessions.value(for: number, now: now) != nil
        let webOTT = try sessions.open(number, until: now + LoginSession.lifetime + LoginSession.grace, now: now)
        return session("accessNumber", number, webOTT, now)
    }

    private func session(_ name: String, _ text: String, _ webOTT: OneTimeToken, _ now: WallTime) -> JSONObject {
        JSONObject([
            name: .string(text), "webOTT": .string(webOTT.hex),
            "ttlSeconds": .integer(LoginSession.lifetime.components.seconds),
            "localTimeStart": .integer(now.milliseconds),
            "localTimeEnd": .integer((now + LoginSession.lifetime).milliseconds),
        ])
    }

    /// `POST /access`: what the browser polls.
    /// - Throws: `Refusal` 400 without a webOTT.
    func access(_ body: JSONObject) throws -> JSONObject {
        guard let webOTT = body.string("webOTT") else { throw Refusal.invalidData }
        let now = clock.now
        let session = OneTimeToken(webOTT).flatMap { sessions.value(polledWith: $0, now: now) }
        let status = session.map { $0.authOTT == nil ? $0.progress.rawValue : "authenticate" } ?? "expired"
        return JSONObject([
            "status": .string(status), "statusCode": 0, "redirectURL": "",
            "userId": .string(status == "user" ? session?.userID ?? "" : ""),
            "authOTT": .string(session?.authOTT?.hex ?? ""),
        ])
    }

    /// `POST /codeStatus`: what a device reports. Only the three statuses a device may set are taken, so that nobody
    /// can claim a login that did not happen. What is said about an access number is answered in the same way whether
    /// one is open or not: a stranger shall not find open ones by asking.
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
        let isOpen = isOpen(session: accessCode, now: now)
        if isOpen { sessions.report(progress, of: userID, to: accessCode, now: now) }
        let tellsDetails = progress == .scanned && (isOpen || AccessNumber.isOne(accessCode))
        return tellsDetails ? sessionDetails(logo: logo) : acknowledgement
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

    /// True while a device may still log this session in. An address that guessed too many numbers finds none.
    func isOpen(session accessCode: String, now: WallTime) -> Bool {
        let isNumber = AccessNumber.isOne(accessCode)
        if isNumber, !numberGuesses.admits(.current, now: now) { return false }
        guard let session = sessions.value(for: accessCode, now: now) else {
            if isNumber { numberGuesses.count(from: .current, now: now) }
            return false
        }
        return session.authOTT == nil
    }
}
