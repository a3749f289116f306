// SPDX-License-Identifier: Apache-2.0

import BackendValues

/// Browser sessions: QR codes and access numbers. docs/protocol/milagro.md, section 7.3.
extension RPS {
    /// `POST /getQrUrl`: a code for a picture.
    package func makePicture(for application: String? = nil) async throws -> NewSession {
        let (now, url) = (clock.now, try await mount.url)
        let end = now + LoginSession.lifetime + LoginSession.grace
        let codes = try await sessions.open(until: end, for: SessionRequest(application: application), now: now)
        return NewSession(.picture, text: url + "#" + codes.accessCode, webOTT: codes.webOTT, begins: now)
    }

    /// `POST /getAccessNumber`.
    /// - Throws: `Refusal` 429 when the address has enough of them, 503 when there are enough in all.
    package func makeAccessNumber() async throws -> NewSession {
        let now = clock.now
        let end = now + LoginSession.lifetime + LoginSession.grace
        let codes = try await sessions.open(until: end, now: now)
        let number = try await numbers.make(for: codes.accessCode, until: end, keptUntil: end, now: now)
        return NewSession(.number, text: number, webOTT: codes.webOTT, begins: now)
    }

    /// `POST /access`: answers the browser that polls.
    package func access(_ request: AccessRequest) async throws -> AccessReply {
        guard let accessCode = request.webOTT.flatMap({ sessions.accessCode(of: $0) }),
            let session = try await sessions.value(for: accessCode, now: clock.now)
        else { return AccessReply(session: LoginSession(.ended)) }
        return AccessReply(session: session, authOTT: sessions.authOTT(of: accessCode))
    }

    /// Takes a device's report. A report about an access number gets the same answer whether a number is open or not. A
    /// stranger shall not find open numbers by asking.
    /// - Returns: nil for an acknowledgement without details.
    package func reportProgress(_ report: ProgressReport) async throws -> SessionDetails? {
        let logo = try await mount.url + Self.logoPath
        let now = clock.now
        let isNumber = AccessNumber.isOne(report.accessCode)
        // The reply reveals nothing about numbers to clients that guess them.
        let accessCode = isNumber ? try await openCode(report.accessCode) : report.accessCode
        var session: LoginSession?
        if let accessCode {
            session = try await sessions.report(report.status, of: report.userID, to: accessCode, now: now)
            if isNumber { try await numbers.keep(report.accessCode, report.status, now: now) }
        }
        guard report.status == .scanned, session != nil || isNumber else { return nil }
        let location = session == nil ? nil : accessCode.flatMap { sessions.location(of: $0, now: now) }
        return SessionDetails(
            name: session?.request.application ?? mount.site.name, siteName: mount.site.name, logo: logo,
            customerID: dialect == .mfaV1 ? parts.projectID : nil,
            browser: DeviceView(location, of: parts.networks))
    }

    /// The access code of a session in which a device may still log the browser in; nil for any other session.
    /// - Parameter named: the access code or the access number that the device has sent.
    func openCode(_ named: String) async throws -> String? {
        let now = clock.now
        let accessCode = AccessNumber.isOne(named) ? try await numbers.accessCode(of: named, now: now) : named
        guard let accessCode, try await sessions.value(for: accessCode, now: now)?.status.isOpen == true else {
            return nil
        }
        return accessCode
    }
}
