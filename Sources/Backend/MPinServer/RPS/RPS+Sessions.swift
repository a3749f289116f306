// SPDX-License-Identifier: Apache-2.0

/// Browser sessions: QR codes and access numbers. docs/protocol/milagro.md, section 7.3.
extension RPS {
    /// A code for a picture.
    package func makePicture(for application: String? = nil) async throws -> NewSession {
        let now = clock.now
        let end = now + LoginSession.lifetime + LoginSession.grace
        return try await makePicture(until: end, for: application, now: now)
    }

    package func openPage(for application: String?) async throws -> NewSession {
        let now = clock.now
        return try await makePicture(until: codeEnd(now), isChanging: true, for: application, now: now)
    }

    package func closePage(_ webOTT: OneTimeToken, number: String?) async throws {
        let now = clock.now
        if let number { try await sessions.remove(number: number, now: now) }
        if let accessCode = sessions.coded.accessCode(of: webOTT) {
            try await sessions.coded.giveUp(accessCode, now: now)
        }
    }

    private func makePicture(
        until end: WallTime, isChanging: Bool = false, for application: String?, now: WallTime
    ) async throws -> NewSession {
        let url = try await mount.url
        let codes = try sessions.coded.open(until: end, isChanging: isChanging)
        if let application { try await sessions.name(application, at: codes.accessCode, now: now) }
        return NewSession(.picture, text: url + "#" + codes.accessCode, webOTT: codes.webOTT, begins: now)
    }

    /// - Throws: `Refusal` 429 when the address has enough of them, 503 when there are enough in all.
    package func makeAccessNumber() async throws -> NewSession {
        let now = clock.now
        let end = now + LoginSession.lifetime + LoginSession.grace
        let codes = try sessions.coded.open(until: end)
        let number = try await makeNumber(for: codes.accessCode, until: end, keptUntil: end, now: now)
        return NewSession(.number, text: number, webOTT: codes.webOTT, begins: now)
    }

    package func makePageNumber(of webOTT: OneTimeToken) async throws -> String {
        let now = clock.now
        guard let accessCode = sessions.coded.accessCode(of: webOTT) else { throw Refusal.invalidData }
        return try await makeNumber(
            for: accessCode, until: codeEnd(now), keptUntil: now + LoginSession.lifetime + LoginSession.grace, now: now)
    }

    private func makeNumber(
        for accessCode: String, until end: WallTime, keptUntil last: WallTime, now: WallTime
    ) async throws -> String {
        var generator = SystemRandomNumberGenerator()
        while true {
            let number = AccessNumber.random(using: &generator)
            // One that another page has is drawn anew.
            if try await sessions.add(number, for: accessCode, until: end, keptUntil: last, now: now) { return number }
        }
    }

    /// When a page changes its code. Picture and number end at the same moment.
    private func codeEnd(_ now: WallTime) -> WallTime { (now + mount.site.codeLifetime).roundedUp }

    /// Answers the browser that polls.
    package func access(_ request: AccessRequest) async throws -> AccessReply {
        guard let accessCode = request.webOTT.flatMap({ sessions.coded.accessCode(of: $0) }),
            let session = try await sessions.coded.value(for: accessCode, now: clock.now)
        else { return AccessReply(status: "expired") }
        if let login = session.login {
            // Its relying party has decided, and there is nothing left to be asked.
            guard login.result == nil, let authOTT = sessions.coded.authOTT(of: accessCode) else {
                return AccessReply(status: "expired")
            }
            return AccessReply(status: "authenticate", authOTT: authOTT.hex)
        }
        return AccessReply(
            status: session.progress.rawValue, userID: session.progress == .user ? session.userID : "")
    }

    package func changes(ofPage webOTT: OneTimeToken) -> AsyncStream<Void>? {
        sessions.coded.accessCode(of: webOTT).map { sessions.coded.changes(of: $0) }
    }

    /// Takes a device's report. A report about an access number gets the same answer whether a number is open or not. A
    /// stranger shall not find open numbers by asking.
    /// - Returns: nil for an acknowledgement without details.
    package func reportProgress(_ report: ProgressReport) async throws -> SessionDetails? {
        let logo = try await mount.url + Self.logoPath
        let now = clock.now
        let isNumber = AccessNumber.isOne(report.accessCode)
        // The reply tells nothing about numbers to clients that guess them.
        let accessCode = isNumber ? try await openCode(report.accessCode) : report.accessCode
        var session: LoginSession?
        if let accessCode {
            session = try await sessions.report(report.progress, of: report.userID, to: accessCode, now: now)
            if isNumber { try await sessions.keep(report.accessCode, report.progress, now: now) }
        }
        guard report.progress == .scanned, session != nil || isNumber else { return nil }
        let location = session == nil ? nil : accessCode.flatMap { sessions.coded.location(of: $0, now: now) }
        return SessionDetails(
            name: session?.application ?? mount.site.name, siteName: mount.site.name, logo: logo,
            customerID: dialect == .mfaV1 ? companyID : nil,
            browser: DeviceView(location, of: networks))
    }

    /// The code of the session that a person has shown or typed, while a device may still log it in. An address that
    /// guessed too many numbers finds none.
    func openCode(_ typed: String) async throws -> String? {
        let now = clock.now
        guard AccessNumber.isOne(typed) else { return try await isOpen(typed, now: now) ? typed : nil }
        guard let guess = try await numberGuesses.take(from: .current, now: now),
            let accessCode = try await sessions.accessCode(typed, now: now)
        else { return nil }
        try await numberGuesses.giveBack(guess, now: now)
        return try await isOpen(accessCode, now: now) ? accessCode : nil
    }

    func isOpen(_ accessCode: String, now: WallTime) async throws -> Bool {
        try await sessions.coded.value(for: accessCode, now: now)?.isOpen ?? false
    }
}
