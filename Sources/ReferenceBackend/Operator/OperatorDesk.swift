// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Who is logged in as the operator. The right password always opens: there are 2^120, so trying finds none, and
/// strangers who try do not lock the operator out. An address that keeps trying is told to wait.
actor OperatorDesk {
    static let guesses = 10
    static let guessPeriod = Duration.seconds(60)
    static let sessionCapacity = 64

    let state: BackendState
    private let password: OperatorPassword
    private let clock: any WallClock
    private var sessions = ExpiringTable<OneTimeToken, OperatorSession>(capacity: sessionCapacity)
    private var wrongGuesses = GuessBudget(perAddress: guesses, period: guessPeriod)

    init(state: BackendState, password: OperatorPassword, clock: any WallClock) {
        self.state = state
        self.password = password
        self.clock = clock
    }

    /// - Returns: the cookie of a new session.
    /// - Throws: `Refusal` 401 for a wrong password, 429 for one more from an address that sent too many;
    ///   `BackendError.file`.
    func logIn(_ claimed: String) throws -> OneTimeToken {
        let now = clock.now
        let digest = try password.digest
        // People copy a line with its end.
        let trimmed = Array(claimed.utf8.drop { $0 <= 0x20 }.prefix { $0 > 0x20 })
        guard Digest.equal(Digest.sha256(trimmed), digest) else {
            guard wrongGuesses.admits(.current, now: now) else {
                throw Refusal.waiting(429, "Too many wrong passwords", until: wrongGuesses.end(for: .current), now)
            }
            wrongGuesses.count(from: .current, now: now)
            throw Refusal(401, "Wrong password")
        }
        let cookie = try OneTimeToken.random()
        sessions.insert(
            OperatorSession(formToken: try .random(), passwordDigest: digest), for: cookie,
            expires: now + OperatorSession.lifetime, now: now)
        return cookie
    }

    /// Nil for a browser that is not logged in, or whose password was renewed since.
    /// - Throws: `BackendError.file`.
    func session(of cookie: OneTimeToken?) throws -> OperatorSession? {
        guard let cookie, let session = sessions.value(for: cookie, now: clock.now) else { return nil }
        return Digest.equal(session.passwordDigest, try password.digest) ? session : nil
    }

    func logOut(_ cookie: OneTimeToken?) {
        guard let cookie else { return }
        sessions.remove(cookie, now: clock.now)
    }
}
