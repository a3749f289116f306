// SPDX-License-Identifier: Apache-2.0

/// Browsers that wait for a device. MIRACL protocol, section 6.
extension Platform {
    /// `POST /rps/v2/session`, by a relying party or its page. With a hash it is one that waits for a signature.
    /// - Throws: `PlatformRefusal` for malformed data; `Refusal` 429 and 503 when it says something that has to be
    ///   kept, and the address or all have too many.
    func makeSession(_ body: JSONObject, at mount: PlatformMount) async throws -> JSONObject {
        try requireProject(of: body)
        let hash = (body.string("hash") ?? "").lowercased()
        guard hash.isEmpty || Hexadecimal.bytes(hash)?.count == 32 else { throw PlatformRefusal.invalid("hash") }
        let userID = try userIDIfAny(in: body)
        let url = try await mount.url
        let now = clock.now
        let codes = try sessions.open(until: now + PlatformSession.lifetime)
        let description = body.string("description") ?? ""
        if !(userID.isEmpty && description.isEmpty && hash.isEmpty) {
            try sessions.store(
                PlatformSession(userID: userID, description: description, hash: hash), for: codes.accessCode, now: now)
        }
        return JSONObject([
            "webOTT": .string(codes.webOTT.hex), "qrURL": .string(url + "#" + codes.accessCode),
            "accessURL": .string(url + "/rps/v2/access"), "accessId": .string(codes.accessCode),
        ])
    }

    /// `POST /rps/v2/access`: what the browser polls.
    /// - Throws: `PlatformRefusal` without a webOTT.
    func access(_ body: JSONObject) throws -> JSONObject {
        guard let webOTT = body.string("webOTT") else { throw PlatformRefusal.invalid("webOTT") }
        let now = clock.now
        let session = OneTimeToken(webOTT).flatMap { sessions.accessCode(of: $0) }
            .flatMap { sessions.value(for: $0, now: now) }
        var reply: [String: JSONValue] = ["status": "expired", "statusCode": 0, "userId": "", "redirectURL": ""]
        if let session {
            reply["status"] = .string(session.status)
            reply["userId"] = .string(session.authenticatedUser ?? session.namedUser)
            if let signature = session.signature { reply["signature"] = .string(signature) }
        }
        return JSONObject(reply)
    }

    /// `POST /rps/v2/codeStatus`: what a device reports. Only the statuses that a device may set are taken.
    /// - Throws: `PlatformRefusal` for malformed data, and when somebody asks about a session that is not open.
    func reportProgress(_ body: JSONObject, at mount: PlatformMount) async throws -> JSONObject {
        guard let accessID = body.string("wid") else { throw PlatformRefusal.invalid("wid") }
        if body.string("status") == "signed" {
            guard let signature = body.string("signature") else { throw PlatformRefusal.invalid("signature") }
            try await deliverSignature(signature, to: accessID)
            return Self.acknowledgement
        }
        guard let progress = body.string("status").flatMap({ PlatformSession.Progress(rawValue: $0) }), progress != .new
        else { throw PlatformRefusal.invalid("status") }
        let userID = try userIDIfAny(in: body)
        let url = try await mount.url
        let now = clock.now
        if var session = openSession(accessID, now: now) {
            (session.progress, session.namedUser) = (progress, progress == .user ? userID : "")
            // Where there is no room the page does not hear it, which is all.
            try? sessions.store(session, for: accessID, now: now)
            if progress == .scanned { return details(of: session, logo: url + RPS.logoPath, at: mount) }
        } else if progress == .scanned {
            throw PlatformRefusal(.invalidAuthenticationSession)
        }
        return Self.acknowledgement
    }

    private static let acknowledgement = JSONObject(["status": "OK", "message": ""])

    func details(of session: PlatformSession, logo: String, at mount: PlatformMount) -> JSONObject {
        var details: [String: JSONValue] = [
            "prerollId": .string(session.userID), "projectId": .string(projectID), "projectName": .string(site.name),
            "projectLogoURL": .string(logo), "pinLength": .integer(Int64(pinLength)),
            "verificationMethod": "standardEmail", "verificationURL": "", "verificationCustomText": "",
            "identityType": "email", "identityTypeLabel": "", "enableRegistrationCode": true,
            "limitRegCodeVerified": true, "description": .string(session.description),
        ]
        if mount.generation == .mfaV2 {
            details.merge([
                "appName": .string(site.name), "appLogoURL": .string(logo), "customerId": .string(projectID),
                "customerName": .string(site.name), "customerLogoURL": .string(logo), "registerOnly": false,
                "clientId": "", "redirectURI": "",
            ]) { $1 }
        }
        if mount.generation == .trust2025 { details["hash"] = .string(session.hash) }
        return JSONObject(details)
    }

    /// The session of a code while a device may still log it in.
    func openSession(_ accessID: String, now: WallTime) -> PlatformSession? {
        sessions.value(for: accessID, now: now).flatMap { $0.authenticatedUser == nil ? $0 : nil }
    }
}
