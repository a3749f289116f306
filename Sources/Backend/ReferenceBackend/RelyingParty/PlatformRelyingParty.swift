// SPDX-License-Identifier: Apache-2.0

import BackendHTTP

/// The web site of a Trust project. Its requests to the platform are in ``PlatformService``.
struct PlatformRelyingParty: Sendable {
    let platform: any PlatformService
    let credentials: RelyingPartyCredentials
    let clock: any WallClock
    /// The time after which its page replaces an unread code.
    private let codeLifetime: Duration
    /// Codes of pages that a device has logged in. A browser that shows its old cookie once more stays logged out.
    private let usedCodes: any VolatileTable<String, Bool>

    /// - Parameter name: the prefix of its table's name.
    init(
        _ name: String, platform: any PlatformService, credentials: RelyingPartyCredentials,
        codeLifetime: Duration, storage: any VolatileStorage, clock: any WallClock
    ) {
        self.platform = platform
        self.codeLifetime = codeLifetime
        self.credentials = credentials
        self.clock = clock
        usedCodes = storage.table(name, bounds: .ofPeople)
    }
}

extension PlatformRelyingParty: LoginCodes {
    func newAttempt(on page: OneTimeToken, for application: String?) async throws -> LoginAttempt {
        let now = clock.now
        let session = try await platform.openPage(for: application)
        return LoginAttempt(
            webOTT: session.webOTT.hex, qrText: session.qrText,
            changes: now + codeLifetime, expires: now + PlatformSession.lifetime,
            page: page)
    }

    func close(_ attempt: LoginAttempt) async throws {
        if let code = attempt.accessCode { try await platform.closePage(code) }
    }

    func changes(of attempt: LoginAttempt) -> AsyncStream<Void>? {
        attempt.accessCode.flatMap { platform.changes(of: $0) }
    }

    func progress(of attempt: LoginAttempt, admitting browser: BrowserAdmission) async throws -> LoginProgress {
        let access = try await platform.access(PlatformAccessRequest(webOTT: OneTimeToken(attempt.webOTT)))
        switch access.status {
        case "new": return .new
        case "abort": return .declined
        case "wid": return .scanned
        case "user": return .named(access.userID)
        case "authenticate":
            let (user, now) = (access.userID, clock.now)
            // Another poll of the same page may have been faster.
            let isFirst = try await usedCodes.insert(
                true, for: attempt.webOTT, of: .person(user), expires: attempt.expires, now: now)
            guard isFirst else { return .expired }
            do { try await browser.admit(user) } catch {
                // The page asks again, and finds its login as long as its code lasts.
                _ = try? await usedCodes.take(attempt.webOTT, now: now)
                throw error
            }
            return .done(user: user)
        default: return .expired
        }
    }
}
