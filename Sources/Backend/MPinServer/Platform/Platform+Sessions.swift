// SPDX-License-Identifier: Apache-2.0

/// Browsers that wait for a device. docs/protocol/miracl.md, section 6.
extension Platform {
    /// `POST /rps/v2/session`, by a relying party or its page. A session with a hash waits for a signature.
    /// - Throws: `Refusal` 429 and 503 when the session has to be stored, and the address, or all together, have too
    ///   many.
    package func makeSession(_ request: SessionRequest, at mount: PlatformMount) async throws -> OpenedSession {
        let now = clock.now
        let codes = try sessions.open(until: now + PlatformSession.lifetime)
        if request.saysAnything {
            try await sessions.report(to: codes.accessCode, now: now) { session in
                session.userID = request.userID
                session.isNamedByRelyingParty = request.isFromRelyingParty
                session.description = request.description
                session.hash = request.hash
                session.application = request.application
                return true
            }
        }
        return try await opened(codes, at: mount)
    }

    /// Opens a session for a page that changes its code.
    func openPage(at mount: PlatformMount, for application: String?) async throws -> OpenedSession {
        let now = clock.now
        let codes = try sessions.open(until: (now + site.codeLifetime).roundedUp, isChanging: true)
        if let application {
            try await sessions.report(to: codes.accessCode, keepsCode: false, now: now) {
                $0.application = application
                return true
            }
        }
        return try await opened(codes, at: mount)
    }

    private func opened(_ codes: SessionTokens.Pair, at mount: PlatformMount) async throws -> OpenedSession {
        let url = try await mount.url
        return OpenedSession(
            webOTT: codes.webOTT, qrText: url + "#" + codes.accessCode, accessURL: url + "/rps/v2/access")
    }

    /// `POST /rps/v2/access`: answers the browser's poll.
    package func access(_ request: PlatformAccessRequest) async throws -> PlatformAccessReply {
        guard let accessID = request.webOTT.flatMap({ sessions.accessCode(of: $0) }),
            let session = try await sessions.value(for: accessID, now: clock.now)
        else { return PlatformAccessReply(status: "expired") }
        return PlatformAccessReply(
            status: session.status, userID: session.authenticatedUser ?? session.namedUser,
            signature: session.signature)
    }

    /// `POST /rps/v2/codeStatus`: takes a device's report.
    /// - Returns: nil for an acknowledgement without details.
    /// - Throws: `PlatformRefusal` when a device asks about a session that is not open, and the errors of `deliver`.
    package func reportProgress(_ report: PlatformProgressReport, at mount: PlatformMount) async throws
        -> PlatformSessionDetails?
    {
        let accessID = report.accessID
        switch report.event {
        case .signed(let signature): try await deliver(signature, to: accessID)
        case .progress(let progress, let userID):
            let url = try await mount.url
            let session = try await self.report(progress, of: userID, to: accessID)
            guard progress == .scanned else { return nil }
            guard let session else { throw PlatformRefusal(.invalidAuthenticationSession) }
            var details = details(of: session, below: url, at: mount)
            details.browser = DeviceView(sessions.location(of: accessID, now: clock.now), of: networks)
            return details
        }
        return nil
    }

    /// Stores the report of a device that has proved nothing. If there is no room, the page does not see the report.
    /// There is no other consequence.
    /// - Returns: the session; nil when no device may log it in any more.
    private func report(
        _ progress: PlatformSession.Progress, of userID: String, to accessID: String
    ) async throws(StorageError) -> PlatformSession? {
        var told: PlatformSession?
        do {
            let isOpen = try await sessions.report(to: accessID, keepsCode: progress != .abort, now: clock.now) {
                session in
                guard session.authenticatedUser == nil else { return false }
                (session.progress, session.namedUser) = (progress, userID)
                told = session
                return true
            }
            return isOpen ? told : nil
        } catch let error as StorageError {
            throw error
        } catch {
            return told
        }
    }

    /// - Parameter url: the place's address.
    package func details(of session: PlatformSession, below url: String, at mount: PlatformMount)
        -> PlatformSessionDetails
    {
        PlatformSessionDetails(
            session: session, projectID: projectID, name: site.name, logo: url + RPS.logoPath, pinLength: pinLength,
            generation: mount.generation)
    }

    /// The session of a code while a device may still log it in.
    func openSession(_ accessID: String, now: WallTime) async throws -> PlatformSession? {
        try await sessions.value(for: accessID, now: now).flatMap { $0.authenticatedUser == nil ? $0 : nil }
    }
}
