// SPDX-License-Identifier: Apache-2.0

/// The web site of a Trust project. What it asks the platform is in ``PlatformService``.
struct PlatformRelyingParty: Sendable {
    let platform: any PlatformService
    let credentials: RelyingPartyCredentials
    let clock: any WallClock
    /// Codes of pages that a device has logged in. A browser that shows its old cookie once more stays logged out.
    private let usedCodes: any VolatileTable<String, Bool>

    /// - Parameter name: of its table.
    init(
        _ name: String, platform: any PlatformService, credentials: RelyingPartyCredentials,
        storage: any VolatileStorage, clock: any WallClock
    ) {
        self.platform = platform
        self.credentials = credentials
        self.clock = clock
        usedCodes = storage.table(name)
    }
}

extension PlatformRelyingParty: LoginCodes {
    func newAttempt() async throws -> LoginAttempt {
        let session = try await platform.openSession(expecting: "")
        return LoginAttempt(
            webOTT: session.webOTT.hex, qrText: session.qrText, expires: clock.now + PlatformSession.lifetime)
    }

    func progress(of attempt: LoginAttempt) async throws -> LoginProgress {
        let access = try await platform.access(PlatformAccessRequest(webOTT: OneTimeToken(attempt.webOTT)))
        switch access.status {
        case "new", "abort": return .new
        case "wid": return .scanned
        case "user": return .named(access.userID)
        case "authenticate":
            // Another poll of the same page may have been faster.
            let isFirst = try await usedCodes.insert(
                true, for: attempt.webOTT, of: .person(access.userID), expires: attempt.expires, now: clock.now)
            return isFirst ? .done(user: access.userID, logoutToken: nil) : .expired
        default: return .expired
        }
    }
}
