// SPDX-License-Identifier: Apache-2.0

/// Browser sessions: QR codes and access numbers. Milagro protocol, section 7.3.
extension RPS {
    /// A code for a picture.
    func makePicture(for application: String? = nil) async throws -> NewSession {
        let now = clock.now
        let end = now + LoginSession.lifetime + LoginSession.grace
        return try await makePicture(until: end, for: application, now: now)
    }

    func openPage(for application: String?) async throws -> NewSession {
        let now = clock.now
        return try await makePicture(until: codeEnd(now), isChanging: true, for: application, now: now)
    }

    private func makePicture(
        until end: WallTime, isChanging: Bool = false, for application: String?, now: WallTime
    ) async throws -> NewSession {
        let url = try await mount.url
        let codes = try sessions.openCode(until: end, isChanging: isChanging)
        if let application { try await sessions.name(application, at: codes.accessCode, now: now) }
        return NewSession(.picture, text: url + "#" + codes.accessCode, webOTT: codes.webOTT, begins: now)
    }

    /// - Throws: `Refusal` 429 when the address has enough of them, 503 when there are enough in all.
    func makeAccessNumber() async throws -> NewSession {
        let now = clock.now
        return try await makeNumber(until: now + LoginSession.lifetime + LoginSession.grace, now: now)
    }

    func makePageNumber(for application: String?) async throws -> NewSession {
        let now = clock.now
        return try await makeNumber(
            until: codeEnd(now), keptUntil: now + LoginSession.lifetime + LoginSession.grace, for: application,
            now: now)
    }

    private func makeNumber(
        until end: WallTime, keptUntil last: WallTime? = nil, for application: String? = nil, now: WallTime
    ) async throws -> NewSession {
        var generator = SystemRandomNumberGenerator()
        while true {
            let number = AccessNumber.random(using: &generator)
            // One that another page has is drawn anew.
            guard let webOTT = try await sessions.open(number, until: end, keptUntil: last, for: application, now: now)
            else { continue }
            return NewSession(.number, text: number, webOTT: webOTT, begins: now)
        }
    }

    /// When a page changes its code. Picture and number end at the same moment.
    private func codeEnd(_ now: WallTime) -> WallTime { (now + mount.site.codeLifetime).roundedUp }

    /// Answers the browser that polls.
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

    func changes(of accessCode: String) -> AsyncStream<[UInt8]>? { sessions.changes(of: accessCode) }

    /// Takes a device's report. A report about an access number gets the same answer whether a number is open or not. A
    /// stranger shall not find open numbers by asking.
    /// - Returns: nil for an acknowledgement without details.
    func reportProgress(_ report: ProgressReport) async throws -> SessionDetails? {
        let logo = try await mount.url + Self.logoPath
        let now = clock.now
        let isNumber = AccessNumber.isOne(report.accessCode)
        // Who guesses numbers is told nothing of them.
        let mayTell = isNumber ? try await isOpen(session: report.accessCode, now: now) : true
        let session =
            mayTell
            ? try await sessions.report(report.progress, of: report.userID, to: report.accessCode, now: now) : nil
        guard report.progress == .scanned, session != nil || isNumber else { return nil }
        let location = session != nil ? try await sessions.location(of: report.accessCode, now: now) : nil
        return SessionDetails(
            name: session?.application ?? mount.site.name, siteName: mount.site.name, logo: logo,
            customerID: dialect == .mfaV1 ? companyID : nil,
            browser: DeviceView(location, of: networks))
    }

    /// True while a device may still log this session in. An address that guessed too many numbers finds none.
    func isOpen(session accessCode: String, now: WallTime) async throws -> Bool {
        guard AccessNumber.isOne(accessCode) else {
            return try await sessions.value(for: accessCode, now: now)?.isOpen ?? false
        }
        guard let guess = try await numberGuesses.take(from: .current, now: now),
            let session = try await sessions.value(for: accessCode, now: now)
        else { return false }
        try await numberGuesses.giveBack(guess, now: now)
        return session.isOpen
    }
}
