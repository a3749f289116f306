// SPDX-License-Identifier: Apache-2.0

/// Browser sessions: QR codes and access numbers. Milagro protocol, section 7.3.
extension RPS {
    /// A code for a picture.
    func makePicture() async throws -> NewSession {
        let url = try await mount.url
        let now = clock.now
        let codes = try sessions.openCode(until: now + LoginSession.lifetime + LoginSession.grace)
        return NewSession(.picture, text: url + "#" + codes.accessCode, webOTT: codes.webOTT, begins: now)
    }

    /// - Throws: `Refusal` 429 when the address has enough of them, 503 when there are enough in all.
    func makeAccessNumber() async throws -> NewSession {
        let now = clock.now
        var generator = SystemRandomNumberGenerator()
        while true {
            let number = AccessNumber.random(using: &generator)
            let end = now + LoginSession.lifetime + LoginSession.grace
            // One that another page has is drawn anew.
            guard let webOTT = try await sessions.open(number, until: end, now: now) else { continue }
            return NewSession(.number, text: number, webOTT: webOTT, begins: now)
        }
    }

    /// What the browser polls.
    func access(_ request: AccessRequest) async throws -> AccessReply {
        guard let webOTT = request.webOTT, let session = try await sessions.value(polledWith: webOTT, now: clock.now)
        else { return AccessReply(status: "expired") }
        if let login = session.login {
            // Its relying party has decided, and there is nothing left to be asked.
            return login.result == nil
                ? AccessReply(status: "authenticate", authOTT: login.authOTT.hex) : AccessReply(status: "expired")
        }
        return AccessReply(
            status: session.progress.rawValue, userID: session.progress == .user ? session.userID : "")
    }

    /// What a device reports. What is said about an access number is answered in the same way whether one is open or
    /// not: a stranger shall not find open ones by asking.
    /// - Returns: nil for an acknowledgement without details.
    func reportProgress(_ report: ProgressReport) async throws -> SessionDetails? {
        let logo = try await mount.url + Self.logoPath
        let now = clock.now
        let isNumber = AccessNumber.isOne(report.accessCode)
        // Who guesses numbers is told nothing of them.
        let mayTell = isNumber ? try await isOpen(session: report.accessCode, now: now) : true
        let isOpen =
            mayTell
            ? try await sessions.report(report.progress, of: report.userID, to: report.accessCode, now: now) : false
        guard report.progress == .scanned, isOpen || isNumber else { return nil }
        return SessionDetails(
            name: mount.site.name, logo: logo, customerID: dialect == .mfaV1 ? companyID : nil)
    }

    /// True while a device may still log this session in. An address that guessed too many numbers finds none.
    func isOpen(session accessCode: String, now: WallTime) async throws -> Bool {
        let isNumber = AccessNumber.isOne(accessCode)
        if isNumber, !(try await numberGuesses.admits(.current, now: now)) { return false }
        guard let session = try await sessions.value(for: accessCode, now: now) else {
            if isNumber { try await numberGuesses.count(from: .current, now: now) }
            return false
        }
        return session.isOpen
    }
}
