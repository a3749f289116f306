// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding
package import MPinServer
import Sealing
import Synchronization

/// The login and sessions of operators. The right password always works. There are 2^120 passwords, so guessing is
/// hopeless and need not lock the operator out. An address that keeps trying has to wait.
package final class OperatorSessions: Sendable {
    static let guesses = 10
    static let guessPeriod = Duration.seconds(60)
    static let sessionCapacity = 64
    /// The time for which the counts by state are cached: with a million identities a query takes a tenth of a second.
    static let countsLifetime = Duration.seconds(10)

    let state: BackendState
    package let links: OperatorLinks
    private let password: OperatorPassword
    private let clock: any WallClock
    private let observer: (any BackendObserver)?
    private let sessions: any VolatileTable<OneTimeToken, OperatorSession>
    private let wrongGuesses: GuessBudget
    private let counted = Mutex<(counts: UserCounts, time: WallTime)?>(nil)

    /// - Throws: `BackendError.randomnessUnavailable`.
    package init(
        state: BackendState, password: OperatorPassword, storage: any VolatileStorage, clock: any WallClock,
        observer: (any BackendObserver)? = nil
    ) throws(BackendError) {
        self.state = state
        self.password = password
        self.clock = clock
        self.observer = observer
        links = OperatorLinks(key: try storage.key(for: "operator/links"))
        sessions = storage.table("operator/sessions", bounds: TableQuota(capacity: Self.sessionCapacity))
        wrongGuesses = GuessBudget(
            "operator/wrong passwords", perAddress: Self.guesses, period: Self.guessPeriod, in: storage)
    }

    /// - Returns: the cookie of a new session.
    /// - Throws: `Refusal` 401 for a wrong password, 429 for an address that sent too many wrong ones;
    ///   `BackendError.file`.
    func logIn(_ claimed: String) async throws -> OneTimeToken {
        let now = clock.now
        let digest = try password.digest
        let guess = try await wrongGuesses.take(from: .current, now: now)
        // People copy a line including its end.
        let trimmed = Array(claimed.utf8.drop { $0 <= 0x20 }.prefix { $0 > 0x20 })
        guard Digest.equal(Digest.sha256(trimmed), digest) else {
            guard guess == nil else { throw Refusal(401, "Wrong password") }
            let end = try await wrongGuesses.end(for: .current, now: now)
            throw Refusal.waiting(429, "Too many wrong passwords", until: end, now)
        }
        if let guess { try await wrongGuesses.giveBack(guess, now: now) }
        let cookie = try OneTimeToken.random()
        try await sessions.insert(
            OperatorSession(formToken: try .random(), passwordDigest: digest), for: cookie,
            expires: now + OperatorSession.lifetime, now: now)
        return cookie
    }

    /// The session of a cookie; nil if there is none, or the password was renewed since.
    /// - Throws: `BackendError.file`.
    func session(of cookie: OneTimeToken?) async throws -> OperatorSession? {
        guard let cookie, let session = try await sessions.value(for: cookie, now: clock.now) else { return nil }
        return Digest.equal(session.passwordDigest, try password.digest) ? session : nil
    }

    func logOut(_ cookie: OneTimeToken?) async throws {
        guard let cookie else { return }
        try await sessions.take(cookie, now: clock.now)
    }

    /// The number of identities in each state, at most ``countsLifetime`` old.
    /// - Throws: `BackendError.database`.
    func userCounts() async throws -> UserCounts {
        let now = clock.now
        if let known = counted.withLock({ $0 }), known.time <= now, now < known.time + Self.countsLifetime {
            return known.counts
        }
        let counts = try await state.userCounts()
        counted.withLock { $0 = (counts, now) }
        return counts
    }

    /// Does the action and records it.
    /// - Returns: whether there was such an identity or registration.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    func perform(_ action: OperatorAction, on userID: UserID, fingerprint: String) async throws -> Bool {
        guard try await action.perform(on: userID.text, fingerprint: fingerprint, in: state) else { return false }
        counted.withLock { $0 = nil }
        observer?.acted(OperatorDeed(action: action.rawValue, userID: userID.text, fingerprint: fingerprint))
        return true
    }
}

/// A browser in which the operator has logged in.
struct OperatorSession: Codable, Sendable {
    static let lifetime = Duration.seconds(3600)

    /// The secret behind the tokens of the page's forms. Pages of other sites cannot know it.
    let formToken: OneTimeToken
    /// The digest of the password at login.
    let passwordDigest: [UInt8]

    /// Returns the token of a form.
    /// - Parameters:
    ///   - userID: the user of the form's identity, as the page shows it; empty, like the fingerprint, for a form
    ///     about none.
    ///   - fingerprint: that of the identity.
    func token(forUser userID: String = "", fingerprint: String = "") -> String {
        Hexadecimal.text(
            Digest.hmacSHA256(fingerprint + "\n" + userID, key: SecretBytes(Array(formToken.hex.utf8))))
    }
}
