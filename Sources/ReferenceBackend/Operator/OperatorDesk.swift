// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Who is logged in as the operator. Ten wrong passwords a minute are looked at, whoever sends them: there are 2^120, but
/// nobody shall keep the backend busy with trying.
actor OperatorDesk {
    static let guesses = 10
    static let guessPeriod = Duration.seconds(60)

    let state: BackendState
    private let password: OperatorPassword
    private let clock: any WallClock
    private var sessions = ExpiringTable<OneTimeToken, OperatorSession>(capacity: 64)
    private var wrongGuesses = 0
    private var guessesEnd: WallTime?

    init(state: BackendState, password: OperatorPassword, clock: any WallClock) {
        self.state = state
        self.password = password
        self.clock = clock
    }

    /// - Returns: the cookie of a new session.
    /// - Throws: `Refusal` 401 for a wrong password, 429 after too many; `BackendError.file`.
    func logIn(_ claimed: String) throws -> OneTimeToken {
        let now = clock.now
        if let end = guessesEnd, end <= now { (wrongGuesses, guessesEnd) = (0, nil) }
        guard wrongGuesses < Self.guesses else {
            var refusal = Refusal(429, "Too many wrong passwords")
            refusal.headers[.retryAfter] = String(Self.guessPeriod.components.seconds)
            throw refusal
        }
        let digest = try password.digest
        // People copy a line with its end.
        let trimmed = Array(claimed.utf8.drop { $0 <= 0x20 }.prefix { $0 > 0x20 })
        guard Digest.equal(Digest.sha256(trimmed), digest) else {
            wrongGuesses += 1
            if guessesEnd == nil { guessesEnd = now + Self.guessPeriod }
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
