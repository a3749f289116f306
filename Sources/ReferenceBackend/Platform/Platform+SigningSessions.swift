// SPDX-License-Identifier: Apache-2.0

/// Browsers that wait for a signature, as the first generation asks about them. MIRACL protocol, sections 6.2 and 12.5.
extension Platform {
    /// `POST /dvs/session`, by a relying party.
    /// - Throws: `PlatformRefusal` for malformed data.
    func makeSigningSession(_ body: JSONObject, at mount: PlatformMount) async throws -> OpenedSession {
        guard let hash = body.string("hash"), !hash.isEmpty else { throw PlatformRefusal.invalid("hash") }
        let request = try PlatformSessionRequest(body, of: self, project: "projectID", user: "userID")
        return try await makeSession(request, at: mount)
    }

    /// `POST /dvs/session/details`.
    /// - Throws: `PlatformRefusal` about `id` for a session that is unknown or expired, or one of a login.
    func signingSessionDetails(_ body: JSONObject, at mount: PlatformMount) async throws -> JSONObject {
        let (accessID, session) = try await signingSession(in: body)
        let details = details(of: session, logo: try await mount.url + RPS.logoPath, at: mount)
        return JSONObject(
            details.members.merging([
                "userID": .string(session.userID), "hash": .string(session.hash),
                "status": session.signature == nil ? "active" : "signed",
                "expireTime": .integer(try await sessions.entry(for: accessID, now: clock.now)?.expires.seconds ?? 0),
            ]) { $1 })
    }

    /// `PUT /dvs/session`: the device delivers the signature.
    /// - Throws: as `deliverSignature`.
    func completeSigningSession(_ body: JSONObject) async throws -> JSONObject {
        let (accessID, _) = try await signingSession(in: body)
        guard let object = body.object("signature") else { throw PlatformRefusal.invalid("signature") }
        try await deliver(object, timestamp: body.integer("timestamp"), to: accessID)
        return JSONObject(["status": "signed"])
    }

    /// `DELETE /dvs/session`, with a body.
    /// - Throws: `PlatformRefusal` about `id`.
    func abortSigningSession(_ body: JSONObject) async throws -> JSONObject {
        let (accessID, _) = try await signingSession(in: body)
        try? await sessions.report(to: accessID, now: clock.now) { $0.progress = .abort }
        return JSONObject(["status": "OK"])
    }

    private func signingSession(in body: JSONObject) async throws -> (String, PlatformSession) {
        guard let accessID = body.string("id"), let session = try await sessions.value(for: accessID, now: clock.now),
            !session.hash.isEmpty
        else { throw PlatformRefusal.invalid("id") }
        return (accessID, session)
    }
}
