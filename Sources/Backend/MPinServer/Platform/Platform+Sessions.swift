// SPDX-License-Identifier: Apache-2.0

import BackendValues

/// Browsers that wait for a device. docs/protocol/miracl.md, section 6.
extension Platform {
    /// `POST /rps/v2/session`, by a relying party or its page. A session with a hash waits for a signature.
    /// - Throws: `Refusal` 429 and 503 when the session has to be stored, and the address, or all together, have too
    ///   many.
    package func makeSession(_ request: SessionRequest, at mount: PlatformMount) async throws -> OpenedSession {
        let (now, url) = (clock.now, try await mount.url)
        let codes = try await sessions.open(until: now + LoginSession.lifetime, for: request, now: now)
        return OpenedSession(
            webOTT: codes.webOTT, qrText: url + "#" + codes.accessCode, accessURL: url + "/rps/v2/access")
    }

    /// `POST /rps/v2/access`: answers the browser's poll.
    package func access(_ request: PlatformAccessRequest) async throws -> PlatformAccessReply {
        guard let accessID = request.webOTT.flatMap({ sessions.accessCode(of: $0) }),
            let session = try await sessions.value(for: accessID, now: clock.now)
        else { return PlatformAccessReply(session: LoginSession(.ended)) }
        return PlatformAccessReply(session: session)
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
        case .progress(let status, let userID):
            let url = try await mount.url
            let session = try await sessions.report(status, of: userID, to: accessID, now: clock.now)
            guard status == .scanned else { return nil }
            guard let session else { throw PlatformRefusal(.invalidAuthenticationSession) }
            var details = details(of: session, below: url, at: mount)
            details.browser = DeviceView(sessions.location(of: accessID, now: clock.now), of: parts.networks)
            return details
        }
        return nil
    }

    /// - Parameter url: the endpoint's address.
    package func details(of session: LoginSession, below url: String, at mount: PlatformMount)
        -> PlatformSessionDetails
    {
        PlatformSessionDetails(
            session: session, projectID: projectID, name: site.name, logo: url + RPS.logoPath, pinLength: pinLength,
            generation: mount.generation)
    }

    /// The session of a code while a device may still log it in.
    func openSession(_ accessID: String, now: WallTime) async throws -> LoginSession? {
        try await sessions.value(for: accessID, now: now).flatMap { $0.status.isOpen ? $0 : nil }
    }
}
