// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Who is logged in as the operator. The right password always opens: there are 2^120, so trying finds none, and
/// strangers who try do not lock the operator out. An address that keeps trying is told to wait.
struct OperatorDesk: Sendable {
    static let guesses = 10
    static let guessPeriod = Duration.seconds(60)
    static let sessionCapacity = 64

    let state: BackendState
    private let password: OperatorPassword
    private let clock: any WallClock
    private let sessions: any VolatileTable<OneTimeToken, OperatorSession>
    private let wrongGuesses: GuessBudget

    init(state: BackendState, password: OperatorPassword, storage: any VolatileStorage, clock: any WallClock) {
        self.state = state
        self.password = password
        self.clock = clock
        sessions = storage.table("operator/sessions", bounds: TableBounds(capacity: Self.sessionCapacity))
        wrongGuesses = GuessBudget(
            "operator/wrong passwords", perAddress: Self.guesses, period: Self.guessPeriod, in: storage)
    }

    /// - Returns: the cookie of a new session.
    /// - Throws: `Refusal` 401 for a wrong password, 429 for one more from an address that sent too many;
    ///   `BackendError.file`.
    func logIn(_ claimed: String) async throws -> OneTimeToken {
        let now = clock.now
        let digest = try password.digest
        // People copy a line with its end.
        let trimmed = Array(claimed.utf8.drop { $0 <= 0x20 }.prefix { $0 > 0x20 })
        guard Digest.equal(Digest.sha256(trimmed), digest) else {
            guard try await wrongGuesses.admits(.current, now: now) else {
                let end = try await wrongGuesses.end(for: .current, now: now)
                throw Refusal.waiting(429, "Too many wrong passwords", until: end, now)
            }
            try await wrongGuesses.count(from: .current, now: now)
            throw Refusal(401, "Wrong password")
        }
        let cookie = try OneTimeToken.random()
        try await sessions.insert(
            OperatorSession(formToken: try .random(), passwordDigest: digest), for: cookie,
            expires: now + OperatorSession.lifetime, now: now)
        return cookie
    }

    /// Nil for a browser that is not logged in, or whose password was renewed since.
    /// - Throws: `BackendError.file`.
    func session(of cookie: OneTimeToken?) async throws -> OperatorSession? {
        guard let cookie, let session = try await sessions.value(for: cookie, now: clock.now) else { return nil }
        return Digest.equal(session.passwordDigest, try password.digest) ? session : nil
    }

    func logOut(_ cookie: OneTimeToken?) async throws {
        guard let cookie else { return }
        try await sessions.take(cookie, now: clock.now)
    }
}

/// An operator's browser that knew the password.
struct OperatorSession: Codable, Sendable {
    static let lifetime = Duration.seconds(3600)

    /// What every form of its pages carries: a page of another site cannot know it.
    let formToken: OneTimeToken
    /// Of the password that it knew.
    let passwordDigest: [UInt8]
}
