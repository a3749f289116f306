// SPDX-License-Identifier: Apache-2.0

/// Browsers that wait for a device. MIRACL protocol, section 6.
extension TrustPlatform {
    /// `POST /rps/v2/session`, by a relying party or its page. With a hash it is one that waits for a signature.
    /// - Throws: `TrustRefusal` for malformed data.
    func makeSession(_ body: JSONObject, at mount: TrustMount) async throws -> JSONObject {
        try requireProject(of: body)
        let hash = (body.string("hash") ?? "").lowercased()
        guard hash.isEmpty || Hexadecimal.bytes(hash)?.count == 32 else { throw TrustRefusal.invalid("hash") }
        let url = try await mount.url
        let accessID = try OneTimeToken.random().hex
        let webOTT = try OneTimeToken.random()
        let now = clock.now
        let expires = now + TrustSession.lifetime
        sessions.insert(
            TrustSession(
                userID: body.string("userId") ?? "", description: body.string("description") ?? "", hash: hash),
            for: accessID, expires: expires, now: now)
        accessIDs.insert(accessID, for: webOTT, expires: expires, now: now)
        return JSONObject([
            "webOTT": .string(webOTT.hex), "qrURL": .string(url + "#" + accessID),
            "accessURL": .string(url + "/rps/v2/access"), "accessId": .string(accessID),
        ])
    }

    /// `POST /rps/v2/access`: what the browser polls.
    /// - Throws: `TrustRefusal` without a webOTT.
    func access(_ body: JSONObject) throws -> JSONObject {
        guard let webOTT = body.string("webOTT") else { throw TrustRefusal.invalid("webOTT") }
        let now = clock.now
        let session = OneTimeToken(webOTT).flatMap { accessIDs.value(for: $0, now: now) }
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
    /// - Throws: `TrustRefusal` for malformed data, and when somebody asks about a session that is not open.
    func reportProgress(_ body: JSONObject, at mount: TrustMount) async throws -> JSONObject {
        guard let accessID = body.string("wid") else { throw TrustRefusal.invalid("wid") }
        if body.string("status") == "signed" {
            guard let signature = body.string("signature") else { throw TrustRefusal.invalid("signature") }
            try await deliverSignature(signature, to: accessID)
            return Self.acknowledgement
        }
        guard let progress = body.string("status").flatMap({ TrustSession.Progress(rawValue: $0) }), progress != .new
        else { throw TrustRefusal.invalid("status") }
        let userID = body.string("userId") ?? ""
        guard userID.utf8.count <= 255 else { throw TrustRefusal.invalid("userId") }
        let url = try await mount.url
        let now = clock.now
        if let session = openSession(accessID, now: now) {
            sessions.update(accessID, now: now) { session in
                session.progress = progress
                session.namedUser = progress == .user ? userID : ""
            }
            if progress == .scanned { return details(of: session, logo: url + RPS.logoPath, at: mount) }
        } else if progress == .scanned {
            throw TrustRefusal(.invalidAuthenticationSession)
        }
        return Self.acknowledgement
    }

    private static let acknowledgement = JSONObject(["status": "OK", "message": ""])

    func details(of session: TrustSession, logo: String, at mount: TrustMount) -> JSONObject {
        var details: [String: JSONValue] = [
            "prerollId": .string(session.userID), "projectId": .string(projectID), "projectName": .string(site.name),
            "projectLogoURL": .string(logo), "pinLength": .integer(Int64(pinLength)),
            "verificationMethod": "standardEmail", "verificationURL": "", "verificationCustomText": "",
            "identityType": "email", "identityTypeLabel": "", "enableRegistrationCode": true,
            "limitRegCodeVerified": true, "description": .string(session.description),
        ]
        if mount.generation == .trust2025 { details["hash"] = .string(session.hash) }
        return JSONObject(details)
    }

    /// The session of a code while a device may still log it in.
    func openSession(_ accessID: String, now: WallTime) -> TrustSession? {
        sessions.value(for: accessID, now: now).flatMap { $0.authenticatedUser == nil ? $0 : nil }
    }
}
